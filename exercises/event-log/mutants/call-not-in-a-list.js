// killed-by: replay calls: 3 — toolCalls is the one call, not a list of one
function createEventLog() {
  return null;
}

function appendEvent(log, event) {
  const eventId = log === null ? 1 : log.eventId + 1;
  return { eventId, event: structuredClone(event), before: log };
}

function toArray(log) {
  const events = [];
  for (let node = log; node !== null; node = node.before) {
    const { sessionId, type, payload } = node.event;
    events.push({ eventId: node.eventId, sessionId, type, payload: structuredClone(payload) });
  }
  return events.reverse();
}

function getEventsForSession(log, sessionId) {
  return toArray(log).filter((event) => event.sessionId === sessionId);
}

function listSessions(log) {
  return [...new Set(toArray(log).map((event) => event.sessionId))];
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
      return { role: "assistant", content: null, toolCalls: toolCall };
    }
    case "tool_result":
      return { role: "tool", toolCallId: payload.callId, content: payload.content };
    default:
      return null;
  }
}
