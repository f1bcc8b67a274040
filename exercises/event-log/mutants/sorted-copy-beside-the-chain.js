// killed-by: scale calls: 2000 — a chain, and beside it a copied list of all ids for quick look-up
const createEventLog = () => ({ ids: [], node: null });

const appendEvent = ({ ids, node }, event) => {
  const eventId = ids.length + 1;
  return { ids: [...ids, eventId], node: { eventId, text: JSON.stringify(event), before: node } };
};

const history = ({ ids, node }) => {
  const events = [];
  for (let at = node; at !== null; at = at.before) {
    const { sessionId, type, payload } = JSON.parse(at.text);
    events[ids.indexOf(at.eventId)] = { eventId: at.eventId, sessionId, type, payload };
  }
  return events;
};

const getEventsForSession = (log, sessionId) => history(log).filter((event) => event.sessionId === sessionId);

const listSessions = (log) => [...new Set(history(log).map((event) => event.sessionId))];

function replaySession(log, sessionId) {
  return getEventsForSession(log, sessionId).reduce((messages, { type, payload }) => {
    const message = messageFor(type, payload);
    return message === null ? messages : [...messages, message];
  }, []);
}

function messageFor(type, payload) {
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
    default:
      return null;
  }
}

export default { createEventLog, appendEvent, getEventsForSession, listSessions, replaySession };
