// solution: four columns side by side, a row is a position — mastery: tamper-proof, hostile-names
export function createEventLog() {
  return { sessionIds: [], types: [], payloads: [] };
}

export function appendEvent({ sessionIds, types, payloads }, event) {
  return {
    sessionIds: [...sessionIds, event.sessionId],
    types: [...types, event.type],
    payloads: [...payloads, JSON.stringify(event.payload)],
  };
}

const rowsOf = ({ sessionIds }, wanted) => sessionIds.flatMap((id, row) => (id === wanted ? [row] : []));

export function getEventsForSession(log, sessionId) {
  return rowsOf(log, sessionId).map((row) => ({
    eventId: row + 1,
    sessionId,
    type: log.types[row],
    payload: JSON.parse(log.payloads[row]),
  }));
}

export function listSessions({ sessionIds }) {
  return sessionIds.filter((id, row) => sessionIds.indexOf(id) === row);
}

export function replaySession(log, sessionId) {
  const messages = [];
  for (const row of rowsOf(log, sessionId)) {
    const payload = JSON.parse(log.payloads[row]);
    const message = {
      user_message: { role: "user", content: payload.content },
      assistant_message: { role: "assistant", content: payload.content },
      tool_call: {
        role: "assistant",
        content: null,
        toolCalls: [{ toolCallId: payload.callId, name: payload.name, arguments: payload.arguments }],
      },
      tool_result: { role: "tool", toolCallId: payload.callId, content: payload.content },
    };
    if (Object.hasOwn(message, log.types[row])) messages.push(message[log.types[row]]);
  }
  return messages;
}
