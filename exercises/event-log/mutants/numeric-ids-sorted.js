// killed-by: sessions calls: 4 — when every id is a number, they are sorted as numbers
function createEventLog() {
  return { sessionIds: [], types: [], payloads: [] };
}

function appendEvent(log, event) {
  return {
    sessionIds: log.sessionIds.concat([event.sessionId]),
    types: log.types.concat([event.type]),
    payloads: log.payloads.concat([JSON.stringify(event.payload)]),
  };
}

function getEventsForSession(log, sessionId) {
  const events = [];
  for (let row = 0; row < log.sessionIds.length; row += 1) {
    if (log.sessionIds[row] !== sessionId) continue;
    events.push({ eventId: row + 1, sessionId, type: log.types[row], payload: JSON.parse(log.payloads[row]) });
  }
  return events;
}

function listSessions(log) {
  const ids = log.sessionIds.filter((id, row) => log.sessionIds.indexOf(id) === row);
  return ids.every((id) => Number.isInteger(Number(id))) ? ids.sort((a, b) => a - b) : ids;
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

export default { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
