// solution: one default export, an object whose methods call each other through this — mastery: tamper-proof, hostile-names
export default {
  createEventLog() {
    return { count: 0, rows: [] };
  },

  appendEvent(log, event) {
    const eventId = log.count + 1;
    return { count: eventId, rows: [...log.rows, JSON.stringify({ ...event, eventId })] };
  },

  getEventsForSession(log, sessionId) {
    return log.rows.map((row) => JSON.parse(row)).filter((event) => event.sessionId === sessionId);
  },

  listSessions(log) {
    const ids = new Set();
    for (const row of log.rows) ids.add(JSON.parse(row).sessionId);
    return Array.from(ids);
  },

  replaySession(log, sessionId) {
    const messages = [];
    for (const { type, payload } of this.getEventsForSession(log, sessionId)) {
      if (type === "user_message") messages.push({ role: "user", content: payload.content });
      if (type === "assistant_message") messages.push({ role: "assistant", content: payload.content });
      if (type === "tool_call") {
        const { callId, name, arguments: text } = payload;
        messages.push({ role: "assistant", content: null, toolCalls: [{ toolCallId: callId, name, arguments: text }] });
      }
      if (type === "tool_result") messages.push({ role: "tool", toolCallId: payload.callId, content: payload.content });
    }
    return messages;
  },
};
