// solution: every log has the earlier log for its prototype — mastery: tamper-proof, hostile-names, scale
export function createEventLog() {
  return Object.create(null);
}

export function appendEvent(log, event) {
  const eventId = (log.eventId ?? 0) + 1; // found on the nearest log in the chain
  return Object.create(log, { eventId: { value: eventId }, text: { value: JSON.stringify(event) } });
}

function eventsOf(log) {
  const events = [];
  for (let at = log; at?.eventId; at = Object.getPrototypeOf(at)) {
    events.push({ eventId: at.eventId, ...JSON.parse(at.text) });
  }
  return events.reverse();
}

export const getEventsForSession = (log, id) => eventsOf(log).filter((event) => event.sessionId === id);

export const listSessions = (log) => [...new Set(eventsOf(log).map((event) => event.sessionId))];

export function replaySession(log, id) {
  const out = [];
  for (const { type, payload } of getEventsForSession(log, id)) {
    switch (type) {
      case "user_message":
        out.push({ role: "user", content: payload.content });
        continue;
      case "assistant_message":
        out.push({ role: "assistant", content: payload.content });
        continue;
      case "tool_call":
        out.push({
          role: "assistant",
          content: null,
          toolCalls: [{ toolCallId: payload.callId, name: payload.name, arguments: payload.arguments }],
        });
        continue;
      case "tool_result":
        out.push({ role: "tool", toolCallId: payload.callId, content: payload.content });
    }
  }
  return out;
}
