// killed-by: hostile-names calls: 3 — payload.hasOwnProperty is called, which a payload key of that name hides
export function createEventLog() {
  return { events: [], order: [] };
}

export function appendEvent(log, event) {
  const payload = {};
  for (const key in event.payload) {
    if (event.payload.hasOwnProperty(key))
      Object.defineProperty(payload, key, { value: structuredClone(event.payload[key]), enumerable: true });
  }
  const stored = { eventId: log.events.length + 1, sessionId: event.sessionId, type: event.type, payload };
  const order = log.order.includes(event.sessionId) ? log.order : [...log.order, event.sessionId];
  return { events: [...log.events, stored], order };
}

export function getEventsForSession(log, sessionId) {
  const events = log.events.filter((event) => event.sessionId === sessionId);
  return structuredClone(events);
}

export function listSessions(log) {
  return [...log.order];
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
