// solution: a log is a frozen empty object, what it means stands in a WeakMap — mastery: tamper-proof, hostile-names, scale
const meaning = new WeakMap();

function handle(state) {
  const log = Object.freeze({});
  meaning.set(log, state);
  return log;
}

export function createEventLog() {
  return handle(null);
}

export function appendEvent(log, event) {
  const before = meaning.get(log);
  const eventId = (before?.event.eventId ?? 0) + 1;
  return handle({ event: structuredClone({ eventId, ...event }), before });
}

function* newestFirst(log) {
  for (let state = meaning.get(log); state !== null; state = state.before) yield state.event;
}

export function getEventsForSession(log, sessionId) {
  const events = [];
  for (const event of newestFirst(log)) if (event.sessionId === sessionId) events.push(structuredClone(event));
  return events.reverse();
}

export function listSessions(log) {
  const ids = Array.from(newestFirst(log), (event) => event.sessionId).reverse();
  return [...new Set(ids)];
}

export function replaySession(log, sessionId) {
  return getEventsForSession(log, sessionId).flatMap(
    ({ type, payload: { content, callId, name, arguments: text } }) => {
      switch (type) {
        case "user_message":
          return [{ role: "user", content }];
        case "assistant_message":
          return [{ role: "assistant", content }];
        case "tool_call":
          return [{ role: "assistant", content: null, toolCalls: [{ toolCallId: callId, name, arguments: text }] }];
        case "tool_result":
          return [{ role: "tool", toolCallId: callId, content }];
        default:
          return [];
      }
    },
  );
}
