// killed-by: isolation calls: 3 — a row is session|type|payload, split at the bars when read
export function createEventLog() {
  return [];
}

export function appendEvent(log, { sessionId, type, payload }) {
  return log.concat([sessionId, type, JSON.stringify(payload)].join("|"));
}

function rows(log) {
  return log.map((row, position) => {
    const [sessionId, type, ...rest] = row.split("|");
    return { eventId: position + 1, sessionId, type, text: rest.join("|") };
  });
}

export function getEventsForSession(log, wanted) {
  return rows(log)
    .filter(({ sessionId }) => sessionId === wanted)
    .map(({ eventId, sessionId, type, text }) => ({ eventId, sessionId, type, payload: JSON.parse(text) }));
}

export function listSessions(log) {
  return [...new Set(rows(log).map(({ sessionId }) => sessionId))];
}

export function replaySession(log, sessionId) {
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
