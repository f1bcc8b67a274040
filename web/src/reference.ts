// The reference's own five functions, for the lesson's live example: the Go log itself, in the page. It is loaded only
// when the example is looked at; the worker's copy has the bytes in the browser's cache by then.
import "./bridge.ts";
import "./bridge.ts";
import type { EventLogFunctions } from "./live.ts";

interface GoRuntime {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

const NAMES = ["createEventLog", "appendEvent", "getEventsForSession", "listSessions", "replaySession"] as const;

let loading: Promise<EventLogFunctions> | undefined;

/** Loads them once; after a failure the next call tries again. */
export function loadReference(graderUrl: string): Promise<EventLogFunctions> {
  loading ??= load(graderUrl).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(graderUrl: string): Promise<EventLogFunctions> {
  await import("wasm_exec");
  const globals = globalThis as unknown as Record<string, unknown> & { Go: new () => GoRuntime };
  const go = new globals.Go();
  const { instance } = await WebAssembly.instantiateStreaming(fetch(graderUrl), go.importObject);
  void go.run(instance); // it serves calls until the page goes away
  const missing = NAMES.filter((name) => typeof globals[name] !== "function");
  if (missing.length > 0) throw new Error(`the grader does not export ${missing.join(", ")}`);
  return Object.fromEntries(NAMES.map((name) => [name, globals[name]])) as unknown as EventLogFunctions;
}
