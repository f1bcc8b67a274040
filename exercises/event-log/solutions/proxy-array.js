// solution: a log is a read-only Proxy over an array — mastery: tamper-proof, hostile-names
const refuse = () => {
  throw new TypeError("a log is never changed");
};
const readOnly = (target) =>
  new Proxy(target, { set: refuse, deleteProperty: refuse, defineProperty: refuse, setPrototypeOf: refuse });

export function createEventLog() {
  return readOnly([]);
}

export function appendEvent(log, event) {
  return readOnly([...log, structuredClone({ eventId: log.length + 1, ...event })]);
}

export function getEventsForSession(log, sessionId) {
  return Array.from(log)
    .filter((event) => event.sessionId === sessionId)
    .map((event) => structuredClone(event));
}

export function listSessions(log) {
  return Array.from(new Set(Array.from(log, (event) => event.sessionId)));
}

export function replaySession(log, sessionId) {
  const messages = [];
  for (const event of log) {
    if (event.sessionId !== sessionId) continue;
    const { content, callId, name, arguments: text } = structuredClone(event.payload);
    if (event.type === "user_message") messages.push({ role: "user", content });
    if (event.type === "assistant_message") messages.push({ role: "assistant", content });
    if (event.type === "tool_call")
      messages.push({ role: "assistant", content: null, toolCalls: [{ toolCallId: callId, name, arguments: text }] });
    if (event.type === "tool_result") messages.push({ role: "tool", toolCallId: callId, content });
  }
  return messages;
}
