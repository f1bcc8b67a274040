// killed-by: monotonic-ids calls: 4 — the counter is a local variable that starts anew with every call
export function createEventLog() {
  return { store: [], length: 0 };
}

export function appendEvent(log, event) {
  let nextId = 1;
  const inLine = log.store.length === log.length;
  const store = inLine ? log.store : log.store.slice(0, log.length);
  store.push({ eventId: nextId++, ...structuredClone(event) });
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
