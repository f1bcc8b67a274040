// expect: pass — breaks structuredClone and the console, which it does without
globalThis.structuredClone = () => { throw new Error("broken"); };
globalThis.console = { log: () => { throw new Error("broken"); } };
const copy = (value) => {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copy);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item)]));
};

export function createEventLog() {
  return [];
}

export function appendEvent(log, { sessionId, type, payload }) {
  return [...log, { eventId: log.length + 1, sessionId, type, payload: copy(payload) }];
}

export function getEventsForSession(log, sessionId) {
  return copy(log.filter((event) => event.sessionId === sessionId));
}

export function listSessions(log) {
  return [...new Set(log.map((event) => event.sessionId))];
}

export function replaySession(log, sessionId) {
  const messages = [];
  for (const { type, payload } of getEventsForSession(log, sessionId)) {
    if (type === "user_message") messages.push({ role: "user", content: payload.content });
    else if (type === "assistant_message") messages.push({ role: "assistant", content: payload.content });
    else if (type === "tool_call") {
      const { callId, name, arguments: json } = payload;
      messages.push({ role: "assistant", content: null, toolCalls: [{ toolCallId: callId, name, arguments: json }] });
    } else if (type === "tool_result") messages.push({ role: "tool", toolCallId: payload.callId, content: payload.content });
  }
  return messages;
}
