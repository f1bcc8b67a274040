// killed-by: tamper-proof calls: 5 — the list toolCalls is made at append and shared by every message
function createEventLog() {
  return null;
}

function appendEvent(log, event) {
  const eventId = log === null ? 1 : log.eventId + 1;
  const { callId, name, arguments: text } = event.payload;
  const toolCalls = [{ toolCallId: callId, name, arguments: text }];
  return { eventId, event: structuredClone(event), before: log, toolCalls };
}

function toArray(log) {
  const events = [];
  for (let node = log; node !== null; node = node.before) {
    const { sessionId, type, payload } = node.event;
    events.push({ eventId: node.eventId, sessionId, type, payload: structuredClone(payload) });
    Object.defineProperty(events.at(-1), "toolCalls", { value: node.toolCalls, enumerable: false });
  }
  return events.reverse();
}

function getEventsForSession(log, sessionId) {
  return toArray(log).filter((event) => event.sessionId === sessionId);
}

function listSessions(log) {
  return [...new Set(toArray(log).map((event) => event.sessionId))];
}

function replaySession(log, sessionId) {
  const messages = [];
  for (const { type, payload, toolCalls } of getEventsForSession(log, sessionId)) {
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
          toolCalls,
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
