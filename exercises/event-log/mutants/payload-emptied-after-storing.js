// killed-by: purity calls: 4 — the event handed in has its payload emptied once it is stored, to save memory
export function createEventLog() {
  return { lastId: 0, sessions: new Map() };
}

export function appendEvent(log, event) {
  const eventId = log.lastId + 1;
  const sessions = new Map(log.sessions);
  const earlier = sessions.get(event.sessionId) ?? [];
  sessions.set(event.sessionId, [...earlier, { eventId, ...structuredClone(event) }]);
  event.payload = {};
  return { lastId: eventId, sessions };
}

export function getEventsForSession(log, sessionId) {
  return structuredClone(log.sessions.get(sessionId) ?? []);
}

export function listSessions(log) {
  return [...log.sessions.keys()];
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
