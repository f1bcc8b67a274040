// solution: one default export, a class with static methods — mastery: tamper-proof, hostile-names, scale
export default class EventLog {
  constructor(event = null, before = null) {
    this.event = event;
    this.before = before;
    Object.freeze(this);
  }

  static createEventLog() {
    return new EventLog();
  }

  static appendEvent(log, { sessionId, type, payload }) {
    const eventId = (log.event?.eventId ?? 0) + 3;
    const body = JSON.stringify(payload);
    return new EventLog(Object.freeze({ eventId, sessionId, type, body }), log);
  }

  static getEventsForSession(log, wanted) {
    const events = [];
    for (let { event, before } = log; event !== null; { event, before } = before) {
      const { eventId, sessionId, type, body } = event;
      if (sessionId === wanted) events.push({ eventId, sessionId, type, payload: JSON.parse(body) });
    }
    return events.reverse();
  }

  static listSessions(log) {
    const newestFirst = [];
    for (let at = log; at.event !== null; at = at.before) newestFirst.push(at.event.sessionId);
    return [...new Set(newestFirst.reverse())];
  }

  static replaySession(log, sessionId) {
    return EventLog.getEventsForSession(log, sessionId).flatMap(({ type, payload }) => {
      if (type === "user_message") return { role: "user", content: payload.content };
      if (type === "assistant_message") return { role: "assistant", content: payload.content };
      if (type === "tool_result") return { role: "tool", toolCallId: payload.callId, content: payload.content };
      if (type !== "tool_call") return [];
      const { callId, name, arguments: json } = payload;
      return { role: "assistant", content: null, toolCalls: [{ toolCallId: callId, name, arguments: json }] };
    });
  }
}
