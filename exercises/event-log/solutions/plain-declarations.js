// solution: five function declarations and no export at all — mastery: tamper-proof, hostile-names
function createEventLog() {
  return [];
}

function appendEvent(log, event) {
  var copy = structuredClone(event);
  copy.eventId = log.length + 1;
  var longer = log.slice();
  longer.push(copy);
  return longer;
}

function getEventsForSession(log, sessionId) {
  var result = [];
  for (var i = 0; i < log.length; i++) {
    if (log[i].sessionId === sessionId) {
      result[result.length] = structuredClone(log[i]);
    }
  }
  return result;
}

function listSessions(log) {
  var result = [];
  for (var i = 0; i < log.length; i++) {
    if (result.indexOf(log[i].sessionId) === -1) {
      result.push(log[i].sessionId);
    }
  }
  return result;
}

function replaySession(log, sessionId) {
  var events = getEventsForSession(log, sessionId);
  var messages = [];
  for (var i = 0; i < events.length; i++) {
    var type = events[i].type;
    var p = events[i].payload;
    if (type === "user_message") {
      messages.push({ role: "user", content: p.content });
    } else if (type === "assistant_message") {
      messages.push({ role: "assistant", content: p.content });
    } else if (type === "tool_call") {
      messages.push({
        role: "assistant",
        content: null,
        toolCalls: [{ toolCallId: p.callId, name: p.name, arguments: p.arguments }],
      });
    } else if (type === "tool_result") {
      messages.push({ role: "tool", toolCallId: p.callId, content: p.content });
    }
  }
  return messages;
}
