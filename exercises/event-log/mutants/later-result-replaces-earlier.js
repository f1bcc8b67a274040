// killed-by: replay calls: 4 — results stand in a Map by call id, so the last one is told in the first one's place
export function createEventLog() {
  return { sessionIds: [], types: [], payloads: [] };
}

export function appendEvent(log, event) {
  return {
    sessionIds: log.sessionIds.concat([event.sessionId]),
    types: log.types.concat([event.type]),
    payloads: log.payloads.concat([JSON.stringify(event.payload)]),
  };
}

export function getEventsForSession(log, sessionId) {
  const events = [];
  for (let row = 0; row < log.sessionIds.length; row += 1) {
    if (log.sessionIds[row] !== sessionId) continue;
    events.push({ eventId: row + 1, sessionId, type: log.types[row], payload: JSON.parse(log.payloads[row]) });
  }
  return events;
}

export function listSessions(log) {
  return log.sessionIds.filter((id, row) => log.sessionIds.indexOf(id) === row);
}

export function replaySession(log, sessionId) {
  const messages = [];
  const results = new Map();
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
      if (results.has(callId)) {
        results.get(callId).content = content;
      } else {
        results.set(callId, { role: "tool", toolCallId: callId, content });
        messages.push(results.get(callId));
      }
    }
  }
  return messages;
}
