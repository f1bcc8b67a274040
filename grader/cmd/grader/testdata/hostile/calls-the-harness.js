// expect: fail/fail — calls every function that stands in its stack trace, to write the transcript itself
Error.prepareStackTrace = (error, sites) => {
  for (const site of sites ?? []) {
    try {
      site.getFunction?.()('[["listSessions"],[[0,1]]]');
    } catch {}
  }
  return "";
};

export function createEventLog() {
  return [];
}

export function appendEvent(log, { sessionId, type, payload }) {
  return [...log, { eventId: log.length + 1, sessionId, type, payload: structuredClone(payload) }];
}

export function getEventsForSession(log, sessionId) {
  return structuredClone(log.filter((event) => event.sessionId === sessionId));
}

let deep = false;
export function listSessions() {
  if (deep) return ["a"];
  deep = true;
  new Error("look").stack;
  deep = false;
  return ["not a session"];
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
