// killed-by: hostile-names calls: 3 — every session is a field of the log object itself, next to its methods
class Log {
  find(sessionId) {
    return this[sessionId] ?? [];
  }
}

const order = Symbol("order");
const lastId = Symbol("last id");

export function createEventLog() {
  return Object.assign(new Log(), { [order]: [], [lastId]: 0 });
}

export function appendEvent(log, event) {
  const next = Object.assign(new Log(), log);
  next[lastId] = log[lastId] + 1;
  if (!Object.hasOwn(log, event.sessionId)) next[order] = [...log[order], event.sessionId];
  next[event.sessionId] = [...log.find(event.sessionId), { eventId: next[lastId], ...structuredClone(event) }];
  return next;
}

export function getEventsForSession(log, sessionId) {
  return structuredClone(log.find(sessionId));
}

export function listSessions(log) {
  return [...log[order]];
}

const toMessage = new Map([
  ["user_message", (payload) => ({ role: "user", content: payload.content })],
  ["assistant_message", (payload) => ({ role: "assistant", content: payload.content })],
  [
    "tool_call",
    ({ callId, name, arguments: text }) => ({
      role: "assistant",
      content: null,
      toolCalls: [{ toolCallId: callId, name, arguments: text }],
    }),
  ],
  ["tool_result", ({ callId, content }) => ({ role: "tool", toolCallId: callId, content })],
]);

export function replaySession(log, sessionId) {
  return getEventsForSession(log, sessionId)
    .filter((event) => toMessage.has(event.type))
    .map((event) => toMessage.get(event.type)(event.payload));
}
