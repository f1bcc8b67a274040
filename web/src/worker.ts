// The grading worker: the Go grader and the sandbox's engine live here, away from the page, so that nothing a learner writes can hold up
// the page; and the page may end this worker at any time.
import "wasm_exec";
import type { FromWorker, PropertyInfo, ToWorker } from "./protocol.ts";
import { LoadError, type OpenRealm, Stop, Submission } from "./sandbox.ts";

interface GoRuntime {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

/** What wasm/grader puts on the worker's globals. */
interface Grader {
  version: string;
  properties: string;
  warm(property: number, sandbox: SandboxForGo): boolean;
  grade(request: string, source: Uint8Array, sandbox: SandboxForGo, emit: (message: string) => void): string;
}

/**
 * The sandbox as Go calls it: plain functions that never throw. Texts cross as bytes or as ASCII, and an answer that is a string is an error, as JSON:
 * {"stop": kind, "call": n}, {"load": fault} or {"failed": text}.
 */
interface SandboxForGo {
  load(names: string): string;
  open(entropy: number): OpenRealm | string;
  run(realm: OpenRealm, program: Uint8Array): Uint8Array | string;
  reset(realm: OpenRealm): string;
  close(realm: OpenRealm): void;
  spoil(realm: OpenRealm): void;
}

const scope = globalThis as unknown as DedicatedWorkerGlobalScope & { Go: new () => GoRuntime; forgetMeNotGrader: Grader };

let engine: WebAssembly.Module;

function tell(message: FromWorker): void {
  scope.postMessage(message);
}

async function start(graderUrl: string, engineUrl: string): Promise<void> {
  const go = new scope.Go();
  const [grader, compiled] = await Promise.all([
    WebAssembly.instantiateStreaming(fetch(graderUrl), go.importObject),
    WebAssembly.compileStreaming(fetch(engineUrl)),
  ]);
  engine = compiled;
  void go.run(grader.instance); // it serves calls until the worker ends
  const { version, properties } = scope.forgetMeNotGrader;
  tell({ kind: "ready", version, properties: JSON.parse(properties) as PropertyInfo[] });
  warmUp();
}

/** A small right solution, this page's own. */
const sample = `
const createEventLog = () => [];
const appendEvent = (log, { sessionId, type, payload }) => [...log, { eventId: log.length + 1, sessionId, type, payload }];
const getEventsForSession = (log, id) => log.filter((e) => e.sessionId === id);
const listSessions = (log) => [...new Set(log.map((e) => e.sessionId))];
const replaySession = (log, id) => getEventsForSession(log, id).map(({ payload }) => ({ role: "user", content: payload.content }));
`;

let wanted = false; // somebody has asked for a grade: no more warming up

/** Does ahead of time, property by property, what the first grade would have to wait for. A grade that is asked for meanwhile goes first. */
function warmUp(number = 0): void {
  if (wanted) return;
  if (scope.forgetMeNotGrader.warm(number, sandboxOf(sample, undefined))) setTimeout(warmUp, 0, number + 1);
}

function ascii(value: unknown): string {
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}

function errorText(error: unknown): string {
  if (error instanceof Stop) return ascii({ stop: error.kind, call: error.call });
  if (error instanceof LoadError) return ascii({ load: error.fault });
  return ascii({ failed: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
}

function sandboxOf(source: string, onCall: ((call: number) => void) | undefined): SandboxForGo {
  let submission: Submission | undefined;
  return {
    load(names) {
      try {
        submission = new Submission(engine, source, JSON.parse(names) as string[], onCall);
        return "";
      } catch (error) {
        return errorText(error);
      }
    },
    open(entropy) {
      try {
        if (submission === undefined) throw new Error("nothing is loaded");
        return submission.open(entropy);
      } catch (error) {
        return errorText(error);
      }
    },
    run(realm, program) {
      try {
        return realm.run(program);
      } catch (error) {
        return errorText(error);
      }
    },
    reset(realm) {
      try {
        realm.reset();
        return "";
      } catch (error) {
        return errorText(error);
      }
    },
    close(realm) {
      realm.close();
    },
    spoil(realm) {
      realm.spoil();
    },
  };
}

function grade(message: Extract<ToWorker, { kind: "grade" }>): void {
  const { run } = message;
  let calls: string[] = [];
  const onCall = message.trace
    ? (call: number): void => tell({ kind: "call", run, call, fn: calls[call] ?? "" })
    : undefined;
  const sandbox = sandboxOf(message.source, onCall);
  if (onCall !== undefined) {
    const plain = sandbox.run;
    sandbox.run = (realm, program) => {
      calls = functionsOf(program);
      return plain(realm, program);
    };
  }
  const request = ascii({ seed: message.seed, cases: message.cases, only: message.only ?? null });
  const source = new TextEncoder().encode(message.source);
  const result = scope.forgetMeNotGrader.grade(request, source, sandbox, (text) => {
    const heard = JSON.parse(text) as { began: string } | { result: Extract<FromWorker, { kind: "result" }>["result"] };
    if ("began" in heard) tell({ kind: "began", run, property: heard.began });
    else tell({ kind: "result", run, result: heard.result });
  });
  tell({ kind: "done", run, result: JSON.parse(result) as Extract<FromWorker, { kind: "done" }>["result"] });
}

/** The function of each call of an encoded program. */
function functionsOf(program: Uint8Array): string[] {
  const [names, calls] = JSON.parse(new TextDecoder().decode(program)) as [string[], [number][]];
  return calls.map((call) => names[call[0]] ?? "");
}

scope.onmessage = ({ data }: MessageEvent<ToWorker>): void => {
  if (data.kind === "start") {
    start(data.graderUrl, data.engineUrl).catch((error: unknown) => tell({ kind: "failed", message: String(error) }));
    return;
  }
  wanted = true;
  grade(data);
};
