// killed-by: sessions calls: 4 — the first session has index 0, which reads as "not there"
function createEventLog() {
  return { events: [], order: [], index: new Map() };
}

function appendEvent(log, event) {
  const events = [...log.events, { eventId: log.events.length + 1, ...structuredClone(event) }];
  if (log.index.get(event.sessionId)) return { ...log, events };
  const index = new Map(log.index).set(event.sessionId, log.order.length);
  return { events, order: [...log.order, event.sessionId], index };
}

function getEventsForSession(log, sessionId) {
  return log.events.filter((event) => event.sessionId === sessionId).map((event) => structuredClone(event));
}

function listSessions(log) {
  return [...log.order];
}

function replaySession(log, sessionId) {
  const messages = [];
  for (const { type, payload } of getEventsForSession(log, sessionId)) {
    switch (type) {
      case "user_message":
        messages.push({ role: "user", content: payload.content });
        break;
      case "assistant_message":
        messages.push({ role: "assistant", content: payload.content });
        break;
      case "tool_call":
        messages.push({
          role: "assistant",
          content: null,
          toolCalls: [{ toolCallId: payload.callId, name: payload.name, arguments: payload.arguments }],
        });
        break;
      case "tool_result":
        messages.push({ role: "tool", toolCallId: payload.callId, content: payload.content });
        break;
    }
  }
  return messages;
}

export { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
