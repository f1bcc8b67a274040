// killed-by: independence calls: 5 — the array stands on the prototype, so every log has the same one
function Log(length) {
  this.length = length;
}

Log.prototype.events = [];

export function createEventLog() {
  return new Log(0);
}

export function appendEvent(log, event) {
  log.events[log.length] = { eventId: log.length + 1, ...structuredClone(event) };
  return new Log(log.length + 1);
}

export function getEventsForSession(log, sessionId) {
  const mine = log.events.slice(0, log.length).filter((event) => event.sessionId === sessionId);
  return structuredClone(mine);
}

export function listSessions(log) {
  return [...new Set(log.events.slice(0, log.length).map((event) => event.sessionId))];
}

export function replaySession(log, sessionId) {
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
