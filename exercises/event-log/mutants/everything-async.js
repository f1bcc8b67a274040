// killed-by: contract calls: 2 — every function is async, as if the log were a database
export async function createEventLog() {
  return [];
}

export async function appendEvent(pending, event) {
  const log = await pending;
  const { sessionId, type, payload } = event;
  const eventId = log.length + 1;
  return [...log, { eventId, sessionId, type, payload: structuredClone(payload) }];
}

export async function getEventsForSession(pending, sessionId) {
  const log = await pending;
  return log.filter((event) => event.sessionId === sessionId).map((event) => structuredClone(event));
}

export async function listSessions(pending) {
  const log = await pending;
  const ids = [];
  for (const event of log) {
    if (!ids.includes(event.sessionId)) ids.push(event.sessionId);
  }
  return ids;
}

export async function replaySession(log, sessionId) {
  const messages = [];
  for (const { type, payload } of await getEventsForSession(log, sessionId)) {
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
