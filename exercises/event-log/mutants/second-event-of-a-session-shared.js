// killed-by: immutability calls: 5 — a session's array is new for its first event only
export function createEventLog() {
  return { lastId: 0, entries: [] };
}

export function appendEvent(log, event) {
  const eventId = log.lastId + 1;
  const stored = { eventId, ...structuredClone(event) };
  const known = log.entries.find((entry) => entry.sessionId === event.sessionId);
  if (known === undefined) {
    return { lastId: eventId, entries: [...log.entries, { sessionId: event.sessionId, events: [stored] }] };
  }
  known.events.push(stored);
  return { lastId: eventId, entries: [...log.entries] };
}

export function getEventsForSession(log, sessionId) {
  const entry = log.entries.find((each) => each.sessionId === sessionId);
  return entry === undefined ? [] : structuredClone(entry.events);
}

export function listSessions(log) {
  return log.entries.map((entry) => entry.sessionId);
}

export function replaySession(log, sessionId) {
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
