// killed-by: sessions calls: 3 — a session without a message is not listed
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
  const ids = new Set(toArray(log).map((event) => event.sessionId));
  return [...ids].filter((id) => replaySession(log, id).length > 0);
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

module.exports = { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
