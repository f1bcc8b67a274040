// killed-by: sessions calls: 13 — pairs of first id and session are sorted with sort(), so 10 comes before 2
export function createEventLog() {
  return { store: [], length: 0 };
}

export function appendEvent(log, event) {
  const inLine = log.store.length === log.length;
  const store = inLine ? log.store : log.store.slice(0, log.length);
  store.push({ eventId: log.length + 1, ...structuredClone(event) });
  return { store, length: log.length + 1 };
}

function visible(log) {
  return log.store.slice(0, log.length);
}

export function getEventsForSession(log, sessionId) {
  return visible(log)
    .filter((event) => event.sessionId === sessionId)
    .map((event) => structuredClone(event));
}

export function listSessions(log) {
  const firsts = new Map();
  for (const { eventId, sessionId } of visible(log)) {
    if (!firsts.has(sessionId)) firsts.set(sessionId, eventId);
  }
  return [...firsts]
    .map(([sessionId, eventId]) => [eventId, sessionId])
    .sort()
    .map(([, sessionId]) => sessionId);
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
