// killed-by: isolation calls: 3 — the id is made a regular expression, without anchors and without escapes
function createEventLog() {
  return { store: [], length: 0 };
}

function appendEvent(log, event) {
  const inLine = log.store.length === log.length;
  const store = inLine ? log.store : log.store.slice(0, log.length);
  store.push({ eventId: log.length + 1, ...structuredClone(event) });
  return { store, length: log.length + 1 };
}

function visible(log) {
  return log.store.slice(0, log.length);
}

function getEventsForSession(log, sessionId) {
  const pattern = new RegExp(sessionId);
  return visible(log)
    .filter((event) => pattern.test(event.sessionId))
    .map((event) => structuredClone(event));
}

function listSessions(log) {
  return [...new Set(visible(log).map((event) => event.sessionId))];
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
