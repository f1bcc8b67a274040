// killed-by: purity calls: 4 — the id is written into the event handed in
function createEventLog() {
  return { events: [], order: [] };
}

function appendEvent(log, event) {
  event.eventId = log.events.length + 1;
  const stored = structuredClone(event);
  const order = log.order.includes(event.sessionId) ? log.order : [...log.order, event.sessionId];
  return { events: [...log.events, stored], order };
}

function getEventsForSession(log, sessionId) {
  const events = log.events.filter((event) => event.sessionId === sessionId);
  return structuredClone(events);
}

function listSessions(log) {
  return [...log.order];
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

function replaySession(log, sessionId) {
  return getEventsForSession(log, sessionId)
    .filter((event) => toMessage.has(event.type))
    .map((event) => toMessage.get(event.type)(event.payload));
}

export { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
