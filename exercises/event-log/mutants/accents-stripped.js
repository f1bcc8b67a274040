// killed-by: isolation calls: 3 — accents are stripped before the comparison
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

const plain = (text) => text.normalize("NFD").replace(/[\u0300-\u036f]/g, "");

function getEventsForSession(log, sessionId) {
  const events = [];
  for (let row = 0; row < log.sessionIds.length; row += 1) {
    if (plain(log.sessionIds[row]) !== plain(sessionId)) continue;
    events.push({
      eventId: row + 1,
      sessionId: log.sessionIds[row],
      type: log.types[row],
      payload: JSON.parse(log.payloads[row]),
    });
  }
  return events;
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

module.exports = { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
