// killed-by: immutability calls: 4 — the class has a clone method that copies the reference
class EventLog {
  constructor() {
    this.events = [];
  }

  clone() {
    const copy = new EventLog();
    copy.events = this.events;
    return copy;
  }

  add(event) {
    this.events.push({ eventId: this.events.length + 1, ...structuredClone(event) });
    return this;
  }
}

export const createEventLog = () => new EventLog();

export const appendEvent = (log, event) => log.clone().add(event);

export const getEventsForSession = (log, sessionId) =>
  structuredClone(log.events.filter((event) => event.sessionId === sessionId));

export const listSessions = (log) => Array.from(new Set(log.events.map((event) => event.sessionId)));

export function replaySession(log, sessionId) {
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
