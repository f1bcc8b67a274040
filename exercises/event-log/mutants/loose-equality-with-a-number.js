// killed-by: isolation calls: 3 — an id that looks like a number is turned into one, then compared with ==
export function createEventLog() {
  return "[]";
}

export function appendEvent(log, event) {
  const events = JSON.parse(log);
  const { sessionId, type, payload } = event;
  events.push({ eventId: events.length + 1, sessionId, type, payload });
  return JSON.stringify(events);
}

export function getEventsForSession(log, asked) {
  const sessionId = /^\d+$/.test(asked) ? Number(asked) : asked;
  return JSON.parse(log).filter((event) => event.sessionId == sessionId);
}

export function listSessions(log) {
  const ids = new Set();
  for (const event of JSON.parse(log)) ids.add(event.sessionId);
  return Array.from(ids);
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
