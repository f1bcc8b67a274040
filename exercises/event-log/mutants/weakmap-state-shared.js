// killed-by: immutability calls: 4 — a new handle is given the old state, which is then changed
const states = new WeakMap();

function createEventLog() {
  const log = Object.freeze({});
  states.set(log, []);
  return log;
}

function appendEvent(log, event) {
  const events = states.get(log);
  events.push({ eventId: events.length + 1, ...structuredClone(event) });
  const next = Object.freeze({});
  states.set(next, events);
  return next;
}

function getEventsForSession(log, sessionId) {
  return states
    .get(log)
    .filter((event) => event.sessionId === sessionId)
    .map((event) => structuredClone(event));
}

function listSessions(log) {
  return states.get(log).reduce((ids, { sessionId }) => (ids.includes(sessionId) ? ids : [...ids, sessionId]), []);
}

function replaySession(log, sessionId) {
  return getEventsForSession(log, sessionId).flatMap(({ type, payload }) => {
    if (type === "user_message") return [{ role: "user", content: payload.content }];
    if (type === "assistant_message") return [{ role: "assistant", content: payload.content }];
    if (type === "tool_result") return [{ role: "tool", toolCallId: payload.callId, content: payload.content }];
    if (type !== "tool_call") return [];
    const call = { toolCallId: payload.callId, name: payload.name, arguments: payload.arguments };
    return [{ role: "assistant", content: null, toolCalls: [call] }];
  });
}

export { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
