// killed-by: sessions calls: 4 — sessions are grouped into an object first, which reorders ids like integers
export function createEventLog() {
  return "[]";
}

export function appendEvent(log, event) {
  const events = JSON.parse(log);
  const { sessionId, type, payload } = event;
  events.push({ eventId: events.length + 1, sessionId, type, payload });
  return JSON.stringify(events);
}

export function getEventsForSession(log, sessionId) {
  return JSON.parse(log).filter((event) => event.sessionId === sessionId);
}

export function listSessions(log) {
  const groups = JSON.parse(log).reduce(
    (found, event) => Object.assign(Object.create(null), found, { [event.sessionId]: event }),
    Object.create(null),
  );
  return Object.keys(groups);
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
      return null;
  }
}
