// killed-by: replay calls: 3 — any type that ends in _message is a message with the role before it
function createEventLog() {
  return null;
}

function appendEvent(log, event) {
  const eventId = log === null ? 1 : log.eventId + 1;
  return { eventId, event: structuredClone(event), before: log };
}

function toArray(log) {
  const events = [];
  for (let node = log; node !== null; node = node.before) {
    const { sessionId, type, payload } = node.event;
    events.push({ eventId: node.eventId, sessionId, type, payload: structuredClone(payload) });
  }
  return events.reverse();
}

function getEventsForSession(log, sessionId) {
  return toArray(log).filter((event) => event.sessionId === sessionId);
}

function listSessions(log) {
  return [...new Set(toArray(log).map((event) => event.sessionId))];
}

function replaySession(log, sessionId) {
  return getEventsForSession(log, sessionId).flatMap(({ type, payload }) => {
    if (type.endsWith("_message")) return [{ role: type.replace("_message", ""), content: payload.content }];
    if (type === "tool_result") return [{ role: "tool", toolCallId: payload.callId, content: payload.content }];
    if (type !== "tool_call") return [];
    const call = { toolCallId: payload.callId, name: payload.name, arguments: payload.arguments };
    return [{ role: "assistant", content: null, toolCalls: [call] }];
  });
}

module.exports = { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
