// killed-by: replay calls: 3 — the tool's name is lost
export function createEventLog() {
  return { sessionIds: [], types: [], payloads: [] };
}

export function appendEvent(log, event) {
  return {
    sessionIds: log.sessionIds.concat([event.sessionId]),
    types: log.types.concat([event.type]),
    payloads: log.payloads.concat([JSON.stringify(event.payload)]),
  };
}

export function getEventsForSession(log, sessionId) {
  const events = [];
  for (let row = 0; row < log.sessionIds.length; row += 1) {
    if (log.sessionIds[row] !== sessionId) continue;
    events.push({ eventId: row + 1, sessionId, type: log.types[row], payload: JSON.parse(log.payloads[row]) });
  }
  return events;
}

export function listSessions(log) {
  return log.sessionIds.filter((id, row) => log.sessionIds.indexOf(id) === row);
}

const toMessage = new Map([
  ["user_message", (payload) => ({ role: "user", content: payload.content })],
  ["assistant_message", (payload) => ({ role: "assistant", content: payload.content })],
  [
    "tool_call",
    ({ callId, arguments: text }) => ({
      role: "assistant",
      content: null,
      toolCalls: [{ toolCallId: callId, arguments: text }],
    }),
  ],
  ["tool_result", ({ callId, content }) => ({ role: "tool", toolCallId: callId, content })],
]);

export function replaySession(log, sessionId) {
  return getEventsForSession(log, sessionId)
    .filter((event) => toMessage.has(event.type))
    .map((event) => toMessage.get(event.type)(event.payload));
}
