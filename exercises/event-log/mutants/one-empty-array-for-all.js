// killed-by: tamper-proof calls: 4 — every unknown session is answered with the same empty array
const NOTHING = [];

function createEventLog() {
  return { lastId: 0, sessions: new Map() };
}

function appendEvent(log, event) {
  const eventId = log.lastId + 1;
  const sessions = new Map(log.sessions);
  const earlier = sessions.get(event.sessionId) ?? [];
  sessions.set(event.sessionId, [...earlier, { eventId, ...structuredClone(event) }]);
  return { lastId: eventId, sessions };
}

function getEventsForSession(log, sessionId) {
  const events = log.sessions.get(sessionId);
  return events === undefined ? NOTHING : structuredClone(events);
}

function listSessions(log) {
  return [...log.sessions.keys()];
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

module.exports = { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
