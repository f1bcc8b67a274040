// killed-by: purity calls: 6 — ids go up by a random step
export function createEventLog() {
  return "[]";
}

export function appendEvent(log, event) {
  const events = JSON.parse(log);
  const { sessionId, type, payload } = event;
  events.push({
    eventId: (events.at(-1)?.eventId ?? 0) + 1 + Math.floor(Math.random() * 1000),
    sessionId,
    type,
    payload,
  });
  return JSON.stringify(events);
}

export function getEventsForSession(log, sessionId) {
  return JSON.parse(log).filter((event) => event.sessionId === sessionId);
}

export function listSessions(log) {
  const ids = new Set();
  for (const event of JSON.parse(log)) ids.add(event.sessionId);
  return Array.from(ids);
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
      messages.push({ role: "tool", toolCallId: callId, content });
    }
  }
  return messages;
}
