// killed-by: monotonic-ids calls: 5 — every session counts its events from one
function createEventLog() {
  return { lastId: 0, sessions: new Map() };
}

function appendEvent(log, event) {
  const sessions = new Map(log.sessions);
  const earlier = sessions.get(event.sessionId) ?? [];
  const eventId = earlier.length + 1;
  sessions.set(event.sessionId, [...earlier, { eventId, ...structuredClone(event) }]);
  return { lastId: eventId, sessions };
}

function getEventsForSession(log, sessionId) {
  return structuredClone(log.sessions.get(sessionId) ?? []);
}

function listSessions(log) {
  return [...log.sessions.keys()];
}

function replaySession(log, sessionId) {
  const messages = [];
  for (const { type, payload } of getEventsForSession(log, sessionId)) {
    switch (type) {
      case "user_message":
        messages.push({ role: "user", content: payload.content });
        break;
      case "assistant_message":
        messages.push({ role: "assistant", content: payload.content });
        break;
      case "tool_call":
        messages.push({
          role: "assistant",
          content: null,
          toolCalls: [{ toolCallId: payload.callId, name: payload.name, arguments: payload.arguments }],
        });
        break;
      case "tool_result":
        messages.push({ role: "tool", toolCallId: payload.callId, content: payload.content });
        break;
    }
  }
  return messages;
}

export { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
