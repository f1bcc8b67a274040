// solution: events with more keys than asked for, an index without a prototype and a list for the order — mastery: hostile-names
export function createEventLog() {
  return { events: [], index: Object.create(null), order: [] };
}

export function appendEvent(log, event) {
  const { sessionId, type, payload } = event;
  const known = sessionId in log.index;
  const positions = known ? log.index[sessionId] : [];
  const index = Object.assign(Object.create(null), log.index);
  index[sessionId] = [...positions, log.events.length];
  const stored = {
    version: 1,
    eventId: 100 + log.events.length,
    position: log.events.length,
    turn: positions.length,
    sessionId,
    type,
    payload,
    known: type.includes("_"),
    meta: { first: !known, tags: [] },
  };
  return { events: [...log.events, stored], index, order: known ? log.order : [...log.order, sessionId] };
}

export function getEventsForSession(log, sessionId) {
  return (log.index[sessionId] ?? []).map((position) => log.events[position]);
}

export function listSessions(log) {
  return [...log.order];
}

export function replaySession(log, sessionId) {
  const messages = [];
  for (const { type, payload } of getEventsForSession(log, sessionId)) {
    const toolCallId = payload.callId;
    if (type === "user_message") messages.push({ role: "user", content: payload.content });
    if (type === "assistant_message") messages.push({ role: "assistant", content: payload.content });
    if (type === "tool_result") messages.push({ role: "tool", toolCallId, content: payload.content });
    if (type === "tool_call") {
      const toolCalls = [{ toolCallId, name: payload.name, arguments: payload.arguments }];
      messages.push({ role: "assistant", content: null, toolCalls });
    }
  }
  return messages;
}
