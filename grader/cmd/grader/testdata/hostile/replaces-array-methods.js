// expect: pass — breaks what it does not need of Array.prototype
const needed = { constructor: true, length: true, push: true, filter: true, map: true };
Object.getOwnPropertyNames(Array.prototype).map((name) => {
  if (!needed[name]) Array.prototype[name] = () => { throw new Error("broken"); };
});
Array.isArray = () => false;
Array.from = () => [];

export function createEventLog() {
  return [];
}

export function appendEvent(log, { sessionId, type, payload }) {
  const next = log.filter(() => true);
  next.push({ eventId: log.length + 1, sessionId, type, payload: structuredClone(payload) });
  return next;
}

export function getEventsForSession(log, sessionId) {
  return structuredClone(log.filter((event) => event.sessionId === sessionId));
}

export function listSessions(log) {
  const seen = [];
  log.map((event) => {
    for (let i = 0; i < seen.length; i++) if (seen[i] === event.sessionId) return;
    seen.push(event.sessionId);
  });
  return seen;
}

export function replaySession(log, sessionId) {
  const messages = [];
  getEventsForSession(log, sessionId).map(({ type, payload }) => {
    if (type === "user_message") messages.push({ role: "user", content: payload.content });
    else if (type === "assistant_message") messages.push({ role: "assistant", content: payload.content });
    else if (type === "tool_call") {
      const { callId, name, arguments: json } = payload;
      messages.push({ role: "assistant", content: null, toolCalls: [{ toolCallId: callId, name, arguments: json }] });
    } else if (type === "tool_result") messages.push({ role: "tool", toolCallId: payload.callId, content: payload.content });
  });
  return messages;
}
