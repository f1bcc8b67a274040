// solution: every empty log is the same frozen constant — mastery: tamper-proof, hostile-names, scale
const EMPTY = Object.freeze({ lastId: 0, tail: null });

export function createEventLog() {
  return EMPTY;
}

export function appendEvent(log, event) {
  const lastId = log.lastId + 1;
  const node = Object.freeze({ lastId, row: JSON.stringify({ eventId: lastId, ...event }), rest: log.tail });
  return Object.freeze({ lastId, tail: node });
}

function history(log) {
  const events = new Array(log.lastId);
  for (let node = log.tail; node !== null; node = node.rest) {
    events[node.lastId - 1] = JSON.parse(node.row);
  }
  return events;
}

export function getEventsForSession(log, sessionId) {
  return history(log).filter((event) => event.sessionId === sessionId);
}

export function listSessions(log) {
  return [...history(log).reduce((ids, event) => ids.add(event.sessionId), new Set())];
}

export function replaySession(log, sessionId) {
  return getEventsForSession(log, sessionId)
    .map(({ type, payload }) => {
      switch (type) {
        case "user_message":
          return { role: "user", content: payload.content };
        case "assistant_message":
          return { role: "assistant", content: payload.content };
        case "tool_call": {
          const toolCall = { toolCallId: payload.callId, name: payload.name, arguments: payload.arguments };
          return { role: "assistant", content: null, toolCalls: [toolCall] };
        }
        case "tool_result":
          return { role: "tool", toolCallId: payload.callId, content: payload.content };
      }
    })
    .filter((message) => message !== undefined);
}
