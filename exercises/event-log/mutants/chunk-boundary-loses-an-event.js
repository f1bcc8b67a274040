// killed-by: append calls: 12 — when a chunk of eight is full, the event that should start the next one is lost
const CHUNK = 8;

function createEventLog() {
  return { chunks: [[]], lastId: 0 };
}

function appendEvent({ chunks, lastId }, event) {
  const stored = { eventId: lastId + 1, ...structuredClone(event) };
  const full = chunks.at(-1).length === CHUNK;
  const longer = full ? [...chunks, []] : [...chunks.slice(0, -1), [...chunks.at(-1), stored]];
  return { chunks: longer, lastId: lastId + 1 };
}

function getEventsForSession(log, sessionId) {
  return structuredClone(log.chunks.flat().filter((event) => event.sessionId === sessionId));
}

function listSessions(log) {
  return [...new Set(log.chunks.flat().map((event) => event.sessionId))];
}

function replaySession(log, sessionId) {
  const messages = [];
  for (const { type, payload } of getEventsForSession(log, sessionId)) {
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
