// solution: versions share one array, each knows how much of it is theirs; a fork copies — mastery: tamper-proof, hostile-names, scale
export function createEventLog() {
  return { store: [], length: 0 };
}

export function appendEvent(log, event) {
  // Whoever stands at the end of the store may extend it. Anybody else takes a copy of their own part.
  const store = log.store.length === log.length ? log.store : log.store.slice(0, log.length);
  store.push({ eventId: log.length + 1, ...structuredClone(event) });
  return { store, length: log.length + 1 };
}

export function getEventsForSession({ store, length }, sessionId) {
  const found = [];
  for (let at = 0; at < length; at += 1) {
    if (store[at].sessionId === sessionId) found.push(structuredClone(store[at]));
  }
  return found;
}

export function listSessions({ store, length }) {
  const ids = new Set();
  for (let at = 0; at < length; at += 1) ids.add(store[at].sessionId);
  return [...ids];
}

export function replaySession(log, sessionId) {
  const messages = [];
  for (const { type, payload } of getEventsForSession(log, sessionId)) {
    switch (type) {
      case "user_message":
      case "assistant_message":
        messages.push({ role: type === "user_message" ? "user" : "assistant", content: payload.content });
        break;
      case "tool_call": {
        const { callId, name, arguments: args } = payload;
        messages.push({ role: "assistant", content: null, toolCalls: [{ toolCallId: callId, name, arguments: args }] });
        break;
      }
      case "tool_result":
        messages.push({ role: "tool", toolCallId: payload.callId, content: payload.content });
    }
  }
  return messages;
}
