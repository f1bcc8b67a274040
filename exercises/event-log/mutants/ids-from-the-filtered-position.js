// killed-by: monotonic-ids calls: 5 — the id is the position in the answer, not in the log
export function createEventLog() {
  return [];
}

export function appendEvent(log, event) {
  const { sessionId, type, payload } = event;
  return [...log, { sessionId, type, payload: structuredClone(payload) }];
}

export function getEventsForSession(log, sessionId) {
  return log
    .filter((event) => event.sessionId === sessionId)
    .map((event, position) => ({ eventId: position + 1, ...structuredClone(event) }));
}

export function listSessions(log) {
  const ids = [];
  for (const event of log) {
    if (!ids.includes(event.sessionId)) ids.push(event.sessionId);
  }
  return ids;
}

export function replaySession(log, sessionId) {
  return getEventsForSession(log, sessionId).flatMap(({ type, payload }) => {
    if (type === "user_message") return [{ role: "user", content: payload.content }];
    if (type === "assistant_message") return [{ role: "assistant", content: payload.content }];
    if (type === "tool_result") return [{ role: "tool", toolCallId: payload.callId, content: payload.content }];
    if (type !== "tool_call") return [];
    const call = { toolCallId: payload.callId, name: payload.name, arguments: payload.arguments };
    return [{ role: "assistant", content: null, toolCalls: [call] }];
  });
}
