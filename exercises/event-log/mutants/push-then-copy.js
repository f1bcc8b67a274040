// killed-by: immutability calls: 4 — push first, copy afterwards: the older log has the event too
function createEventLog() {
  return { events: [], order: [] };
}

function appendEvent(log, event) {
  const stored = { eventId: log.events.length + 1, ...structuredClone(event) };
  const order = log.order.includes(event.sessionId) ? log.order : [...log.order, event.sessionId];
  log.events.push(stored);
  return { events: log.events.slice(), order };
}

function getEventsForSession(log, sessionId) {
  const events = log.events.filter((event) => event.sessionId === sessionId);
  return structuredClone(events);
}

function listSessions(log) {
  return [...log.order];
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
