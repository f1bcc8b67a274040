// killed-by: purity calls: 5 — events are shifted out of the log while they are read
function createEventLog() {
  return { lastId: 0, queue: [] };
}

function appendEvent(log, event) {
  const eventId = log.lastId + 1;
  return { lastId: eventId, queue: [...log.queue, { eventId, ...structuredClone(event) }] };
}

function getEventsForSession(log, sessionId) {
  const events = [];
  while (log.queue.length > 0) {
    const event = log.queue.shift();
    if (event.sessionId === sessionId) events.push(event);
  }
  return events;
}

function listSessions(log) {
  return [...new Set(log.queue.map((event) => event.sessionId))];
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
