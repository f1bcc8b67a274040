// killed-by: independence calls: 7 — a fork cuts its parent where it left it, but not the parent's parent
// A branch holds its own events, and the place on another branch where it began.
function createEventLog() {
  return { branch: { start: null, events: [] }, length: 0 };
}

function appendEvent({ branch, length }, event) {
  const stored = { eventId: eventsOf({ branch, length }).length + 1, ...structuredClone(event) };
  if (branch.events.length === length) {
    branch.events.push(stored);
    return { branch, length: length + 1 };
  }
  return { branch: { start: { branch, length }, events: [stored] }, length: 1 };
}

function eventsOf({ branch, length }) {
  let events = branch.events.slice(0, length);
  const { start } = branch;
  if (start !== null) events = [...start.branch.events.slice(0, start.length), ...events];
  for (let up = start?.branch.start ?? null; up !== null; up = up.branch.start) {
    events = [...up.branch.events, ...events];
  }
  return events;
}

function getEventsForSession(log, sessionId) {
  return structuredClone(eventsOf(log).filter((event) => event.sessionId === sessionId));
}

function listSessions(log) {
  return [...new Set(eventsOf(log).map((event) => event.sessionId))];
}

function replaySession(log, sessionId) {
  const messages = [];
  for (const event of getEventsForSession(log, sessionId)) {
    const { content, callId, name } = event.payload;
    if (event.type === "user_message") {
      messages.push({ role: "user", content });
    } else if (event.type === "assistant_message") {
      messages.push({ role: "assistant", content });
    } else if (event.type === "tool_call") {
      const call = { toolCallId: callId, name, arguments: event.payload.arguments };
      messages.push({ role: "assistant", content: null, toolCalls: [call] });
    } else if (event.type === "tool_result") {
      messages.push({ role: "tool", toolCallId: callId, content });
    }
  }
  return messages;
}
