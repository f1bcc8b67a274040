// killed-by: contract calls: 3 — an event comes back as the pair [eventId, event]
export const createEventLog = () => new Map();

export const appendEvent = (log, event) => new Map(log).set(log.size + 1, structuredClone(event));

export const getEventsForSession = (log, sessionId) =>
  [...log].filter(([, event]) => event.sessionId === sessionId).map((pair) => structuredClone(pair));

export const listSessions = (log) => [...new Set([...log.values()].map((event) => event.sessionId))];

const messages = {
  user_message: ({ content }) => [{ role: "user", content }],
  assistant_message: ({ content }) => [{ role: "assistant", content }],
  tool_result: ({ callId, content }) => [{ role: "tool", toolCallId: callId, content }],
  tool_call: ({ callId, name, arguments: json }) => [
    { role: "assistant", content: null, toolCalls: [{ toolCallId: callId, name, arguments: json }] },
  ],
};

export const replaySession = (log, sessionId) =>
  getEventsForSession(log, sessionId).flatMap(([, { type, payload }]) =>
    Object.hasOwn(messages, type) ? messages[type](payload) : [],
  );
