// killed-by: independence calls: 5 — payloads stand in a module table by event id, and ids repeat in forks
const payloads = new Map();

class EventLog {
  #events;

  constructor(events = []) {
    this.#events = events;
  }

  with(event) {
    const eventId = (this.#events.at(-1)?.eventId ?? 0) + 1;
    payloads.set(eventId, structuredClone(event.payload));
    return new EventLog([...this.#events, { eventId, sessionId: event.sessionId, type: event.type }]);
  }

  ofSession(sessionId) {
    const events = [];
    for (const event of this.#events) {
      if (event.sessionId === sessionId)
        events.push({ ...event, payload: structuredClone(payloads.get(event.eventId)) });
    }
    return events;
  }

  sessionIds() {
    return [...new Set(this.#events.map((event) => event.sessionId))];
  }
}

const createEventLog = () => new EventLog();
const appendEvent = (log, event) => log.with(event);
const getEventsForSession = (log, sessionId) => log.ofSession(sessionId);
const listSessions = (log) => log.sessionIds();

function replaySession(log, sessionId) {
  return getEventsForSession(log, sessionId).reduce((messages, { type, payload }) => {
    const message = messageFor(type, payload);
    return message === null ? messages : [...messages, message];
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

module.exports = { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
