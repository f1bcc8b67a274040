// killed-by: append calls: 3 — null in a payload is taken for "not there"
function createEventLog() {
  return "[]";
}

function appendEvent(log, event) {
  const events = JSON.parse(log);
  const { sessionId, type } = event;
  const payload = Object.fromEntries(Object.entries(event.payload).filter(([, value]) => value != null));
  events.push({ eventId: events.length + 1, sessionId, type, payload });
  return JSON.stringify(events);
}

function getEventsForSession(log, sessionId) {
  return JSON.parse(log).filter((event) => event.sessionId === sessionId);
}

function listSessions(log) {
  const ids = new Set();
  for (const event of JSON.parse(log)) ids.add(event.sessionId);
  return Array.from(ids);
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
  return messages;
}

export { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
