// solution: a log is a number, a table that only grows says what each number means — mastery: tamper-proof, hostile-names, scale
const table = [{ parent: 0, depth: 0, row: "" }]; // number 0 is every empty log

export function createEventLog() {
  return 0;
}

export function appendEvent(log, event) {
  const depth = table[log].depth + 1;
  return table.push({ parent: log, depth, row: JSON.stringify({ ...event, eventId: depth }) }) - 1;
}

function read(log) {
  const events = [];
  while (log !== 0) {
    events.push(JSON.parse(table[log].row));
    log = table[log].parent;
  }
  return events.reverse();
}

export function getEventsForSession(log, sessionId) {
  return read(log).filter((event) => event.sessionId === sessionId);
}

export function listSessions(log) {
  return [...new Set(read(log).map((event) => event.sessionId))];
}

export function replaySession(log, sessionId) {
  const messages = [];
  for (const { type, payload } of getEventsForSession(log, sessionId)) {
    if (type === "user_message") messages.push({ role: "user", content: payload.content });
    else if (type === "assistant_message") messages.push({ role: "assistant", content: payload.content });
    else if (type === "tool_result") {
      messages.push({ role: "tool", toolCallId: payload.callId, content: payload.content });
    } else if (type === "tool_call") {
      const { callId, name } = payload;
      messages.push({
        role: "assistant",
        content: null,
        toolCalls: [{ toolCallId: callId, name, arguments: payload.arguments }],
      });
    }
  }
  return messages;
}
