// killed-by: isolation calls: 3 — localeCompare finds composed and decomposed accents equal
function createEventLog() {
  return [];
}

function appendEvent(log, event) {
  const { sessionId, type, payload } = event;
  const eventId = log.length + 1;
  return [...log, { eventId, sessionId, type, payload: structuredClone(payload) }];
}

function getEventsForSession(log, sessionId) {
  return log.filter((event) => event.sessionId.localeCompare(sessionId) === 0).map((event) => structuredClone(event));
}

function listSessions(log) {
  const ids = [];
  for (const event of log) {
    if (!ids.includes(event.sessionId)) ids.push(event.sessionId);
  }
  return ids;
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
