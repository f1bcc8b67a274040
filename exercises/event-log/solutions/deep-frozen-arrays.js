// solution: arrays frozen through and through, handed out as they are — mastery: tamper-proof, hostile-names
function deepFreeze(value) {
  if (value !== null && typeof value === "object") {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}

export const createEventLog = () => Object.freeze([]);

export const appendEvent = (log, event) => {
  const stored = deepFreeze({ eventId: log.length + 1, ...structuredClone(event) });
  return Object.freeze([...log, stored]);
};

export const getEventsForSession = (log, sessionId) =>
  Object.freeze(log.filter((event) => event.sessionId === sessionId));

export const listSessions = (log) =>
  Object.freeze(log.map((event) => event.sessionId).filter((id, at, all) => all.indexOf(id) === at));

export const replaySession = (log, sessionId) =>
  deepFreeze(
    getEventsForSession(log, sessionId).flatMap(({ type, payload: { content, callId, name, arguments: args } }) => {
      switch (type) {
        case "user_message":
          return { role: "user", content };
        case "assistant_message":
          return { role: "assistant", content };
        case "tool_call":
          return { role: "assistant", content: null, toolCalls: [{ toolCallId: callId, name, arguments: args }] };
        case "tool_result":
          return { role: "tool", toolCallId: callId, content };
        default:
          return [];
      }
    }),
  );
