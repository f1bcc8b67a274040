// killed-by: purity calls: 6 — the id is the clock, or one more than the last id where the clock has not moved
function createEventLog() {
  return { events: [], order: [] };
}

function appendEvent(log, event) {
  const last = log.events.at(-1)?.eventId ?? 0;
  const stored = { eventId: Math.max(last + 1, Date.now()), ...structuredClone(event) };
  const order = log.order.includes(event.sessionId) ? log.order : [...log.order, event.sessionId];
  return { events: [...log.events, stored], order };
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
