// killed-by: monotonic-ids calls: 7 — the newest event is looked for in the session that was opened last
function createEventLog() {
  return { lastId: 0, sessions: new Map() };
}

function appendEvent(log, event) {
  const eventId = ([...log.sessions.values()].at(-1)?.at(-1).eventId ?? 0) + 1;
  const sessions = new Map(log.sessions);
  const earlier = sessions.get(event.sessionId) ?? [];
  sessions.set(event.sessionId, [...earlier, { eventId, ...structuredClone(event) }]);
  return { lastId: eventId, sessions };
}

function getEventsForSession(log, sessionId) {
  return structuredClone(log.sessions.get(sessionId) ?? []);
}

function listSessions(log) {
  return [...log.sessions.keys()];
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
