// killed-by: purity calls: 4 — a session's events are handed out once, a cursor remembers how far
export function createEventLog() {
  return { events: [], read: new Map() };
}

export function appendEvent(log, event) {
  return {
    events: [...log.events, { eventId: log.events.length + 1, ...structuredClone(event) }],
    read: new Map(log.read),
  };
}

export function getEventsForSession(log, sessionId) {
  const seen = log.read.get(sessionId) ?? 0;
  const fresh = log.events.filter((event) => event.sessionId === sessionId && event.eventId > seen);
  if (fresh.length > 0) log.read.set(sessionId, fresh.at(-1).eventId);
  return structuredClone(fresh);
}

export function listSessions(log) {
  return log.events.map((event) => event.sessionId).filter((id, at, ids) => ids.indexOf(id) === at);
}

const toMessage = new Map([
  ["user_message", (payload) => ({ role: "user", content: payload.content })],
  ["assistant_message", (payload) => ({ role: "assistant", content: payload.content })],
  [
    "tool_call",
    ({ callId, name, arguments: text }) => ({
      role: "assistant",
      content: null,
      toolCalls: [{ toolCallId: callId, name, arguments: text }],
    }),
  ],
  ["tool_result", ({ callId, content }) => ({ role: "tool", toolCallId: callId, content })],
]);

export function replaySession(log, sessionId) {
  return getEventsForSession(log, sessionId)
    .filter((event) => toMessage.has(event.type))
    .map((event) => toMessage.get(event.type)(event.payload));
}
