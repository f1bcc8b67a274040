// solution: a Map from session to events, copied with the one array that changes — mastery: hostile-names
export function createEventLog() {
  return { lastId: 0, sessions: new Map() };
}

export function appendEvent(log, { sessionId, type, payload }) {
  const eventId = log.lastId + 1;
  const earlier = log.sessions.get(sessionId) ?? [];
  const sessions = new Map(log.sessions).set(sessionId, [...earlier, { eventId, sessionId, type, payload }]);
  return { lastId: eventId, sessions };
}

export function getEventsForSession(log, sessionId) {
  return log.sessions.get(sessionId)?.slice() ?? [];
}

export function listSessions(log) {
  return Array.from(log.sessions.keys());
}

const fold = new Map([
  ["user_message", (p) => ({ role: "user", content: p.content })],
  ["assistant_message", (p) => ({ role: "assistant", content: p.content })],
  [
    "tool_call",
    (p) => ({
      role: "assistant",
      content: null,
      toolCalls: [{ toolCallId: p.callId, name: p.name, arguments: p.arguments }],
    }),
  ],
  ["tool_result", (p) => ({ role: "tool", toolCallId: p.callId, content: p.content })],
]);

export function replaySession(log, sessionId) {
  return getEventsForSession(log, sessionId)
    .filter((event) => fold.has(event.type))
    .map((event) => fold.get(event.type)(event.payload));
}
