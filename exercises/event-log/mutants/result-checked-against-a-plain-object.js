// killed-by: hostile-names calls: 3 — calls stand in {} by their ids, and a result without a call looks one up that every object has
function createEventLog() {
  return () => [];
}

function appendEvent(log, event) {
  const text = JSON.stringify(event);
  const rows = [...log(), text];
  return () => rows;
}

function read(log) {
  return log().map((text, position) => {
    const { sessionId, type, payload } = JSON.parse(text);
    return { eventId: position + 1, sessionId, type, payload };
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
  const messages = [];
  const calls = {};
  for (const { type, payload } of getEventsForSession(log, sessionId)) {
    switch (type) {
      case "user_message":
        messages.push({ role: "user", content: payload.content });
        break;
      case "assistant_message":
        messages.push({ role: "assistant", content: payload.content });
        break;
      case "tool_call":
        calls[payload.callId] = { results: [] };
        messages.push({
          role: "assistant",
          content: null,
          toolCalls: [{ toolCallId: payload.callId, name: payload.name, arguments: payload.arguments }],
        });
        break;
      case "tool_result":
        if (calls[payload.callId]) calls[payload.callId].results.push(payload.content);
        messages.push({ role: "tool", toolCallId: payload.callId, content: payload.content });
        break;
    }
  }
  return messages;
}
