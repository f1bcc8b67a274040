// killed-by: replay calls: 5 — a result is put right behind its call, whatever came between
export function createEventLog() {
  return null;
}

export function appendEvent(log, event) {
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

export function getEventsForSession(log, sessionId) {
  return toArray(log).filter((event) => event.sessionId === sessionId);
}

export function listSessions(log) {
  return [...new Set(toArray(log).map((event) => event.sessionId))];
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
      const at = messages.findIndex((message) => message.toolCalls?.[0].toolCallId === callId);
      const answer = { role: "tool", toolCallId: callId, content };
      if (at < 0) messages.push(answer);
      else messages.splice(at + 1, 0, answer);
    }
  }
  return messages;
}
