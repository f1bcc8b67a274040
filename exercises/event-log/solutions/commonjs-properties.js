// solution: CommonJS, one exports.name after the other, calling each other through exports — mastery: hostile-names
exports.createEventLog = function () {
  return { size: 0, events: [] };
};

exports.appendEvent = function (log, event) {
  const size = log.size + 1;
  return {
    size,
    events: [...log.events, { eventId: size, sessionId: event.sessionId, type: event.type, payload: event.payload }],
  };
};

exports.getEventsForSession = function (log, sessionId) {
  const found = [];
  for (const event of log.events) {
    if (event.sessionId === sessionId) found.push(event);
  }
  return found;
};

exports.listSessions = function (log) {
  const found = [];
  for (const event of log.events) {
    if (found.indexOf(event.sessionId) < 0) found.push(event.sessionId);
  }
  return found;
};

exports.replaySession = function (log, sessionId) {
  const messages = [];
  for (const event of exports.getEventsForSession(log, sessionId)) {
    const message = messageOf(event.type, event.payload);
    if (message) messages.push(message);
  }
  return messages;
};

function messageOf(type, payload) {
  if (type === "user_message") return { role: "user", content: payload.content };
  if (type === "assistant_message") return { role: "assistant", content: payload.content };
  if (type === "tool_result") return { role: "tool", toolCallId: payload.callId, content: payload.content };
  if (type === "tool_call")
    return {
      role: "assistant",
      content: null,
      toolCalls: [{ toolCallId: payload.callId, name: payload.name, arguments: payload.arguments }],
    };
  return null;
}
