// killed-by: scale calls: 2000 — events stand in an object by their ids, spread at every append
function createEventLog() {
  return { lastId: 0, byId: {} };
}

function appendEvent(log, event) {
  const eventId = log.lastId + 1;
  return { lastId: eventId, byId: { ...log.byId, [eventId]: { eventId, ...structuredClone(event) } } };
}

function getEventsForSession(log, sessionId) {
  return Object.values(log.byId)
    .filter((event) => event.sessionId === sessionId)
    .map((event) => structuredClone(event));
}

function listSessions(log) {
  return [...new Set(Object.values(log.byId).map((event) => event.sessionId))];
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
