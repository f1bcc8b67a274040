// killed-by: isolation calls: 4 — replay looks for tool results by call id in the whole log
function createEventLog() {
  return [];
}

function appendEvent(log, event) {
  const { sessionId, type, payload } = event;
  const eventId = log.length + 1;
  return [...log, { eventId, sessionId, type, payload: structuredClone(payload) }];
}

function getEventsForSession(log, sessionId) {
  return log.filter((event) => event.sessionId === sessionId).map((event) => structuredClone(event));
}

function listSessions(log) {
  const ids = [];
  for (const event of log) {
    if (!ids.includes(event.sessionId)) ids.push(event.sessionId);
  }
  return ids;
}

function belonging(log, sessionId) {
  const calls = new Set(
    getEventsForSession(log, sessionId)
      .filter((event) => event.type === "tool_call")
      .map((event) => event.payload.callId),
  );
  return log.filter(
    (event) => event.sessionId === sessionId || (event.type === "tool_result" && calls.has(event.payload.callId)),
  );
}

function replaySession(log, sessionId) {
  const messages = [];
  for (const { type, payload } of belonging(log, sessionId)) {
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
