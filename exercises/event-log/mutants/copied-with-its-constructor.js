// killed-by: hostile-names calls: 3 — a deep copy that starts with new value.constructor()
function createEventLog() {
  return { store: [], length: 0 };
}

function appendEvent(log, event) {
  const inLine = log.store.length === log.length;
  const store = inLine ? log.store : log.store.slice(0, log.length);
  store.push({ eventId: log.length + 1, ...copyOf(event) });
  return { store, length: log.length + 1 };
}

function copyOf(value) {
  if (value === null || typeof value !== "object") return value;
  const copy = new value.constructor();
  for (const key of Object.keys(value)) {
    Object.defineProperty(copy, key, {
      value: copyOf(value[key]),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}

function visible(log) {
  return log.store.slice(0, log.length);
}

function getEventsForSession(log, sessionId) {
  return visible(log)
    .filter((event) => event.sessionId === sessionId)
    .map((event) => structuredClone(event));
}

function listSessions(log) {
  return [...new Set(visible(log).map((event) => event.sessionId))];
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
