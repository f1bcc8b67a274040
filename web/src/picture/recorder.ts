// Programs that write themselves down while they run, for the fixtures and the tests.

import type { Counterexample, Json, Outcome, Step } from "../protocol.ts";
import { code } from "./json.ts";
import { messageOf } from "./program.ts";

export type Event = { sessionId: string; type: string; payload: { [key: string]: Json } };
export type Stored = Event & { eventId: Json };
type Log = unknown;

interface Functions {
  create(): Log;
  append(log: Log, event: Event): Log;
  get(log: Log, session: string): unknown;
  list(log: Log): unknown;
  replay(log: Log, session: string): unknown;
}

/** A right implementation, to be spoilt in one place. */
export const right: Functions = {
  create: () => [],
  append: (log, event) => [...(log as Stored[]), { eventId: (log as Stored[]).length + 1, ...structuredClone(event) }],
  get: (log, session) => (log as Stored[]).filter((e) => e.sessionId === session),
  list: (log) => [...new Set((log as Stored[]).map((e) => e.sessionId))],
  replay: (log, session) => (log as Stored[]).filter((e) => e.sessionId === session).flatMap((e) => messageOf(e) ?? []),
};

/** Writes a program down while it runs. */
export class Program {
  readonly steps: Step[] = [];
  #values: unknown[] = [];
  #count = new Map<string, number>();

  constructor(readonly fn: Functions) {}

  create(): number {
    const name = this.#name("log");
    return this.#call(
      { code: `const ${name} = createEventLog()`, fn: "createEventLog", name },
      () => this.fn.create(),
      true,
    );
  }

  append(log: number, event: Event | number): number {
    const name = this.#name("log");
    const variable = typeof event === "number";
    const given = variable ? (this.#values[event] as Event) : event;
    const text = variable ? (this.steps[event]?.name ?? "") : code(given);
    const step: Omit<Step, "outcome"> = {
      code: `const ${name} = appendEvent(${this.#nameOf(log)}, ${text})`,
      fn: "appendEvent",
      name,
      log,
      event: structuredClone(given),
      ...(variable ? { target: event } : {}),
    };
    return this.#call(step, () => this.fn.append(this.#values[log], given), true);
  }

  get(log: number, session: string): number {
    return this.#ask("getEventsForSession", "events", log, session, () => this.fn.get(this.#values[log], session));
  }

  replay(log: number, session: string): number {
    return this.#ask("replaySession", "messages", log, session, () => this.fn.replay(this.#values[log], session));
  }

  list(log: number): number {
    const name = this.#name("sessions");
    const step = { code: `const ${name} = listSessions(${this.#nameOf(log)})`, fn: "listSessions", name, log };
    return this.#call(step, () => this.fn.list(this.#values[log]));
  }

  value(event: Event): number {
    const name = this.#name("event");
    return this.#call(
      { code: `const ${name} = ${code(event)}`, fn: "value", name, event: structuredClone(event) },
      () => structuredClone(event),
    );
  }

  look(target: number): number {
    return this.#call({ code: this.#nameOf(target), fn: "look", name: "", target }, () => this.#values[target]);
  }

  set(target: number, path: (string | number)[], to: Json): number {
    const place = path.map((k) => (typeof k === "number" ? `[${k}]` : `.${k}`)).join("");
    return this.#call(
      { code: `${this.#nameOf(target)}${place} = ${code(to)}`, fn: "set", name: "", target, path },
      () => {
        let at = this.#values[target] as Record<string | number, unknown>;
        for (const k of path.slice(0, -1)) at = at[k] as Record<string | number, unknown>;
        at[path.at(-1) ?? ""] = to;
      },
    );
  }

  push(target: number, to: Json): number {
    return this.#call(
      { code: `${this.#nameOf(target)}.push(${code(to)})`, fn: "push", name: "", target, path: [] },
      () => {
        (this.#values[target] as Json[]).push(to);
      },
    );
  }

  memory(bytes: number): number {
    return this.#call({ code: "memory in use", fn: "memory", name: "" }, () => bytes);
  }

  /** The last call never comes back. */
  stops(): void {
    const last = this.steps.at(-1);
    if (last !== undefined) last.outcome = { wrong: "no answer" };
  }

  done(at: number, rest: Partial<Counterexample> = {}): Counterexample {
    const actual: Outcome = this.steps[at]?.outcome ?? {};
    return {
      steps: this.steps,
      lines: this.steps.map((s) => s.code),
      test: "",
      at,
      against: -1,
      actual,
      console: [],
      dropped: 0,
      ...rest,
    };
  }

  answer(step: number): Json {
    return this.steps[step]?.outcome.value ?? null;
  }

  #ask(fn: string, base: string, log: number, session: string, run: () => unknown): number {
    const name = this.#name(base);
    return this.#call(
      { code: `const ${name} = ${fn}(${this.#nameOf(log)}, ${code(session)})`, fn, name, log, session },
      run,
    );
  }

  #nameOf(step: number): string {
    return this.steps[step]?.name ?? "";
  }

  #name(base: string): string {
    const n = (this.#count.get(base) ?? 0) + 1;
    this.#count.set(base, n);
    return `${base}${n}`;
  }

  #call(step: Omit<Step, "outcome">, run: () => unknown, opaque = false): number {
    let outcome: Outcome = {};
    let value: unknown;
    try {
      value = run();
      if (!opaque && step.fn !== "set" && step.fn !== "push")
        outcome = value === undefined ? { wrong: "undefined" } : { value: structuredClone(value) as Json };
    } catch (error) {
      outcome = { threw: String(error) };
    }
    this.#values.push(value);
    this.steps.push({ ...step, outcome });
    return this.steps.length - 1;
  }
}

export const user = (sessionId: string, content: Json = "hi"): Event => ({
  sessionId,
  type: "user_message",
  payload: { content },
});
