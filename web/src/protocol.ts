// What the page and the grading worker say to each other. The grader itself (Go, in the worker) writes the results;
// their shapes are those of grader/report.go and wasm/grader/result.go.

/** A text in the languages that the page speaks. */
export interface Words {
  en: string;
  zh: string;
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export type Verdict = "pass" | "fail" | "timeout" | "crash" | "nondeterministic" | "error" | "notrun";
export type Tier = "required" | "mastery";

/** One row of the exercise's table. */
export interface PropertyInfo {
  id: string;
  tier: Tier;
  title: Words;
  law: Words;
}

/** What one call came to: exactly one key is present, or none for a log value or an assignment. */
export interface Outcome {
  value?: Json;
  threw?: string;
  unreadable?: string;
  /** Not a JSON value at all: "undefined", "Promise", "Map", "NaN", "no answer"… */
  wrong?: string;
}

/** One call of a counterexample's program. */
export interface Step {
  /** The statement as code, e.g. `const log2 = appendEvent(log1, {…})`. */
  code: string;
  /** createEventLog, appendEvent, getEventsForSession, listSessions, replaySession; or a verb: value, look, set, push, memory. */
  fn: string;
  /** The variable that holds the result in the code; "" if none. */
  name: string;
  /** The step that made the log value which this call was given. */
  log?: number;
  /** appendEvent, value: the event as it was handed in. */
  event?: { sessionId: string; type: string; payload: Json };
  /** getEventsForSession, replaySession: the session asked for. */
  session?: string;
  /** look, set, push, and appendEvent of a variable: the step that made the variable. */
  target?: number;
  /** set, push: where in the variable, e.g. ["payload", "content"] or [0, "type"]. */
  path?: (string | number)[];
  outcome: Outcome;
}

export interface Counterexample {
  steps: Step[];
  /** The code to show where it is not one line a step (a loop); otherwise the steps' own code. */
  lines: string[];
  /** A self-contained test to paste below one's own functions. */
  test: string;
  /** The step whose answer shows the fault. */
  at: number;
  /** An earlier step that it contradicts, or -1. */
  against: number;
  /** What the law wants at that step; absent where the law only forbids. */
  expected?: Json;
  actual: Outcome;
  /** What the learner's code printed during this program. */
  console: string[];
  dropped: number;
}

export interface PropertyResult extends PropertyInfo {
  verdict: Verdict;
  cases: number;
  durationMs: number;
  /** Empty for a pass. */
  message: Words;
  counterexample?: Counterexample;
}

/** Why nothing could be run; `line` and `column` are 1-based, 0 when not known. */
export interface Fault {
  fault: "submission" | "grader";
  kind: "empty" | "too-large" | "syntax" | "threw" | "import" | "ending" | "memory" | "stack" | "grader";
  message: Words;
  line: number;
  column: number;
}

export interface GradeResult {
  verdict: "pass" | "fail" | "error";
  score: { earned: number; possible: number };
  mastery: { earned: number; possible: number };
  cases: number;
  seed: number;
  properties: PropertyResult[];
  fault?: Fault;
  /** The report of DESIGN.md, as JSON text, for export. */
  report: string;
}

export type ToWorker =
  /** Compile the modules; answered by "ready" or "failed". */
  | { kind: "start"; graderUrl: string; engineUrl: string }
  /** Grade; `only` limits it to these properties (the rest of a run that was cut off). */
  | { kind: "grade"; run: number; source: string; seed: number; cases: number; only?: string[]; trace?: boolean };

export type FromWorker =
  | { kind: "ready"; version: string; properties: PropertyInfo[] }
  | { kind: "failed"; message: string }
  /** A property begins. */
  | { kind: "began"; run: number; property: string }
  | { kind: "result"; run: number; result: PropertyResult }
  /** With trace: call `call` of a program begins; the last one heard before a kill is where the code hangs. */
  | { kind: "call"; run: number; call: number; fn: string }
  | { kind: "done"; run: number; result: GradeResult };
