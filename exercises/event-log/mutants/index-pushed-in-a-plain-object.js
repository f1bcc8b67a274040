// killed-by: hostile-names calls: 3 — an index of positions is built in {} with ||= []
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
  const bySession = {};
  for (const event of visible(log)) (bySession[event.sessionId] ||= []).push(event);
  return structuredClone(Object.hasOwn(bySession, sessionId) ? bySession[sessionId] : []);
}

export function listSessions(log) {
  return [...new Set(visible(log).map((event) => event.sessionId))];
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
