// killed-by: isolation calls: 3 — letters that a file name cannot have become _ , so ids collide
function createEventLog() {
  return { lastId: 0, sessions: new Map() };
}

function appendEvent(log, event) {
  const eventId = log.lastId + 1;
  const sessions = new Map(log.sessions);
  const name = fileName(event.sessionId);
  const earlier = sessions.get(name) ?? [];
  sessions.set(name, [...earlier, { eventId, ...structuredClone(event) }]);
  return { lastId: eventId, sessions };
}

const fileName = (sessionId) => sessionId.replace(/[^A-Za-z0-9-]/g, "_");

function getEventsForSession(log, sessionId) {
  return structuredClone(log.sessions.get(fileName(sessionId)) ?? []);
}

function listSessions(log) {
  return [
    ...new Set(
      [...log.sessions.values()]
        .flat()
        .sort((a, b) => a.eventId - b.eventId)
        .map((event) => event.sessionId),
    ),
  ];
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
