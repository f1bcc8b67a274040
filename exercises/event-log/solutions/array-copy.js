// solution: an array that is copied for every append — mastery: hostile-names
export function createEventLog() {
  return [];
}

export function appendEvent(log, event) {
  const { sessionId, type, payload } = event;
  return [...log, { eventId: log.length + 1, sessionId, type, payload }];
}

export function getEventsForSession(log, sessionId) {
  return log.filter((event) => event.sessionId === sessionId);
}

export function listSessions(log) {
  return [...new Set(log.map((event) => event.sessionId))];
}

export function replaySession(log, sessionId) {
  const messages = [];
  for (const { type, payload } of getEventsForSession(log, sessionId)) {
    if (type === "user_message") {
      messages.push({ role: "user", content: payload.content });
    } else if (type === "assistant_message") {
      messages.push({ role: "assistant", content: payload.content });
    } else if (type === "tool_call") {
      const call = { toolCallId: payload.callId, name: payload.name, arguments: payload.arguments };
      messages.push({ role: "assistant", content: null, toolCalls: [call] });
    } else if (type === "tool_result") {
      messages.push({ role: "tool", toolCallId: payload.callId, content: payload.content });
    }
  }
  return messages;
}
