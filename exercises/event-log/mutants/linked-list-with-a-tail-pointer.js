// killed-by: immutability calls: 4 — the list grows at its tail node, which the older log holds as well
export function createEventLog() {
  const head = { next: null };
  return { head, tail: head, lastId: 0 };
}

export function appendEvent(log, event) {
  const node = { event: { eventId: log.lastId + 1, ...structuredClone(event) }, next: null };
  log.tail.next = node;
  return { head: log.head, tail: node, lastId: log.lastId + 1 };
}

function eventsOf(log) {
  const events = [];
  for (let node = log.head.next; node !== null; node = node.next) events.push(structuredClone(node.event));
  return events;
}

export function getEventsForSession(log, sessionId) {
  return eventsOf(log).filter((event) => event.sessionId === sessionId);
}

export function listSessions(log) {
  return [...new Set(eventsOf(log).map((event) => event.sessionId))];
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
