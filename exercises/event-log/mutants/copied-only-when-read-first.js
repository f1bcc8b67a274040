// killed-by: tamper-proof calls: 6 — the copy is made when an event is first read, not when it is appended
export function createEventLog() {
  return null;
}

export function appendEvent(log, event) {
  const eventId = log === null ? 1 : log.eventId + 1;
  return { eventId, event, text: null, before: log };
}

function toArray(log) {
  const events = [];
  for (let node = log; node !== null; node = node.before) {
    node.text ??= JSON.stringify(node.event);
    events.push({ ...JSON.parse(node.text), eventId: node.eventId });
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
