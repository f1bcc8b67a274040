// killed-by: immutability calls: 5 — the Map is copied, the arrays in it are not
export function createEventLog() {
  return { lastId: 0, sessions: new Map() };
}

export function appendEvent(log, event) {
  const eventId = log.lastId + 1;
  const sessions = new Map(log.sessions);
  if (!sessions.has(event.sessionId)) sessions.set(event.sessionId, []);
  sessions.get(event.sessionId).push({ eventId, ...structuredClone(event) });
  return { lastId: eventId, sessions };
}

export function getEventsForSession(log, sessionId) {
  return structuredClone(log.sessions.get(sessionId) ?? []);
}

export function listSessions(log) {
  return [...log.sessions.keys()];
}

export function replaySession(log, sessionId) {
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
  return messages;
}
