// killed-by: replay calls: 3 — tool results are not for the model, so they are left out
export function createEventLog() {
  return () => [];
}

export function appendEvent(log, event) {
  const text = JSON.stringify(event);
  const rows = [...log(), text];
  return () => rows;
}

function read(log) {
  return log().map((text, position) => {
    const { sessionId, type, payload } = JSON.parse(text);
    return { eventId: position + 1, sessionId, type, payload };
  });
}

export function getEventsForSession(log, sessionId) {
  return read(log).filter((event) => event.sessionId === sessionId);
}

export function listSessions(log) {
  const seen = read(log).map((event) => event.sessionId);
  return seen.filter((id, at) => seen.indexOf(id) === at);
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
    }
  }
  return messages;
}
