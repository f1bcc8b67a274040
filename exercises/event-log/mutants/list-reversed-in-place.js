// killed-by: purity calls: 5 — listSessions turns the log round in place to walk it from the end
function createEventLog() {
  return [];
}

function appendEvent(log, event) {
  const { sessionId, type, payload } = event;
  const eventId = log.length + 1;
  return [...log, { eventId, sessionId, type, payload: structuredClone(payload) }];
}

function getEventsForSession(log, sessionId) {
  return log.filter((event) => event.sessionId === sessionId).map((event) => structuredClone(event));
}

function listSessions(log) {
  const last = new Map();
  for (const event of log) if (!last.has(event.sessionId)) last.set(event.sessionId, event.eventId);
  log.reverse();
  return [...last.keys()];
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

module.exports = { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
