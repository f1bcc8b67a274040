// solution: a class that keeps its events in a private field — mastery: tamper-proof, hostile-names
class EventLog {
  #events;

  constructor(events) {
    this.#events = events;
  }

  append(event) {
    const eventId = this.#events.length + 1;
    return new EventLog(this.#events.concat({ ...structuredClone(event), eventId }));
  }

  get sessions() {
    return [...new Set(this.#events.map((event) => event.sessionId))];
  }

  of(sessionId) {
    return structuredClone(this.#events.filter((event) => event.sessionId === sessionId));
  }

  messages(sessionId) {
    return this.of(sessionId)
      .map(EventLog.#message)
      .filter((message) => message !== undefined);
  }

  static #message({ type, payload }) {
    if (type === "user_message") return { role: "user", content: payload.content };
    if (type === "assistant_message") return { role: "assistant", content: payload.content };
    if (type === "tool_result") return { role: "tool", toolCallId: payload.callId, content: payload.content };
    if (type !== "tool_call") return undefined;
    const { callId: toolCallId, name, arguments: text } = payload;
    return { role: "assistant", content: null, toolCalls: [{ toolCallId, name, arguments: text }] };
  }
}

export const createEventLog = () => new EventLog([]);
export const appendEvent = (log, event) => log.append(event);
export const getEventsForSession = (log, sessionId) => log.of(sessionId);
export const listSessions = (log) => log.sessions;
export const replaySession = (log, sessionId) => log.messages(sessionId);
