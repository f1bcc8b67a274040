// killed-by: purity calls: 6 — getEventsForSession sorts the log itself by session, so the list of sessions is another one afterwards
export function createEventLog() {
  return [];
}

export function appendEvent(log, event) {
  const { sessionId, type, payload } = event;
  const eventId = Math.max(0, ...log.map((old) => old.eventId)) + 1;
  return [...log, { eventId, sessionId, type, payload: structuredClone(payload) }];
}

export function getEventsForSession(log, sessionId) {
  log.sort((a, b) => (a.sessionId < b.sessionId ? -1 : a.sessionId > b.sessionId ? 1 : 0));
  return log.filter((event) => event.sessionId === sessionId).map((event) => structuredClone(event));
}

export function listSessions(log) {
  const ids = [];
  for (const event of log) {
    if (!ids.includes(event.sessionId)) ids.push(event.sessionId);
  }
  return ids;
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
