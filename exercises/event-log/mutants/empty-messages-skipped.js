// killed-by: replay calls: 3 — a message with empty content is left out
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
  return getEventsForSession(log, sessionId).reduce((messages, { type, payload }) => {
    const message = messageFor(type, payload);
    return message === null || message.content === "" ? messages : [...messages, message];
  }, []);
}

function messageFor(type, payload) {
  switch (type) {
    case "user_message":
      return { role: "user", content: payload.content };
    case "assistant_message":
      return { role: "assistant", content: payload.content };
    case "tool_call": {
      const toolCall = { toolCallId: payload.callId, name: payload.name, arguments: payload.arguments };
      return { role: "assistant", content: null, toolCalls: [toolCall] };
    }
    case "tool_result":
      return { role: "tool", toolCallId: payload.callId, content: payload.content };
    default:
      return null;
  }
}
