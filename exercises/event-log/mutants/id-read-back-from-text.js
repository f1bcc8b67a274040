// killed-by: monotonic-ids calls: 14 — the id is kept as text in the row and its last digit is read back
export function createEventLog() {
  return "[]";
}

export function appendEvent(log, event) {
  const events = JSON.parse(log);
  const { sessionId, type, payload } = event;
  const last = String(events.at(-1)?.eventId ?? 0).slice(-1);
  events.push({ eventId: Number(last) + 1, sessionId, type, payload });
  return JSON.stringify(events);
}

export function getEventsForSession(log, sessionId) {
  return JSON.parse(log).filter((event) => event.sessionId === sessionId);
}

export function listSessions(log) {
  const ids = new Set();
  for (const event of JSON.parse(log)) ids.add(event.sessionId);
  return Array.from(ids);
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
