// killed-by: replay calls: 4 — a result is put into the call it answers, and has no message of its own
export function createEventLog() {
  return { store: [], length: 0 };
}

export function appendEvent(log, event) {
  const inLine = log.store.length === log.length;
  const store = inLine ? log.store : log.store.slice(0, log.length);
  store.push({ eventId: log.length + 1, ...structuredClone(event) });
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
      const call = messages.flatMap((message) => message.toolCalls ?? []).find((each) => each.toolCallId === callId);
      if (call) call.result = content;
      else messages.push({ role: "tool", toolCallId: callId, content });
    }
  }
  return messages;
}
