// killed-by: monotonic-ids calls: 4 — the id is a hash of what the event says
function createEventLog() {
  return () => [];
}

function appendEvent(log, event) {
  const text = JSON.stringify(event);
  const rows = [...log(), text];
  return () => rows;
}

function hash(text) {
  let sum = 7;
  for (const letter of text) sum = (sum * 31 + letter.codePointAt(0)) % 1_000_003;
  return sum + 1;
}

function read(log) {
  return log().map((text) => {
    const { sessionId, type, payload } = JSON.parse(text);
    return { eventId: hash(text), sessionId, type, payload };
  });
}

function getEventsForSession(log, sessionId) {
  return read(log).filter((event) => event.sessionId === sessionId);
}

function listSessions(log) {
  const seen = read(log).map((event) => event.sessionId);
  return seen.filter((id, at) => seen.indexOf(id) === at);
}

function replaySession(log, sessionId) {
  return getEventsForSession(log, sessionId).flatMap(({ type, payload }) => {
    if (type === "user_message") return [{ role: "user", content: payload.content }];
    if (type === "assistant_message") return [{ role: "assistant", content: payload.content }];
    if (type === "tool_result") return [{ role: "tool", toolCallId: payload.callId, content: payload.content }];
    if (type !== "tool_call") return [];
    const call = { toolCallId: payload.callId, name: payload.name, arguments: payload.arguments };
    return [{ role: "assistant", content: null, toolCalls: [call] }];
  });
}

export { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
