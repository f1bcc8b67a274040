// solution: CommonJS, one object for module.exports — mastery: tamper-proof, hostile-names
"use strict";

const copy = (value) => JSON.parse(JSON.stringify(value));

function createEventLog() {
  return { events: [] };
}

function appendEvent(log, event) {
  const previous = log.events[log.events.length - 1];
  const eventId = previous ? previous.eventId + 10 : 10;
  return { events: log.events.concat(Object.assign(copy(event), { eventId })) };
}

function getEventsForSession(log, sessionId) {
  return copy(log.events.filter((event) => event.sessionId === sessionId));
}

function listSessions(log) {
  return log.events.map((event) => event.sessionId).filter((id, i, ids) => ids.indexOf(id) === i);
}

function replaySession(log, sessionId) {
  const messages = [];
  getEventsForSession(log, sessionId).forEach(function (event) {
    const p = event.payload;
    switch (event.type) {
      case "user_message":
        messages.push({ role: "user", content: p.content });
        break;
      case "assistant_message":
        messages.push({ role: "assistant", content: p.content });
        break;
      case "tool_call":
        messages.push({
          role: "assistant",
          content: null,
          toolCalls: [{ toolCallId: p.callId, name: p.name, arguments: p.arguments }],
        });
        break;
      case "tool_result":
        messages.push({ role: "tool", toolCallId: p.callId, content: p.content });
        break;
    }
  });
  return messages;
}

module.exports = { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
