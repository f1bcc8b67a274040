// killed-by: append calls: 36 — a trie that does not grow: positions wrap at thirty-two
const SIZE = 32;

export function createEventLog() {
  return { count: 0, slots: new Array(SIZE).fill(null) };
}

export function appendEvent(log, event) {
  const eventId = log.count + 1;
  return { count: eventId, slots: log.slots.with(log.count & (SIZE - 1), { eventId, ...structuredClone(event) }) };
}

function inOrder(log) {
  return log.slots.filter((slot) => slot !== null).sort((a, b) => a.eventId - b.eventId);
}

export function getEventsForSession(log, sessionId) {
  return structuredClone(inOrder(log).filter((event) => event.sessionId === sessionId));
}

export function listSessions(log) {
  return [...new Set(inOrder(log).map((event) => event.sessionId))];
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
