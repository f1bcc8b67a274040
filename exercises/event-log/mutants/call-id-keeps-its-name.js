// killed-by: replay calls: 3 — the call id stays callId in the message
class EventLog {
  #events;

  constructor(events = []) {
    this.#events = events;
  }

  with(event) {
    const eventId = (this.#events.at(-1)?.eventId ?? 0) + 1;
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

export function replaySession(log, sessionId) {
  return getEventsForSession(log, sessionId).flatMap(({ type, payload }) => {
    if (type === "user_message") return [{ role: "user", content: payload.content }];
    if (type === "assistant_message") return [{ role: "assistant", content: payload.content }];
    if (type === "tool_result") return [{ role: "tool", toolCallId: payload.callId, content: payload.content }];
    if (type !== "tool_call") return [];
    const call = { callId: payload.callId, name: payload.name, arguments: payload.arguments };
    return [{ role: "assistant", content: null, toolCalls: [call] }];
  });
}
