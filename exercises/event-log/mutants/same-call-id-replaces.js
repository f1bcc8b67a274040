// killed-by: append calls: 4 — an event with a call id that is already there takes the place of the old one
export function createEventLog() {
  return { events: [], order: [] };
}

export function appendEvent(log, event) {
  const stored = { eventId: (log.events.at(-1)?.eventId ?? 0) + 1, ...structuredClone(event) };
  const order = log.order.includes(event.sessionId) ? log.order : [...log.order, event.sessionId];
  const { callId } = event.payload;
  const kept = log.events.filter(
    (old) =>
      callId === undefined ||
      old.sessionId !== event.sessionId ||
      old.type !== event.type ||
      old.payload.callId !== callId,
  );
  return { events: [...kept, stored], order };
}

export function getEventsForSession(log, sessionId) {
  const events = log.events.filter((event) => event.sessionId === sessionId);
  return structuredClone(events);
}

export function listSessions(log) {
  return [...log.order];
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
