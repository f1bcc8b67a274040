// solution: a chain of full chunks of eight and a short tail that is copied — mastery: tamper-proof, hostile-names, scale
const CHUNK = 8;

export function createEventLog() {
  return { count: 0, full: null, tail: [] };
}

export function appendEvent({ count, full, tail }, event) {
  const row = JSON.stringify([count + 1, event.sessionId, event.type, event.payload]);
  const longer = [...tail, row];
  return longer.length < CHUNK
    ? { count: count + 1, full, tail: longer }
    : { count: count + 1, full: { rows: longer, before: full }, tail: [] };
}

function* rows({ full, tail }) {
  const chunks = [];
  for (let chunk = full; chunk !== null; chunk = chunk.before) chunks.unshift(chunk.rows);
  for (const chunk of [...chunks, tail]) {
    for (const row of chunk) yield JSON.parse(row);
  }
}

export function getEventsForSession(log, wanted) {
  const events = [];
  for (const [eventId, sessionId, type, payload] of rows(log)) {
    if (sessionId === wanted) events.push({ eventId, sessionId, type, payload });
  }
  return events;
}

export function listSessions(log) {
  const ids = new Set();
  for (const [, sessionId] of rows(log)) ids.add(sessionId);
  return [...ids];
}

export function replaySession(log, wanted) {
  const messages = [];
  for (const [, sessionId, type, payload] of rows(log)) {
    if (sessionId !== wanted) continue;
    switch (type) {
      case "user_message":
        messages.push({ role: "user", content: payload.content });
        break;
      case "assistant_message":
        messages.push({ role: "assistant", content: payload.content });
        break;
      case "tool_call":
        messages.push({
          role: "assistant",
          content: null,
          toolCalls: [{ toolCallId: payload.callId, name: payload.name, arguments: payload.arguments }],
        });
        break;
      case "tool_result":
        messages.push({ role: "tool", toolCallId: payload.callId, content: payload.content });
        break;
      default: // nothing to say
    }
  }
  return messages;
}
