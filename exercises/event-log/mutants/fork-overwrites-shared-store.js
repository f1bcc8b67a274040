// killed-by: immutability calls: 5 — a fork writes into the shared array at its own length, over what the other branch put there
export function createEventLog() {
  return { store: [], length: 0 };
}

export function appendEvent(log, event) {
  const { store } = log;
  store[log.length] = { eventId: log.length + 1, ...structuredClone(event) };
  return { store, length: log.length + 1 };
}

function visible(log) {
  return log.store.slice(0, log.length);
}

export function getEventsForSession(log, sessionId) {
  return visible(log)
    .filter((event) => event.sessionId === sessionId)
    .map((event) => structuredClone(event));
}

export function listSessions(log) {
  return [...new Set(visible(log).map((event) => event.sessionId))];
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
