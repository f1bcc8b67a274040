// killed-by: append calls: 3 — event and payload are one flat record, so payload keys like type are lost
function createEventLog() {
  return [];
}

function appendEvent(log, { sessionId, type, payload }) {
  return log.concat({ ...structuredClone(payload), eventId: log.length + 1, sessionId, type });
}

function getEventsForSession(log, wanted) {
  const events = [];
  for (const { eventId, sessionId, type, ...payload } of log) {
    if (sessionId === wanted) events.push({ eventId, sessionId, type, payload: structuredClone(payload) });
  }
  return events;
}

function listSessions(log) {
  return [...new Set(log.map((record) => record.sessionId))];
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

export default { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
