// killed-by: hostile-names calls: 3 — sessions stand in {}, where "constructor" is there already
function createEventLog() {
  return { lastId: 0, order: [], sessions: {} };
}

function appendEvent(log, event) {
  const eventId = log.lastId + 1;
  const earlier = log.sessions[event.sessionId] || [];
  const sessions = { ...log.sessions, [event.sessionId]: [...earlier, { eventId, ...structuredClone(event) }] };
  const order = log.order.includes(event.sessionId) ? log.order : [...log.order, event.sessionId];
  return { lastId: eventId, order, sessions };
}

function getEventsForSession(log, sessionId) {
  return (log.sessions[sessionId] || []).map((event) => structuredClone(event));
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
