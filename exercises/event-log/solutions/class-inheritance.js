// solution: an empty log, a class that extends it with one event, and a class for each kind of event — mastery: tamper-proof, hostile-names, scale
class Log {
  get lastId() {
    return 0;
  }
  with(event) {
    return new Extended(this, event);
  }
  toArray() {
    return [];
  }
}

class Extended extends Log {
  #before;
  #fact;
  constructor(before, event) {
    super();
    this.#before = before;
    this.#fact = Fact.from(before.lastId + 1, structuredClone(event));
  }
  get lastId() {
    return this.#fact.eventId;
  }
  toArray() {
    const facts = [];
    let log = this;
    while (log instanceof Extended) {
      facts.push(log.#fact);
      log = log.#before;
    }
    return facts.reverse();
  }
}

class Fact {
  constructor(eventId, { sessionId, type, payload }) {
    Object.assign(this, { eventId, sessionId, type, payload });
  }
  messages() {
    return [];
  }
  static from(eventId, event) {
    const Kind = KINDS.get(event.type) ?? Fact;
    return new Kind(eventId, event);
  }
}

class Said extends Fact {
  messages() {
    const role = this.type === "user_message" ? "user" : "assistant";
    return [{ role, content: structuredClone(this.payload.content) }];
  }
}

class Called extends Fact {
  messages() {
    const { callId, name, arguments: text } = this.payload;
    return [{ role: "assistant", content: null, toolCalls: [{ toolCallId: callId, name, arguments: text }] }];
  }
}

class Answered extends Fact {
  messages() {
    return [{ role: "tool", toolCallId: this.payload.callId, content: structuredClone(this.payload.content) }];
  }
}

const KINDS = new Map([
  ["user_message", Said],
  ["assistant_message", Said],
  ["tool_call", Called],
  ["tool_result", Answered],
]);

const of = (log, sessionId) => log.toArray().filter((fact) => fact.sessionId === sessionId);

export const createEventLog = () => new Log();
export const appendEvent = (log, event) => log.with(event);
export const getEventsForSession = (log, sessionId) => of(log, sessionId).map((fact) => structuredClone({ ...fact }));
export const listSessions = (log) => [...new Set(log.toArray().map((fact) => fact.sessionId))];
export const replaySession = (log, sessionId) => of(log, sessionId).flatMap((fact) => fact.messages());
