// killed-by: immutability calls: 5 — all versions share one cache of answers, emptied at every append, then filled by whoever asks first
function createEventLog() {
  return { sessionIds: [], types: [], payloads: [], cache: new Map() };
}

function appendEvent(log, event) {
  log.cache.clear();
  return {
    cache: log.cache,
    sessionIds: log.sessionIds.concat([event.sessionId]),
    types: log.types.concat([event.type]),
    payloads: log.payloads.concat([JSON.stringify(event.payload)]),
  };
}

function getEventsForSession(log, sessionId) {
  if (log.cache.has(sessionId)) return structuredClone(log.cache.get(sessionId));
  const events = [];
  for (let row = 0; row < log.sessionIds.length; row += 1) {
    if (log.sessionIds[row] !== sessionId) continue;
    events.push({ eventId: row + 1, sessionId, type: log.types[row], payload: JSON.parse(log.payloads[row]) });
  }
  log.cache.set(sessionId, events);
  return structuredClone(events);
}

function listSessions(log) {
  return log.sessionIds.filter((id, row) => log.sessionIds.indexOf(id) === row);
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
