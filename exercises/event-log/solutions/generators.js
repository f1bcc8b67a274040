// solution: a log is an iterable, questions are answered by generators put one behind the other — mastery: hostile-names
export function createEventLog() {
  return [].values.bind([]);
}

export function appendEvent(log, { sessionId, type, payload }) {
  const events = [...log()];
  const last = events.pop();
  const eventId = last === undefined ? 1 : last.eventId + 1;
  const all = [...log(), { eventId, sessionId, type, payload }];
  return function* () {
    yield* all;
  };
}

function* ofSession(log, sessionId) {
  for (const event of log()) if (event.sessionId === sessionId) yield event;
}

function* distinct(values) {
  const seen = new Set();
  for (const value of values) {
    if (seen.has(value)) continue;
    seen.add(value);
    yield value;
  }
}

function* sessionIds(log) {
  for (const { sessionId } of log()) yield sessionId;
}

function* fold(events) {
  for (const { type, payload } of events) {
    if (type === "user_message") yield { role: "user", content: payload.content };
    if (type === "assistant_message") yield { role: "assistant", content: payload.content };
    if (type === "tool_call") {
      const toolCalls = [{ toolCallId: payload.callId, name: payload.name, arguments: payload.arguments }];
      yield { role: "assistant", content: null, toolCalls };
    }
    if (type === "tool_result") yield { role: "tool", toolCallId: payload.callId, content: payload.content };
  }
}

export const getEventsForSession = (log, sessionId) => [...ofSession(log, sessionId)];
export const listSessions = (log) => [...distinct(sessionIds(log))];
export const replaySession = (log, sessionId) => [...fold(ofSession(log, sessionId))];
