// killed-by: replay calls: 3 — an unknown type becomes a system message
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
  return getEventsForSession(log, sessionId).reduce((messages, { type, payload }) => {
    const message = messageFor(type, payload);
    return message === null ? messages : [...messages, message];
  }, []);
}

function messageFor(type, payload) {
  switch (type) {
    case "user_message":
      return { role: "user", content: payload.content };
    case "assistant_message":
      return { role: "assistant", content: payload.content };
    case "tool_call": {
      const toolCall = { toolCallId: payload.callId, name: payload.name, arguments: payload.arguments };
      return { role: "assistant", content: null, toolCalls: [toolCall] };
    }
    case "tool_result":
      return { role: "tool", toolCallId: payload.callId, content: payload.content };
    default:
      return { role: "system", content: type };
  }
}
