// killed-by: independence calls: 5 — all logs append to one array of the module, a log is a length of it
const all = [];

export function createEventLog() {
  return { from: all.length, to: all.length };
}

export function appendEvent(log, event) {
  all.push({ eventId: all.length + 1, ...structuredClone(event) });
  return { from: log.from, to: all.length };
}

const part = (log) => all.slice(log.from, log.to);

export function getEventsForSession(log, sessionId) {
  return structuredClone(part(log).filter((event) => event.sessionId === sessionId));
}

export function listSessions(log) {
  return [...new Set(part(log).map((event) => event.sessionId))];
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
