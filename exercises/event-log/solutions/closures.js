// solution: a log is a function that remembers one event and the log before it — mastery: tamper-proof, hostile-names, scale
export function createEventLog() {
  return () => null;
}

export function appendEvent(log, event) {
  const newest = log();
  const eventId = newest === null ? 1 : newest.eventId + 1;
  const text = JSON.stringify(event);
  return () => ({ eventId, text, before: log });
}

function unfold(log) {
  const events = [];
  for (let found = log(); found !== null; found = found.before()) {
    events.push({ ...JSON.parse(found.text), eventId: found.eventId });
  }
  return events.reverse();
}

export function getEventsForSession(log, sessionId) {
  return unfold(log).filter((event) => event.sessionId === sessionId);
}

export function listSessions(log) {
  return unfold(log).reduce((ids, { sessionId }) => (ids.includes(sessionId) ? ids : [...ids, sessionId]), []);
}

export function replaySession(log, sessionId) {
  const messages = [];
  const say = (message) => messages.push(message);
  unfold(log).forEach(({ sessionId: owner, type, payload }) => {
    if (owner !== sessionId) return;
    if (type === "user_message") say({ role: "user", content: payload.content });
    else if (type === "assistant_message") say({ role: "assistant", content: payload.content });
    else if (type === "tool_result") say({ role: "tool", toolCallId: payload.callId, content: payload.content });
    else if (type === "tool_call")
      say({
        role: "assistant",
        content: null,
        toolCalls: [{ toolCallId: payload.callId, name: payload.name, arguments: payload.arguments }],
      });
  });
  return messages;
}
