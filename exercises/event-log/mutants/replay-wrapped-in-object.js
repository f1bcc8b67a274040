// killed-by: contract calls: 2 — the messages come inside { messages }, like a request body
function createEventLog() {
  return { store: [], length: 0 };
}

function appendEvent(log, event) {
  const inLine = log.store.length === log.length;
  const store = inLine ? log.store : log.store.slice(0, log.length);
  store.push({ eventId: log.length + 1, ...structuredClone(event) });
  return { store, length: log.length + 1 };
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
  for (const event of getEventsForSession(log, sessionId)) {
    const { content, callId, name } = event.payload;
    if (event.type === "user_message") {
      messages.push({ role: "user", content });
    } else if (event.type === "assistant_message") {
      messages.push({ role: "assistant", content });
    } else if (event.type === "tool_call") {
      const call = { toolCallId: callId, name, arguments: event.payload.arguments };
      messages.push({ role: "assistant", content: null, toolCalls: [call] });
    } else if (event.type === "tool_result") {
      messages.push({ role: "tool", toolCallId: callId, content });
    }
  }
  return { messages };
}
