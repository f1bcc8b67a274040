// solution: ids that leave gaps, made from the position at reading time — mastery: hostile-names
export function createEventLog() {
  return [];
}

export function appendEvent(log, event) {
  return log.concat([[event.sessionId, event.type, event.payload]]);
}

export function getEventsForSession(log, wanted) {
  return log
    .map(([sessionId, type, payload], position) => ({ eventId: position * 7 + 3, sessionId, type, payload }))
    .filter(({ sessionId }) => sessionId === wanted);
}

export function listSessions(log) {
  const firsts = new Map();
  log.forEach(([sessionId], position) => {
    if (!firsts.has(sessionId)) firsts.set(sessionId, position);
  });
  return [...firsts.keys()];
}

export function replaySession(log, sessionId) {
  const roles = new Map([
    ["user_message", "user"],
    ["assistant_message", "assistant"],
  ]);
  return getEventsForSession(log, sessionId).flatMap(({ type, payload }) => {
    if (roles.has(type)) return [{ role: roles.get(type), content: payload.content }];
    if (type === "tool_result") return [{ role: "tool", toolCallId: payload.callId, content: payload.content }];
    if (type !== "tool_call") return [];
    const call = { toolCallId: payload.callId, name: payload.name, arguments: payload.arguments };
    return [{ role: "assistant", content: null, toolCalls: [call] }];
  });
}
