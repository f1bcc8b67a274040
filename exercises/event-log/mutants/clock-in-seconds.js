// killed-by: monotonic-ids calls: 4 — the id is the time in seconds
export function createEventLog() {
  return null;
}

export function appendEvent(log, event) {
  const eventId = Math.floor(Date.now() / 1000);
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

export function getEventsForSession(log, sessionId) {
  return toArray(log).filter((event) => event.sessionId === sessionId);
}

export function listSessions(log) {
  return [...new Set(toArray(log).map((event) => event.sessionId))];
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
