// killed-by: purity calls: 4 — every event tells in an extra key how often it was read
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
  const events = log.sessions.get(sessionId) ?? [];
  for (const event of events) event.reads = (event.reads ?? 0) + 1;
  return structuredClone(events);
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

export default { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
