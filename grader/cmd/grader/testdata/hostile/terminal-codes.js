// expect: fail/fail — answers and throws what would steer a terminal
export function createEventLog() {
  return [];
}

export function appendEvent(log, { sessionId, type, payload }) {
  return [...log, { eventId: log.length + 1, sessionId, type, payload: structuredClone(payload) }];
}

export function getEventsForSession(log, sessionId) {
  return structuredClone(log.filter((event) => event.sessionId === sessionId));
}

export function listSessions() {
  return ["\x1b]0;owned\x07\x1b[2J\x9b31m\u202e"];
}

export function replaySession() {
  throw new Error("\x1b[2J\nsecond line\r\u202etfel");
}
