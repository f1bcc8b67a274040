// The page's side of grading. It owns the workers, sees to it that a hang ends, and puts one result together:
//
//   pass 1        all properties, quick
//   fell silent   the worker is ended; from that property on, everything again with every call announced ("trace")
//   silent again  the last call announced is where the code hangs: that property timed out, and the rest goes on
//
// A machine that is merely slow keeps announcing calls, so it is never taken for a hang.
import { assemble, bothLanguages, timedOut } from "./assemble.ts";
import { Engine, type Info, type WorkerLike } from "./engine.ts";
import { pass, type PassListener } from "./pass.ts";
import type { Fault, GradeResult, PropertyResult } from "./protocol.ts";

export interface ClientOptions {
  spawn(): WorkerLike;
  graderUrl: string;
  engineUrl: string;
  seed?: number;
  cases?: number;
  /** How long a worker may say nothing, in milliseconds; and while it announces its calls. */
  silenceMs?: number;
  tracedSilenceMs?: number;
  /** After how long a second worker is made ready, so that a restart is quick. */
  spareMs?: number;
}

export interface GradeListener extends PassListener {
  /** The grader is there; these properties will be checked. */
  ready(info: Info): void;
  /** This property fell silent; the call it is in is being found out. */
  hanging(property: string): void;
}

export type GradeOutcome =
  | { kind: "done"; result: GradeResult }
  | { kind: "stopped" }
  /** No worker would start. */
  | { kind: "unloaded"; reason: string };

export class Client {
  readonly #options: Required<ClientOptions>;
  #current: Engine | undefined;
  #spare: Engine | undefined;
  #spareTimer: ReturnType<typeof setTimeout> | undefined;
  #running: AbortController | undefined;
  #run = 0;

  constructor(options: ClientOptions) {
    this.#options = { seed: 1, cases: 100, silenceMs: 2000, tracedSilenceMs: 1200, spareMs: 1500, ...options };
  }

  get running(): boolean {
    return this.#running !== undefined;
  }

  /** Makes a worker ready, or says why none would start. Runs no learner's code. Call it again to retry. */
  async start(): Promise<Info> {
    const engine = this.#take();
    try {
      const info = await engine.ready;
      this.#keepSpare();
      return info;
    } catch (error) {
      if (this.#current === engine) this.#current = undefined;
      throw error;
    }
  }

  /** Ends what runs, in whatever phase it is. */
  stop(): void {
    this.#running?.abort();
  }

  /** Grades one source text. A run that is under way is stopped first. */
  async grade(source: string, listener: GradeListener): Promise<GradeOutcome> {
    this.stop();
    const running = new AbortController();
    this.#running = running;
    const stopped = running.signal;
    try {
      const outcome = await this.#grade(source, listener, stopped);
      // If this run cost the worker its life, the next one shall not have to wait for another.
      if (outcome.kind !== "unloaded") this.#take();
      return outcome;
    } finally {
      if (this.#running === running) this.#running = undefined;
      this.#keepSpare();
    }
  }

  async #grade(source: string, listener: GradeListener, stopped: AbortSignal): Promise<GradeOutcome> {
    const { seed, cases, silenceMs, tracedSilenceMs } = this.#options;
    const results = new Map<string, PropertyResult>();
    const hear: PassListener = {
      began: (id) => listener.began(id),
      result: (result) => {
        results.set(result.id, result);
        listener.result(result);
      },
    };
    let only: string[] | undefined;
    let trace = false;

    for (;;) {
      let info: Info | undefined;
      const engine = this.#take();
      try {
        info = await unless(stopped, engine.ready);
      } catch (error) {
        if (this.#current === engine) this.#current = undefined;
        return { kind: "unloaded", reason: error instanceof Error ? error.message : String(error) };
      }
      if (!info) return { kind: "stopped" };
      listener.ready(info);
      const { properties: infos, version } = info;
      const parts = { infos, results, cases, seed, version };

      this.#run += 1;
      const message = { kind: "grade" as const, run: this.#run, source, seed, cases, ...(only && { only }), ...(trace && { trace }) };
      const end = await pass(engine, message, { firstMs: silenceMs, silenceMs: trace ? tracedSilenceMs : silenceMs }, hear, stopped);

      if (end.kind === "stopped") return { kind: "stopped" };
      if (end.kind === "crashed") return { kind: "done", result: assemble({ ...parts, fault: crashed(end.reason) }) };
      if (end.kind === "done") {
        if (!only) return { kind: "done", result: end.result };
        for (const result of end.result.properties) if (!results.has(result.id)) results.set(result.id, result);
        const fault = end.result.fault;
        return { kind: "done", result: assemble({ ...parts, last: end.result, ...(fault && { fault }) }) };
      }

      // Silent. The first time, the same again with calls announced; the second time, it is a hang.
      if (trace) {
        const info = infos.find((p) => p.id === end.property);
        if (!info) return { kind: "done", result: assemble({ ...parts, fault: endless }) };
        hear.result(timedOut(info, end.fn));
      } else if (end.property !== undefined) {
        listener.hanging(end.property);
      }
      trace = true;
      only = infos.map((p) => p.id).filter((id) => !results.has(id));
      if (only.length === 0) return { kind: "done", result: assemble(parts) };
    }
  }

  /** The worker to use next: the one at hand, else the spare, else a new one. */
  #take(): Engine {
    if (this.#current?.alive) return this.#current;
    this.#current = this.#spare?.alive ? this.#spare : this.#spawn();
    this.#spare = undefined;
    if (this.#running) this.#keepSpare(0); // a worker was just lost, so the next may be lost too
    return this.#current;
  }

  #keepSpare(afterMs = this.#options.spareMs): void {
    clearTimeout(this.#spareTimer);
    if (this.#spare?.alive) return;
    this.#spareTimer = setTimeout(() => {
      // Only when there is one to be the spare of; and one that does not start is simply not kept.
      if (!this.#current?.alive || this.#spare?.alive) return;
      this.#spare = this.#spawn();
    }, afterMs);
  }

  #spawn(): Engine {
    const { spawn, graderUrl, engineUrl } = this.#options;
    return new Engine(spawn(), graderUrl, engineUrl);
  }
}

/** Resolves to undefined as soon as it is stopped. */
function unless<T>(stopped: AbortSignal, promise: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    if (stopped.aborted) resolve(undefined);
    stopped.addEventListener("abort", () => resolve(undefined), { once: true });
    promise.then(resolve, reject);
  });
}

const endless: Fault = {
  fault: "submission",
  kind: "ending",
  message: bothLanguages((t) => t["hang.top"]),
  line: 0,
  column: 0,
};

function crashed(reason: string): Fault {
  return { fault: "grader", kind: "grader", message: bothLanguages((t) => t["crash.worker"](reason)), line: 0, column: 0 };
}
