// killed-by: sessions calls: 5 — an id is left out only when the one before it is the same
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
  return seen.filter((id, at) => seen[at - 1] !== id);
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
