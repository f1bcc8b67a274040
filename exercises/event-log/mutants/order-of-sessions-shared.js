// killed-by: immutability calls: 4 — the list of sessions is shared by all versions
function createEventLog() {
  return { events: [], order: [] };
}

function appendEvent(log, event) {
  const stored = { eventId: log.events.length + 1, ...structuredClone(event) };
  const { order } = log;
  if (!order.includes(event.sessionId)) order.push(event.sessionId);
  return { events: [...log.events, stored], order };
}

function getEventsForSession(log, sessionId) {
  const events = log.events.filter((event) => event.sessionId === sessionId);
  return structuredClone(events);
}

function listSessions(log) {
  return [...log.order];
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
