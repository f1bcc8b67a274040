// killed-by: append calls: 3 — a message with empty content is not worth an event
function createEventLog() {
  return { events: [], order: [] };
}

function appendEvent(log, event) {
  if (event.payload.content === "") return log;
  const stored = { eventId: log.events.length + 1, ...structuredClone(event) };
  const order = log.order.includes(event.sessionId) ? log.order : [...log.order, event.sessionId];
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

export default { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
