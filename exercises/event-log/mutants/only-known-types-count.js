// killed-by: monotonic-ids calls: 4 — the id counts the events that have a message
function createEventLog() {
  return [];
}

function appendEvent(log, event) {
  const { sessionId, type, payload } = event;
  const counted = log.filter((old) => /^(user_message|assistant_message|tool_call|tool_result)$/.test(old.type));
  const eventId = counted.length + 1;
  return [...log, { eventId, sessionId, type, payload: structuredClone(payload) }];
}

function getEventsForSession(log, sessionId) {
  return log.filter((event) => event.sessionId === sessionId).map((event) => structuredClone(event));
}

function listSessions(log) {
  const ids = [];
  for (const event of log) {
    if (!ids.includes(event.sessionId)) ids.push(event.sessionId);
  }
  return ids;
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
