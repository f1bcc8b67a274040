// killed-by: monotonic-ids calls: 5 — the next id is one more than the highest of the same session
class EventLog {
  #events;

  constructor(events = []) {
    this.#events = events;
  }

  with(event) {
    const eventId = Math.max(0, ...this.ofSession(event.sessionId).map((earlier) => earlier.eventId)) + 1;
    return new EventLog([...this.#events, { ...structuredClone(event), eventId }]);
  }

  ofSession(sessionId) {
    const events = [];
    for (const event of this.#events) {
      if (event.sessionId === sessionId) events.push(structuredClone(event));
    }
    return events;
  }

  sessionIds() {
    return [...new Set(this.#events.map((event) => event.sessionId))];
  }
}

export const createEventLog = () => new EventLog();
export const appendEvent = (log, event) => log.with(event);
export const getEventsForSession = (log, sessionId) => log.ofSession(sessionId);
export const listSessions = (log) => log.sessionIds();

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

export function replaySession(log, sessionId) {
  return getEventsForSession(log, sessionId)
    .filter((event) => toMessage.has(event.type))
    .map((event) => toMessage.get(event.type)(event.payload));
}
