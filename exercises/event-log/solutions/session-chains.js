// solution: a chain for the whole log, and in every node the way back to the same session's event before — mastery: tamper-proof, hostile-names, scale
export function createEventLog() {
  return { size: 0, sessionId: undefined, before: null, sameSession: null };
}

export function appendEvent(log, event) {
  return {
    size: log.size + 1,
    sessionId: event.sessionId,
    type: event.type,
    payload: structuredClone(event.payload),
    before: log,
    sameSession: newestOf(log, event.sessionId),
  };
}

function newestOf(log, sessionId) {
  let node = log;
  while (node !== null && node.sessionId !== sessionId) node = node.before;
  return node;
}

function chain(log, sessionId) {
  const nodes = [];
  for (let node = newestOf(log, sessionId); node !== null; node = node.sameSession) nodes.unshift(node);
  return nodes;
}

export function getEventsForSession(log, sessionId) {
  return chain(log, sessionId).map(({ size, type, payload }) => ({
    eventId: size,
    sessionId,
    type,
    payload: structuredClone(payload),
  }));
}

export function listSessions(log) {
  const firsts = [];
  for (let node = log; node.before !== null; node = node.before) {
    if (node.sameSession === null) firsts.unshift(node.sessionId);
  }
  return firsts;
}

export function replaySession(log, sessionId) {
  const messages = [];
  for (const { type, payload } of getEventsForSession(log, sessionId)) {
    if (type === "user_message") messages.push({ role: "user", content: payload.content });
    if (type === "assistant_message") messages.push({ role: "assistant", content: payload.content });
    if (type === "tool_call") {
      const { callId: toolCallId, name, arguments: args } = payload;
      messages.push({ role: "assistant", content: null, toolCalls: [{ toolCallId, name, arguments: args }] });
    }
    if (type === "tool_result") messages.push({ role: "tool", toolCallId: payload.callId, content: payload.content });
  }
  return messages;
}
