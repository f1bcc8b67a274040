// killed-by: scale calls: 2000 — a linked list, but every node keeps all messages so far, ready to be told
function createEventLog() {
  return { lastId: 0, event: null, before: null, told: [] };
}

function appendEvent(log, event) {
  const copy = structuredClone(event);
  const told = [...log.told, { sessionId: copy.sessionId, message: messageFor(copy.type, copy.payload) }];
  return { lastId: log.lastId + 1, event: copy, before: log, told };
}

function toArray(log) {
  const events = [];
  for (let node = log; node.event !== null; node = node.before) {
    events.push({ eventId: node.lastId, ...structuredClone(node.event) });
  }
  return events.reverse();
}

function getEventsForSession(log, sessionId) {
  return toArray(log).filter((event) => event.sessionId === sessionId);
}

function listSessions(log) {
  return [...new Set(toArray(log).map((event) => event.sessionId))];
}

function replaySession(log, sessionId) {
  return log.told
    .filter((each) => each.sessionId === sessionId && each.message !== null)
    .map((each) => structuredClone(each.message));
}

function messageFor(type, payload) {
  if (type === "user_message") return { role: "user", content: payload.content };
  if (type === "assistant_message") return { role: "assistant", content: payload.content };
  if (type === "tool_result") return { role: "tool", toolCallId: payload.callId, content: payload.content };
  if (type !== "tool_call") return null;
  const call = { toolCallId: payload.callId, name: payload.name, arguments: payload.arguments };
  return { role: "assistant", content: null, toolCalls: [call] };
}
