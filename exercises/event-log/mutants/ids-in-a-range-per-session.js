// killed-by: monotonic-ids calls: 6 — every session has a thousand ids of its own
function createEventLog() {
  return { lastId: 0, sessions: new Map() };
}

function appendEvent(log, event) {
  const sessions = new Map(log.sessions);
  if (!sessions.has(event.sessionId)) sessions.set(event.sessionId, []);
  const earlier = sessions.get(event.sessionId);
  const eventId = 1000 * [...sessions.keys()].indexOf(event.sessionId) + earlier.length + 1;
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

export default { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
