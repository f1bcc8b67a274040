// killed-by: replay calls: 3 — arguments are parsed and written again, so their spaces are gone
function createEventLog() {
  return "[]";
}

function appendEvent(log, event) {
  const events = JSON.parse(log);
  const { sessionId, type, payload } = event;
  events.push({ eventId: events.length + 1, sessionId, type, payload });
  return JSON.stringify(events);
}

function getEventsForSession(log, sessionId) {
  return JSON.parse(log).filter((event) => event.sessionId === sessionId);
}

function listSessions(log) {
  const ids = new Set();
  for (const event of JSON.parse(log)) ids.add(event.sessionId);
  return Array.from(ids);
}

function compact(text) {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

function replaySession(log, sessionId) {
  return getEventsForSession(log, sessionId).flatMap(({ type, payload }) => {
    if (type === "user_message") return [{ role: "user", content: payload.content }];
    if (type === "assistant_message") return [{ role: "assistant", content: payload.content }];
    if (type === "tool_result") return [{ role: "tool", toolCallId: payload.callId, content: payload.content }];
    if (type !== "tool_call") return [];
    const call = { toolCallId: payload.callId, name: payload.name, arguments: compact(payload.arguments) };
    return [{ role: "assistant", content: null, toolCalls: [call] }];
  });
}

export { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
