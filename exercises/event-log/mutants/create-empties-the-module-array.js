// killed-by: independence calls: 5 — createEventLog empties the array that all logs live in
let events = [];

export function createEventLog() {
  events = [];
  return 0;
}

export function appendEvent(log, event) {
  events = events.slice(0, log);
  events.push({ eventId: log + 1, ...structuredClone(event) });
  return log + 1;
}

export function getEventsForSession(log, sessionId) {
  return events
    .slice(0, log)
    .filter((event) => event.sessionId === sessionId)
    .map((event) => structuredClone(event));
}

export function listSessions(log) {
  return [...new Set(events.slice(0, log).map((event) => event.sessionId))];
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
