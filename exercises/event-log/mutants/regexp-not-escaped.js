// killed-by: isolation calls: 3 — an anchored regular expression in which a dot in the id stands for any letter
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
  const pattern = new RegExp(`^${sessionId}$`);
  for (let row = 0; row < log.sessionIds.length; row += 1) {
    if (!pattern.test(log.sessionIds[row])) continue;
    events.push({
      eventId: row + 1,
      sessionId: log.sessionIds[row],
      type: log.types[row],
      payload: JSON.parse(log.payloads[row]),
    });
  }
  return events;
}

export function listSessions(log) {
  return log.sessionIds.filter((id, row) => log.sessionIds.indexOf(id) === row);
}

export function replaySession(log, sessionId) {
  return getEventsForSession(log, sessionId).flatMap(({ type, payload }) => {
    if (type === "user_message") return [{ role: "user", content: payload.content }];
    if (type === "assistant_message") return [{ role: "assistant", content: payload.content }];
    if (type === "tool_result") return [{ role: "tool", toolCallId: payload.callId, content: payload.content }];
    if (type !== "tool_call") return [];
    const call = { toolCallId: payload.callId, name: payload.name, arguments: payload.arguments };
    return [{ role: "assistant", content: null, toolCalls: [call] }];
  });
}
