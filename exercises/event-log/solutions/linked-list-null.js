// solution: a linked list whose empty log is null — mastery: tamper-proof, hostile-names, scale
export function createEventLog() {
  return null;
}

export function appendEvent(log, event) {
  const eventId = log === null ? 1 : log.event.eventId + 1;
  return { event: { eventId, ...structuredClone(event) }, before: log };
}

export function getEventsForSession(log, sessionId) {
  const events = [];
  for (let at = log; at !== null; at = at.before) {
    if (at.event.sessionId === sessionId) events.unshift(structuredClone(at.event));
  }
  return events;
}

export function listSessions(log) {
  let ids = [];
  for (let at = log; at !== null; at = at.before) {
    const id = at.event.sessionId;
    ids = [id, ...ids.filter((other) => other !== id)];
  }
  return ids;
}

export function replaySession(log, sessionId) {
  return getEventsForSession(log, sessionId).reduce((messages, { type, payload }) => {
    if (type === "user_message") messages.push({ role: "user", content: payload.content });
    if (type === "assistant_message") messages.push({ role: "assistant", content: payload.content });
    if (type === "tool_call") {
      const { callId, name } = payload;
      const toolCalls = [{ toolCallId: callId, name, arguments: payload.arguments }];
      messages.push({ role: "assistant", content: null, toolCalls });
    }
    if (type === "tool_result") messages.push({ role: "tool", toolCallId: payload.callId, content: payload.content });
    return messages;
  }, []);
}
