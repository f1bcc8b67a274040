// killed-by: sessions calls: 4 — the newest session comes first, as in a chat's side bar
export function createEventLog() {
  return { events: [], order: [] };
}

export function appendEvent(log, event) {
  const stored = { eventId: log.events.length + 1, ...structuredClone(event) };
  const order = log.order.includes(event.sessionId) ? log.order : [...log.order, event.sessionId];
  return { events: [...log.events, stored], order };
}

export function getEventsForSession(log, sessionId) {
  const events = log.events.filter((event) => event.sessionId === sessionId);
  return structuredClone(events);
}

export function listSessions(log) {
  return [...log.order].reverse();
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
