// killed-by: isolation calls: 3 — events are filed under session:type and found by the beginning of that key
export function createEventLog() {
  return [];
}

export function appendEvent(log, { sessionId, type, payload }) {
  return [
    ...log,
    {
      key: sessionId + ":" + type,
      event: { eventId: log.length + 1, sessionId, type, payload: structuredClone(payload) },
    },
  ];
}

export function getEventsForSession(log, sessionId) {
  return log.filter(({ key }) => key.startsWith(sessionId + ":")).map(({ event }) => structuredClone(event));
}

export function listSessions(log) {
  return [...new Set(log.map(({ event }) => event.sessionId))];
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
