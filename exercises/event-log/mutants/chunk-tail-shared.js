// killed-by: immutability calls: 5 — full chunks are closed, the open one is shared by all versions until it is full
const CHUNK = 4;

function createEventLog() {
  return { chunks: [], lastId: 0 };
}

function appendEvent(log, event) {
  const stored = { eventId: log.lastId + 1, ...structuredClone(event) };
  const chunks = [...log.chunks];
  const last = chunks.at(-1);
  if (last === undefined || last.length === CHUNK) chunks.push([stored]);
  else last.push(stored);
  return { chunks, lastId: log.lastId + 1 };
}

function getEventsForSession(log, sessionId) {
  return structuredClone(log.chunks.flat().filter((event) => event.sessionId === sessionId));
}

function listSessions(log) {
  return [...new Set(log.chunks.flatMap((chunk) => chunk.map((event) => event.sessionId)))];
}

const toMessage = new Map([
  ["user_message", (payload) => ({ role: "user", content: payload.content })],
  ["assistant_message", (payload) => ({ role: "assistant", content: payload.content })],
  [
    "tool_call",
    ({ callId, name, arguments: text }) => ({
      role: "assistant",
      content: null,
      toolCalls: [{ toolCallId: callId, name, arguments: text }],
    }),
  ],
  ["tool_result", ({ callId, content }) => ({ role: "tool", toolCallId: callId, content })],
]);

function replaySession(log, sessionId) {
  return getEventsForSession(log, sessionId)
    .filter((event) => toMessage.has(event.type))
    .map((event) => toMessage.get(event.type)(event.payload));
}

module.exports = { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
