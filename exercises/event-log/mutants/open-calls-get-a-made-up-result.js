// killed-by: replay calls: 3 — a call without a result is closed with an invented one at the end
function createEventLog() {
  return { lastId: 0, sessions: new Map() };
}

function appendEvent(log, event) {
  const eventId = log.lastId + 1;
  const sessions = new Map(log.sessions);
  const earlier = sessions.get(event.sessionId) ?? [];
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
  for (const event of getEventsForSession(log, sessionId)) {
    const { content, callId, name } = event.payload;
    if (event.type === "user_message") {
      messages.push({ role: "user", content });
    } else if (event.type === "assistant_message") {
      messages.push({ role: "assistant", content });
    } else if (event.type === "tool_call") {
      const call = { toolCallId: callId, name, arguments: event.payload.arguments };
      messages.push({ role: "assistant", content: null, toolCalls: [call] });
    } else if (event.type === "tool_result") {
      messages.push({ role: "tool", toolCallId: callId, content });
    }
  }
  const answered = new Set(messages.map((message) => message.toolCallId));
  for (const message of [...messages]) {
    for (const { toolCallId } of message.toolCalls ?? []) {
      if (!answered.has(toolCallId)) messages.push({ role: "tool", toolCallId, content: "interrupted" });
    }
  }
  return messages;
}
