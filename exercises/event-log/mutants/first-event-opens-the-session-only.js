// killed-by: append calls: 3 — the first event of a session makes its list and is not put in
function createEventLog() {
  return { lastId: 0, sessions: new Map() };
}

function appendEvent(log, event) {
  const sessions = new Map(log.sessions);
  const eventId = log.lastId + 1;
  if (sessions.has(event.sessionId)) {
    sessions.set(event.sessionId, [...sessions.get(event.sessionId), { eventId, ...structuredClone(event) }]);
  } else {
    sessions.set(event.sessionId, []);
  }
  return { lastId: eventId, sessions };
}

function getEventsForSession(log, sessionId) {
  return structuredClone(log.sessions.get(sessionId) ?? []);
}

function listSessions(log) {
  return Array.from(log.sessions.keys());
}

function replaySession(log, sessionId) {
  return getEventsForSession(log, sessionId).flatMap(({ type, payload }) => {
    if (type === "user_message") return [{ role: "user", content: payload.content }];
    if (type === "assistant_message") return [{ role: "assistant", content: payload.content }];
    if (type === "tool_result") return [{ role: "tool", toolCallId: payload.callId, content: payload.content }];
    if (type !== "tool_call") return [];
    const call = { toolCallId: payload.callId, name: payload.name, arguments: payload.arguments };
    return [{ role: "assistant", content: null, toolCalls: [call] }];
  });
}

module.exports = { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
