// killed-by: independence calls: 5 — the Map of sessions is a static field of the class
class EventLog {
  static sessions = new Map();

  constructor(events = []) {
    this.events = events;
  }

  append(event) {
    const stored = { eventId: this.events.length + 1, ...structuredClone(event) };
    if (!EventLog.sessions.has(event.sessionId)) EventLog.sessions.set(event.sessionId, stored.eventId);
    return new EventLog([...this.events, stored]);
  }

  get sessionIds() {
    return [...EventLog.sessions.keys()];
  }
}

const createEventLog = () => new EventLog();
const appendEvent = (log, event) => log.append(event);
const getEventsForSession = (log, sessionId) =>
  structuredClone(log.events.filter((event) => event.sessionId === sessionId));
const listSessions = (log) => log.sessionIds;

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
