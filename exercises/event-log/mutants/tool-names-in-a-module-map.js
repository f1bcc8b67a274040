// killed-by: independence calls: 5 — names of tools are remembered by call id for all logs together
export function createEventLog() {
  return () => [];
}

const names = new Map();

export function appendEvent(log, event) {
  if (event.type === "tool_call") names.set(event.payload.callId, event.payload.name);
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
          toolCalls: [{ toolCallId: payload.callId, name: names.get(payload.callId), arguments: payload.arguments }],
        });
        break;
      case "tool_result":
        messages.push({ role: "tool", toolCallId: payload.callId, content: payload.content });
        break;
    }
  }
  return messages;
}
