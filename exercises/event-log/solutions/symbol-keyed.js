// solution: a log is an object that looks empty, its events stand under symbols — mastery: tamper-proof, hostile-names
const EVENTS = Symbol("events");
const NEXT = Symbol("next id");

export function createEventLog() {
  return { [EVENTS]: [], [NEXT]: 5 };
}

export function appendEvent(log, event) {
  const stored = { eventId: log[NEXT], sessionId: event.sessionId, type: event.type };
  stored.payload = structuredClone(event.payload);
  return { [EVENTS]: [...log[EVENTS], stored], [NEXT]: log[NEXT] + 5 };
}

export function getEventsForSession(log, sessionId) {
  return structuredClone(log[EVENTS].filter((event) => event.sessionId === sessionId));
}

export function listSessions(log) {
  const ids = log[EVENTS].map((event) => event.sessionId);
  return ids.filter((id, position) => ids.lastIndexOf(id, position - 1) === -1 || position === 0);
}

export function replaySession(log, sessionId) {
  const messages = [];
  getEventsForSession(log, sessionId).forEach(({ type, payload }) => {
    if (type === "user_message") {
      messages.push({ role: "user", content: payload.content });
    } else if (type === "assistant_message") {
      messages.push({ role: "assistant", content: payload.content });
    } else if (type === "tool_call") {
      messages.push({
        role: "assistant",
        content: null,
        toolCalls: [{ toolCallId: payload.callId, name: payload.name, arguments: payload.arguments }],
      });
    } else if (type === "tool_result") {
      messages.push({ role: "tool", toolCallId: payload.callId, content: payload.content });
    }
  });
  return messages;
}
