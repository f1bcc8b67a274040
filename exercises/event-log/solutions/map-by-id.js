// solution: a Map from event id to event — mastery: tamper-proof, hostile-names
export function createEventLog() {
  return new Map();
}

export function appendEvent(log, { sessionId, type, payload }) {
  const eventId = log.size === 0 ? 1000 : Math.max(...log.keys()) + 1;
  return new Map([...log, [eventId, { sessionId, type, payload: structuredClone(payload) }]]);
}

export function getEventsForSession(log, sessionId) {
  const events = [];
  log.forEach((event, eventId) => {
    if (event.sessionId === sessionId) events.push(structuredClone({ eventId, ...event }));
  });
  return events;
}

export function listSessions(log) {
  const ids = new Set();
  for (const event of log.values()) ids.add(event.sessionId);
  return [...ids];
}

export function replaySession(log, sessionId) {
  const messages = [];
  for (const { type, payload } of getEventsForSession(log, sessionId)) {
    const { content, callId, name, arguments: json } = payload;
    const message =
      (type === "user_message" && { role: "user", content }) ||
      (type === "assistant_message" && { role: "assistant", content }) ||
      (type === "tool_result" && { role: "tool", toolCallId: callId, content }) ||
      (type === "tool_call" && {
        role: "assistant",
        content: null,
        toolCalls: [{ toolCallId: callId, name, arguments: json }],
      });
    if (message) messages.push(message);
  }
  return messages;
}
