// killed-by: replay calls: 3 — a call is told only once its result is there
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
  for (const event of log) {
    if (!ids.includes(event.sessionId)) ids.push(event.sessionId);
  }
  return ids;
}

function replaySession(log, sessionId) {
  return getEventsForSession(log, sessionId).flatMap(({ type, payload }) => {
    if (type === "user_message") return [{ role: "user", content: payload.content }];
    if (type === "assistant_message") return [{ role: "assistant", content: payload.content }];
    if (type === "tool_result") return [{ role: "tool", toolCallId: payload.callId, content: payload.content }];
    if (type !== "tool_call") return [];
    const answered = getEventsForSession(log, sessionId).some(
      (event) => event.type === "tool_result" && event.payload.callId === payload.callId,
    );
    if (!answered) return [];
    const call = { toolCallId: payload.callId, name: payload.name, arguments: payload.arguments };
    return [{ role: "assistant", content: null, toolCalls: [call] }];
  });
}

module.exports = { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
