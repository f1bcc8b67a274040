// expect: pass — breaks iteration, which it does without
Array.prototype[Symbol.iterator] = () => { throw new Error("broken"); };
Object.getPrototypeOf([][Symbol.iterator] ?? Object.prototype).broken = true;
Map.prototype.set = Map.prototype.get = () => { throw new Error("broken"); };
Set.prototype.add = () => { throw new Error("broken"); };

export function createEventLog() {
  return [];
}

export function appendEvent(log, event) {
  return log.concat({ eventId: log.length + 1, sessionId: event.sessionId, type: event.type, payload: structuredClone(event.payload) });
}

export function getEventsForSession(log, sessionId) {
  return structuredClone(log.filter((event) => event.sessionId === sessionId));
}

export function listSessions(log) {
  return log.map((event) => event.sessionId).filter((id, i, all) => all.indexOf(id) === i);
}

export function replaySession(log, sessionId) {
  const messages = [];
  getEventsForSession(log, sessionId).forEach(({ type, payload }) => {
    if (type === "user_message") messages.push({ role: "user", content: payload.content });
    else if (type === "assistant_message") messages.push({ role: "assistant", content: payload.content });
    else if (type === "tool_call") {
      const { callId, name, arguments: json } = payload;
      messages.push({ role: "assistant", content: null, toolCalls: [{ toolCallId: callId, name, arguments: json }] });
    } else if (type === "tool_result") messages.push({ role: "tool", toolCallId: payload.callId, content: payload.content });
  });
  return messages;
}
