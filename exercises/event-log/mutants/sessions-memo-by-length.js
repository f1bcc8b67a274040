// killed-by: independence calls: 6 — the list of sessions is remembered by the log's length
export function createEventLog() {
  return { store: [], length: 0 };
}

export function appendEvent(log, event) {
  const inLine = log.store.length === log.length;
  const store = inLine ? log.store : log.store.slice(0, log.length);
  store.push({ eventId: log.length + 1, ...structuredClone(event) });
  return { store, length: log.length + 1 };
}

const lists = [];

function visible(log) {
  return log.store.slice(0, log.length);
}

export function getEventsForSession(log, sessionId) {
  return visible(log)
    .filter((event) => event.sessionId === sessionId)
    .map((event) => structuredClone(event));
}

export function listSessions(log) {
  if (lists[log.length] === undefined) {
    lists[log.length] = [...new Set(visible(log).map((event) => event.sessionId))];
  }
  return [...lists[log.length]];
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
