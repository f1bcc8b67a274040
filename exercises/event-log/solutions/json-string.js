// solution: the whole log is one JSON text — mastery: tamper-proof, hostile-names
export function createEventLog() {
  return "[]";
}

export function appendEvent(log, { sessionId, type, payload }) {
  const events = JSON.parse(log);
  events.push({ eventId: events.length + 1, sessionId, type, payload });
  return JSON.stringify(events);
}

export function getEventsForSession(log, sessionId) {
  return JSON.parse(log).filter((event) => event.sessionId === sessionId);
}

export function listSessions(log) {
  return [...new Set(JSON.parse(log).map((event) => event.sessionId))];
}

export function replaySession(log, sessionId) {
  return getEventsForSession(log, sessionId).flatMap(({ type, payload }) => {
    const { callId: toolCallId, content } = payload;
    if (type === "user_message") return [{ role: "user", content }];
    if (type === "assistant_message") return [{ role: "assistant", content }];
    if (type === "tool_result") return [{ role: "tool", toolCallId, content }];
    if (type === "tool_call") {
      return [
        {
          role: "assistant",
          content: null,
          toolCalls: [{ toolCallId, name: payload.name, arguments: payload.arguments }],
        },
      ];
    }
    return [];
  });
}
