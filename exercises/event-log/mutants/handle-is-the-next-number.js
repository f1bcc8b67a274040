// killed-by: independence calls: 5 — a log is a number, the longer log is the number plus one, so forks get the same number
const logs = [];

export function createEventLog() {
  logs[0] = [];
  return 0;
}

export function appendEvent(log, event) {
  logs[log + 1] = [...logs[log], { eventId: log + 1, ...structuredClone(event) }];
  return log + 1;
}

export function getEventsForSession(log, sessionId) {
  return logs[log].filter((event) => event.sessionId === sessionId).map((event) => structuredClone(event));
}

export function listSessions(log) {
  return logs[log].map((event) => event.sessionId).filter((id, at, ids) => ids.indexOf(id) === at);
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
