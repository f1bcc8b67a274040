// killed-by: replay calls: 23 — only the last twenty messages are told, to save tokens
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
  return getEventsForSession(log, sessionId)
    .reduce((messages, { type, payload }) => {
      const message = messageFor(type, payload);
      return message === null ? messages : [...messages, message];
    }, [])
    .slice(-20);
}

function messageFor(type, payload) {
  switch (type) {
    case "user_message":
      return { role: "user", content: payload.content };
    case "assistant_message":
      return { role: "assistant", content: payload.content };
    case "tool_call": {
      const toolCall = { toolCallId: payload.callId, name: payload.name, arguments: payload.arguments };
      return { role: "assistant", content: null, toolCalls: [toolCall] };
    }
    case "tool_result":
      return { role: "tool", toolCallId: payload.callId, content: payload.content };
    default:
      return null;
  }
}
