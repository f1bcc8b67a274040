// killed-by: independence calls: 6 — messages are remembered by the log's last id, which two forks share
function createEventLog() {
  return null;
}

function appendEvent(log, event) {
  const eventId = log === null ? 1 : log.eventId + 1;
  return { eventId, event: structuredClone(event), before: log };
}

function toArray(log) {
  const events = [];
  for (let node = log; node !== null; node = node.before) {
    const { sessionId, type, payload } = node.event;
    events.push({ eventId: node.eventId, sessionId, type, payload: structuredClone(payload) });
  }
  return events.reverse();
}

function getEventsForSession(log, sessionId) {
  return toArray(log).filter((event) => event.sessionId === sessionId);
}

function listSessions(log) {
  return [...new Set(toArray(log).map((event) => event.sessionId))];
}

const told = new Map();

function replaySession(log, sessionId) {
  const key = `${log?.eventId} ${sessionId}`;
  if (told.has(key)) return structuredClone(told.get(key));
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
  told.set(key, structuredClone(messages));
  return messages;
}

export { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
