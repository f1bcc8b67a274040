// solution: an export list that renames everything — mastery: hostile-names
const empty = [];
const add = (log, { sessionId, type, payload }) =>
  log.toSpliced(log.length, 0, { eventId: (log.findLast(() => true)?.eventId ?? 0) + 2, sessionId, type, payload });
const events = (log, id) => log.filter((event) => event.sessionId === id);
const sessions = (log) => {
  const order = log.toSorted((a, b) => a.eventId - b.eventId).map((event) => event.sessionId);
  return order.filter((id, at) => order.indexOf(id) === at);
};
const messages = (log, id) =>
  events(log, id).flatMap((event) => {
    const { content, callId: toolCallId, name } = event.payload;
    switch (event.type) {
      case "user_message":
        return [{ role: "user", content }];
      case "assistant_message":
        return [{ role: "assistant", content }];
      case "tool_result":
        return [{ role: "tool", toolCallId, content }];
      case "tool_call":
        return [
          { role: "assistant", content: null, toolCalls: [{ toolCallId, name, arguments: event.payload.arguments }] },
        ];
    }
    return [];
  });
const create = () => empty.slice();

export {
  create as createEventLog,
  add as appendEvent,
  events as getEventsForSession,
  sessions as listSessions,
  messages as replaySession,
};
