// killed-by: append calls: 4 — a cache of answers is carried over into the longer log
function createEventLog() {
  return { events: [], answers: new Map() };
}

function appendEvent(log, event) {
  const { sessionId, type, payload } = event;
  const eventId = log.events.length + 1;
  return { ...log, events: [...log.events, { eventId, sessionId, type, payload: structuredClone(payload) }] };
}

function getEventsForSession(log, sessionId) {
  if (!log.answers.has(sessionId)) {
    log.answers.set(
      sessionId,
      log.events.filter((event) => event.sessionId === sessionId),
    );
  }
  return structuredClone(log.answers.get(sessionId));
}

function listSessions(log) {
  const ids = [];
  for (const event of log.events) {
    if (!ids.includes(event.sessionId)) ids.push(event.sessionId);
  }
  return ids;
}

function replaySession(log, sessionId) {
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
  return messages;
}

export { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
