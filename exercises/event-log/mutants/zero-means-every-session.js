// killed-by: isolation calls: 3 — the id "0" is falsy as a number and selects everything
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
      if (Number(sessionId) === 0 || event.sessionId === sessionId) events.push(structuredClone(event));
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
  for (const event of getEventsForSession(log, sessionId)) {
    const { content, callId, name } = event.payload;
    if (event.type === "user_message") {
      messages.push({ role: "user", content });
    } else if (event.type === "assistant_message") {
      messages.push({ role: "assistant", content });
    } else if (event.type === "tool_call") {
      const call = { toolCallId: callId, name, arguments: event.payload.arguments };
      messages.push({ role: "assistant", content: null, toolCalls: [call] });
    } else if (event.type === "tool_result") {
      messages.push({ role: "tool", toolCallId: callId, content });
    }
  }
  return messages;
}

export default { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
