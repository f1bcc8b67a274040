// killed-by: append calls: 3 — the payload is also spread into the event, over its own keys
class EventLog {
  #events;

  constructor(events = []) {
    this.#events = events;
  }

  with(event) {
    const eventId = (this.#events.at(-1)?.eventId ?? 0) + 1;
    return new EventLog([
      ...this.#events,
      {
        ...structuredClone(event),
        ...structuredClone(event.payload),
        eventId,
        payload: structuredClone(event.payload),
      },
    ]);
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
