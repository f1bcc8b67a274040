// solution: constants that hold arrow functions, and no export at all — mastery: tamper-proof, hostile-names
const createEventLog = () => ({ events: [] });

const appendEvent = ({ events }, { sessionId, type, payload }) => {
  const last = events.at(-1)?.eventId ?? 0;
  return { events: [...events, { eventId: last + 1, sessionId, type, payload: structuredClone(payload) }] };
};

const getEventsForSession = ({ events }, wanted) =>
  events.filter(({ sessionId }) => sessionId === wanted).map((event) => structuredClone(event));

const listSessions = ({ events }) => Array.from(new Set(events.map(({ sessionId }) => sessionId)));

const toMessage = (type, { content, callId: toolCallId, name, arguments: args }) =>
  type === "user_message"
    ? { role: "user", content }
    : type === "assistant_message"
      ? { role: "assistant", content }
      : type === "tool_call"
        ? { role: "assistant", content: null, toolCalls: [{ toolCallId, name, arguments: args }] }
        : type === "tool_result"
          ? { role: "tool", toolCallId, content }
          : null;

const replaySession = (log, sessionId) =>
  getEventsForSession(log, sessionId)
    .map(({ type, payload }) => toMessage(type, payload))
    .filter(Boolean);
