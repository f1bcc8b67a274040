// solution: an array, and a word on the console in every call — mastery: tamper-proof, hostile-names
console.log("loading", "the event log", { version: 1 });

export function createEventLog() {
  console.info("createEventLog");
  return [];
}

export function appendEvent(log, event) {
  console.group("appendEvent");
  console.debug("log", log, "event", event);
  const longer = [...log, structuredClone({ ...event, eventId: log.length + 1 })];
  console.table(longer);
  console.groupEnd();
  return longer;
}

export function getEventsForSession(log, sessionId) {
  console.log("getEventsForSession(%o, %s)", log, sessionId);
  return log.filter((event) => event.sessionId === sessionId).map((event) => structuredClone(event));
}

export function listSessions(log) {
  console.warn("listSessions", log.length);
  return [...new Set(log.map((event) => event.sessionId))];
}

export function replaySession(log, sessionId) {
  console.error(new Error("not an error, only a visit"));
  const messages = [];
  for (const event of getEventsForSession(log, sessionId)) {
    const { content, callId, name } = event.payload;
    console.dir(event);
    if (event.type === "user_message") messages.push({ role: "user", content });
    else if (event.type === "assistant_message") messages.push({ role: "assistant", content });
    else if (event.type === "tool_result") messages.push({ role: "tool", toolCallId: callId, content });
    else if (event.type === "tool_call") {
      const call = { toolCallId: callId, name, arguments: event.payload.arguments };
      messages.push({ role: "assistant", content: null, toolCalls: [call] });
    } else console.log("nothing to say about", event.type, null, undefined, Symbol("?"), 10n, () => {});
  }
  return messages;
}
