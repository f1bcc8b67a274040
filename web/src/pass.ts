// One pass: one "grade" message to one worker, until it is done, silent, stopped or broken. The watchdog is here.
import type { Engine } from "./engine.ts";
import type { FromWorker, GradeResult, PropertyResult, ToWorker } from "./protocol.ts";

export type PassEnd =
  | { kind: "done"; result: GradeResult }
  /** Nothing was heard for too long: in this property (if one had begun) and this call (if it was traced). */
  | { kind: "silent"; property?: string; fn?: string }
  | { kind: "stopped" }
  | { kind: "crashed"; reason: string };

export interface PassListener {
  began(property: string): void;
  result(result: PropertyResult): void;
}

/** Messages that wait in the queue when the timer fires, after a busy moment of the page, get this long to be heard. */
const GRACE_MS = 60;

export interface Patience {
  /** How long nothing may be heard, in milliseconds. */
  silenceMs: number;
  /** The same before the first message: the code has to be read and started first. */
  firstMs: number;
}

/** Runs one pass. An engine that fell silent, was stopped or crashed is dead afterwards; a done one can be used again. */
export function pass(
  engine: Engine,
  message: Extract<ToWorker, { kind: "grade" }>,
  { silenceMs, firstMs }: Patience,
  listener: PassListener,
  stopped: AbortSignal,
): Promise<PassEnd> {
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout>;
    let property: string | undefined;
    let fn: string | undefined;

    const end = (outcome: PassEnd): void => {
      clearTimeout(timer);
      stopped.removeEventListener("abort", onStop);
      if (outcome.kind === "done") engine.release();
      else engine.kill();
      resolve(outcome);
    };
    const onStop = (): void => end({ kind: "stopped" });
    const silent = (): void =>
      end({ kind: "silent", ...(property !== undefined && { property }), ...(fn !== undefined && { fn }) });
    const listen = (ms = silenceMs): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        timer = setTimeout(silent, GRACE_MS);
      }, ms);
    };

    const hear = (heard: FromWorker): void => {
      if (!("run" in heard) || heard.run !== message.run) return;
      listen();
      switch (heard.kind) {
        case "began":
          property = heard.property;
          fn = undefined;
          listener.began(heard.property);
          break;
        case "result":
          property = undefined;
          fn = undefined;
          listener.result(heard.result);
          break;
        case "call":
          fn = heard.fn;
          break;
        case "done":
          end({ kind: "done", result: heard.result });
      }
    };

    if (stopped.aborted) {
      engine.release();
      resolve({ kind: "stopped" });
      return;
    }
    stopped.addEventListener("abort", onStop);
    listen(firstMs);
    engine.send(message, { message: hear, crashed: (reason) => end({ kind: "crashed", reason }) });
  });
}
