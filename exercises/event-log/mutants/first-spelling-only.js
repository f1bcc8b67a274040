// killed-by: sessions calls: 4 — an id that differs from an earlier one by case only is left out
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
    if (!ids.some((id) => id.toLowerCase() === event.sessionId.toLowerCase())) ids.push(event.sessionId);
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

export default { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
