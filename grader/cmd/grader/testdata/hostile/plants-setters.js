// expect: pass — setters on the indices and keys of every object, to overhear the grader
let heard = 0;
const hear = () => void heard++;
for (let i = 0; i < 100; i++) {
  for (const prototype of [Array.prototype, Object.prototype]) {
    Object.defineProperty(prototype, i, { __proto__: null, configurable: true, get: () => undefined, set: hear });
  }
}
for (const key of ["value", "steps", "threw", "kind", "log", "console", "dropped", "functions", "names"]) {
  Object.defineProperty(Object.prototype, key, { __proto__: null, configurable: true, get: () => undefined, set: hear });
}

export function createEventLog() {
  return [];
}

export function appendEvent(log, { sessionId, type, payload }) {
  return [...log, { eventId: log.length + 1, sessionId, type, payload: structuredClone(payload) }];
}

export function getEventsForSession(log, sessionId) {
  return structuredClone(log.filter((event) => event.sessionId === sessionId));
}

export function listSessions(log) {
  return [...new Set(log.map((event) => event.sessionId))];
}

export function replaySession(log, sessionId) {
  return getEventsForSession(log, sessionId).flatMap(({ type, payload }) => {
    if (type === "user_message") return [{ role: "user", content: payload.content }];
    if (type === "assistant_message") return [{ role: "assistant", content: payload.content }];
    if (type === "tool_result") return [{ role: "tool", toolCallId: payload.callId, content: payload.content }];
    if (type !== "tool_call") return [];
    const { callId, name, arguments: json } = payload;
    return [{ role: "assistant", content: null, toolCalls: [{ toolCallId: callId, name, arguments: json }] }];
  });
}
