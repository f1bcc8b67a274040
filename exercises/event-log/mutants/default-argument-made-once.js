// killed-by: independence calls: 5 — a shared object is the default of an argument
const NOTHING = { list: [], sessions: [] };

export function createEventLog(from = NOTHING) {
  return { list: [...from.list], sessions: from.sessions };
}

export function appendEvent(log, event) {
  const list = [...log.list, { eventId: log.list.length + 1, ...structuredClone(event) }];
  if (!log.sessions.includes(event.sessionId)) log.sessions.push(event.sessionId);
  return { list, sessions: log.sessions };
}

export function getEventsForSession(log, sessionId) {
  return log.list.filter((event) => event.sessionId === sessionId).map((event) => structuredClone(event));
}

export function listSessions(log) {
  return log.sessions.slice();
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
