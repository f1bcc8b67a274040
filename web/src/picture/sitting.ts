// What a person does with a live log, written down as the program that it is, so that the picture can draw it.

import type { Counterexample, Json, Step } from "../protocol.ts";
import { code } from "./json.ts";

export interface EventLogFunctions {
  createEventLog(): unknown;
  appendEvent(log: unknown, event: { sessionId: string; type: string; payload: object }): unknown;
  getEventsForSession(log: unknown, sessionId: string): object[];
  listSessions(log: unknown): string[];
  replaySession(log: unknown, sessionId: string): object[];
}

/** A log value that was made. */
export interface Version {
  name: string;
  value: unknown;
  /** The step that made it. */
  step: number;
  parent: number;
  /** What it answered when it was new. */
  answers: string;
}

/** The calls of one sitting, and the versions that they made. */
export class Sitting {
  readonly versions: Version[] = [];
  readonly calls: Step[] = [];
  held = 0;
  #toolCalls = 0;

  constructor(
    readonly log: EventLogFunctions,
    readonly sessions: readonly string[],
  ) {
    this.calls.push({ code: "const log1 = createEventLog()", fn: "createEventLog", name: "log1", outcome: {} });
    this.#keep(log.createEventLog(), -1);
  }

  get holding(): Version {
    return this.versions[this.held] as Version;
  }

  append(sessionId: string, type: string, content: string): void {
    const from = this.holding;
    const event = { sessionId, type, payload: this.#payload(type, content) };
    const value = this.log.appendEvent(from.value, event);
    const name = `log${this.versions.length + 1}`;
    this.calls.push({
      code: `const ${name} = appendEvent(${from.name}, ${code(event)})`,
      fn: "appendEvent",
      name,
      log: from.step,
      event,
      outcome: {},
    });
    this.#keep(value, this.held);
    this.held = this.versions.length - 1;
  }

  #payload(type: string, content: string): { [key: string]: Json } {
    if (type === "tool_call")
      return { callId: `c${++this.#toolCalls}`, name: "weather", arguments: JSON.stringify({ city: content }) };
    if (type === "tool_result") return { callId: `c${Math.max(1, this.#toolCalls)}`, content };
    return { content };
  }

  #keep(value: unknown, parent: number): void {
    this.versions.push({
      name: `log${this.versions.length + 1}`,
      value,
      step: this.calls.length - 1,
      parent,
      answers: this.answersOf(value),
    });
  }

  /** Everything that a version says, to be compared with what it said before. */
  answersOf(value: unknown): string {
    return JSON.stringify([
      this.log.listSessions(value),
      ...this.sessions.map((s) => [this.log.getEventsForSession(value, s), this.log.replaySession(value, s)]),
    ]);
  }

  /** The sitting as a program that ends with questions to the version that is held. */
  program(session: string): Counterexample {
    const { value, step, name } = this.holding;
    const ask = (fn: string, asked: string, outcome: Json): Step => ({
      code: `${fn}(${name}, ${code(asked)})`,
      fn,
      name: "",
      log: step,
      session: asked,
      outcome: { value: outcome },
    });
    // The newest versions tell the ids of every event, forks included.
    const tell = this.versions.flatMap((v) =>
      this.sessions.map((s): Step => ({
        ...ask("getEventsForSession", s, this.log.getEventsForSession(v.value, s) as Json),
        log: v.step,
      })),
    );
    const last = ask("replaySession", session, this.log.replaySession(value, session) as Json);
    return {
      steps: [...this.calls, ...tell, last],
      lines: [],
      test: "",
      at: -1,
      against: -1,
      actual: {},
      console: [],
      dropped: 0,
    };
  }
}
