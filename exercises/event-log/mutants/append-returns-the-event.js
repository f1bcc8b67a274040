// killed-by: contract calls: 3 — appendEvent returns the event it stored, not the log
function createEventLog() {
  return { lastId: 0, sessions: new Map() };
}

function appendEvent(log, event) {
  const eventId = log.lastId + 1;
  const sessions = new Map(log.sessions);
  const earlier = sessions.get(event.sessionId) ?? [];
  const stored = { eventId, ...structuredClone(event) };
  sessions.set(event.sessionId, [...earlier, stored]);
  return stored;
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
