// killed-by: hostile-names calls: 3 — `in` also finds what every object inherits
function createEventLog() {
  return [];
}

function appendEvent(log, event) {
  const { sessionId, type, payload } = event;
  const eventId = log.length + 1;
  return [...log, { eventId, sessionId, type, payload: structuredClone(payload) }];
}

function getEventsForSession(log, sessionId) {
  return log.filter((event) => event.sessionId === sessionId).map((event) => structuredClone(event));
}

function listSessions(log) {
  const ids = [];
  const seen = {};
  for (const { sessionId } of log) {
    if (sessionId in seen) continue;
    seen[sessionId] = true;
    ids.push(sessionId);
  }
  return ids;
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

export { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
