// A log here is a chain of small frozen nodes. Each node holds one event and points to the node before it:
//
//     empty  <──  event 1  <──  event 2  <──  event 3
//                                  ▲             ▲
//                              older log     newer log
//
// Appending makes one new node and touches nothing else. So an older log keeps its meaning for ever, two logs can
// grow from the same one, and keeping every version costs one node per event.

/** Returns an empty log: the node that every chain starts from. It holds no event. */
export function createEventLog() {
  return Object.freeze({ eventId: 0, previous: null });
}

/** Returns a new log: `log`, then `event`. */
export function appendEvent(log, event) {
  return Object.freeze({
    // One more than the newest id in the whole log, whatever session that one belongs to.
    eventId: log.eventId + 1,
    sessionId: event.sessionId,
    type: event.type,
    // The payload is kept as text. Text cannot be changed, so what the caller does to the object later
    // does not reach us. (structuredClone would be a good copy too.)
    payloadText: JSON.stringify(event.payload),
    previous: log,
  });
}

/** Returns the events of one session, the oldest first. */
export function getEventsForSession(log, sessionId) {
  return nodesOf(log)
    .filter((node) => node.sessionId === sessionId)
    .map((node) => ({
      eventId: node.eventId,
      sessionId: node.sessionId,
      type: node.type,
      // A fresh object for every reader: whoever changes it changes a copy of their own.
      payload: JSON.parse(node.payloadText),
    }));
}

/** Returns every session id once, in the order of first events. */
export function listSessions(log) {
  // A Set remembers the order in which values were first added. An object would not do: it moves keys that
  // look like integers to the front.
  return [...new Set(nodesOf(log).map((node) => node.sessionId))];
}

/** Returns the messages that one session's events fold into. */
export function replaySession(log, sessionId) {
  return getEventsForSession(log, sessionId).flatMap(toMessages);
}

// One event becomes one message, or none. It never looks at the events around it.
function toMessages({ type, payload }) {
  switch (type) {
    case "user_message":
      return [{ role: "user", content: payload.content }];
    case "assistant_message":
      return [{ role: "assistant", content: payload.content }];
    case "tool_call":
      return [
        {
          role: "assistant",
          content: null,
          toolCalls: [{ toolCallId: payload.callId, name: payload.name, arguments: payload.arguments }],
        },
      ];
    case "tool_result":
      return [{ role: "tool", toolCallId: payload.callId, content: payload.content }];
    default:
      return []; // A type that says nothing to the model. It stays in the log all the same.
  }
}

// The chain leads from the newest event back to the oldest; people read it the other way round.
function nodesOf(log) {
  const nodes = [];
  for (let node = log; node.previous !== null; node = node.previous) {
    nodes.push(node);
  }
  return nodes.reverse();
}
