// killed-by: isolation calls: 3 — sessions are hashed by their length, and the bucket is taken for the session
export function createEventLog() {
  return { lastId: 0, sessions: new Map() };
}

export function appendEvent(log, event) {
  const eventId = log.lastId + 1;
  const sessions = new Map(log.sessions);
  const earlier = sessions.get(event.sessionId.length) ?? [];
  sessions.set(event.sessionId.length, [...earlier, { eventId, ...structuredClone(event) }]);
  return { lastId: eventId, sessions };
}

export function getEventsForSession(log, sessionId) {
  return structuredClone(log.sessions.get(sessionId.length) ?? []);
}

export function listSessions(log) {
  return [
    ...new Set(
      [...log.sessions.values()]
        .flat()
        .sort((a, b) => a.eventId - b.eventId)
        .map((event) => event.sessionId),
    ),
  ];
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
