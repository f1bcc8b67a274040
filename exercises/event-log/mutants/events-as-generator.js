// killed-by: contract calls: 2 — getEventsForSession is a generator
function createEventLog() {
  return [];
}

function appendEvent(log, { sessionId, type, payload }) {
  return [...log, { eventId: log.length + 1, sessionId, type, payload: structuredClone(payload) }];
}

function* getEventsForSession(log, sessionId) {
  for (const event of log) {
    if (event.sessionId === sessionId) yield structuredClone(event);
  }
}

function listSessions(log) {
  return [...new Set(log.map((event) => event.sessionId))];
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
