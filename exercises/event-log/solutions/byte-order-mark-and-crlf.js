// solution: a file from an editor on Windows, byte order mark and CRLF — mastery: tamper-proof, hostile-names
"use strict";

/*
 * The comment, too, has CRLF line ends.
 */
export function createEventLog() {
  return [];
}

export function appendEvent(log, event) {
  const { sessionId, type, payload } = event;
  const stored = { eventId: log.length + 1, sessionId, type, payload: structuredClone(payload) };
  return log.concat([stored]);
}

export function getEventsForSession(log, sessionId) {
  return structuredClone(log.filter((event) => event.sessionId === sessionId));
}

export function listSessions(log) {
  const ids = new Set();
  log.forEach((event) => ids.add(event.sessionId));
  return [...ids];
}

export function replaySession(log, sessionId) {
  return getEventsForSession(log, sessionId)
    .map(message)
    .filter((found) => found !== null);
}

function message({ type, payload }) {
  switch (type) {
    case "user_message":
      return { role: "user", content: payload.content };
    case "assistant_message":
      return { role: "assistant", content: payload.content };
    case "tool_call":
      return {
        role: "assistant",
        content: null,
        toolCalls: [{ toolCallId: payload.callId, name: payload.name, arguments: payload.arguments }],
      };
    case "tool_result":
      return { role: "tool", toolCallId: payload.callId, content: payload.content };
    default:
      return null;
  }
}
