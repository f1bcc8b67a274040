// expect: fail/fail — throws an object whose every part throws
export function createEventLog() {
  return [];
}

const resist = () => {
  throw hostile;
};
const hostile = new Proxy(function () {}, {
  get: resist, has: resist, getPrototypeOf: resist, ownKeys: resist, getOwnPropertyDescriptor: resist, apply: resist,
});

export function appendEvent() {
  throw hostile;
}

export function getEventsForSession(log, sessionId) {
  return structuredClone(log.filter((event) => event.sessionId === sessionId));
}

export function listSessions(log) {
  return [...new Set(log.map((event) => event.sessionId))];
}

export function replaySession(log, sessionId) {
  const messages = [];
  for (const { type, payload } of getEventsForSession(log, sessionId)) {
    if (type === "user_message") messages.push({ role: "user", content: payload.content });
    else if (type === "assistant_message") messages.push({ role: "assistant", content: payload.content });
    else if (type === "tool_call") {
      const { callId, name, arguments: json } = payload;
      messages.push({ role: "assistant", content: null, toolCalls: [{ toolCallId: callId, name, arguments: json }] });
    } else if (type === "tool_result") messages.push({ role: "tool", toolCallId: payload.callId, content: payload.content });
  }
  return messages;
}
