// killed-by: isolation calls: 3 — the asked id and the stored id are trimmed
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
      if (event.sessionId.trim() === sessionId.trim()) events.push(structuredClone(event));
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

export default { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
