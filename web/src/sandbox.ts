// The sandbox in the page's worker: the same engine and the same harness.js as in the command, driven in the same way.
// grader/jsrun is its twin in Go; a change here is made there too, and a test compares the verdicts and counterexamples of both.
//
// A realm is one WebAssembly instance with a submission in it. The submission sees a JavaScript engine and nothing else: not this
// worker's globals, not postMessage, no clock but a counted one.
import harness from "../../grader/jsrun/harness.js";

/** The limits of grader/jsrun. */
const limits = {
  memory: 64 << 20,
  fuel: 500,
  stack: 256 << 10,
  output: 16 << 20,
  gcThreshold: 4 << 20,
};
/** Memory to spare in a realm that is kept; grader/jsrun says what for. */
const slack = 2 << 20;

const epoch = 1_767_225_600_000_000_000n;
const clockStep = 100_000n;
const entropyStep = 86_461_234_567_891n;

const evalScript = 0;
const evalModule = 1;
const evalBarrier = 1 << 6;

type Pointer = number;

interface Exports {
  memory: WebAssembly.Memory;
  [name: string]: unknown;
}

export type StopKind = "fuel" | "stack" | "memory" | "output";

/** The realm ended the submission's code in this call (-1: it cannot tell which). */
export class Stop extends Error {
  constructor(
    readonly kind: StopKind,
    readonly call: number,
  ) {
    super(`stopped in call ${call}: out of ${kind}`);
  }
}

/** Why a file cannot be loaded; the kinds of property.LoadError. */
export interface LoadFault {
  kind: "syntax" | "threw" | "import" | "ending" | "memory" | "stack";
  name: string;
  text: string;
  line: number;
  column: number;
}

export class LoadError extends Error {
  constructor(readonly fault: LoadFault) {
    super(`${fault.kind}: ${fault.name} ${fault.text}`);
  }
}

function fault(kind: LoadFault["kind"], name = "", text = "", line = 0, column = 0): LoadError {
  return new LoadError({ kind, name, text, line, column });
}

class NoRoom extends Error {}
class TooLong extends Error {}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** One instance of the engine with the harness in it. */
class Realm {
  readonly #e: Exports;
  readonly #undefined: Pointer;
  readonly #api: Pointer;
  readonly #run: Pointer;
  #fuel = limits.fuel;
  #spent = false;
  #marks = 0;
  #clock: bigint;
  #random: bigint;
  #snapshot: { memory: Uint8Array; size: number; clock: bigint } | undefined;
  #imported = "";

  constructor(module: WebAssembly.Module, entropy: number, trace: ((call: number) => void) | undefined) {
    this.#clock = epoch + BigInt(entropy) * entropyStep;
    this.#random = BigInt(entropy) * 2654435761n + 1n;
    const badFile = (): number => 8;
    const instance = new WebAssembly.Instance(module, {
      env: {
        host_get_timezone_offset: () => 0,
        host_interrupt: () => {
          this.#fuel--;
          if (this.#fuel < 0) {
            this.#spent = true;
            return 1;
          }
          return 0;
        },
        host_promise_rejection: () => {},
        host_module_normalize: (_base: Pointer, name: Pointer) => {
          this.#imported ||= this.#cString(name);
          return 0;
        },
        host_module_load: () => 0,
        host_call: (_name: Pointer, length: number) => {
          if (length === "mark".length) {
            trace?.(this.#marks++);
            return this.#call("qjs_dup_value", this.#undefined);
          }
          this.#call("qjs_run_gc");
          return this.#call("qjs_new_number", this.#call("qjs_get_allocated_size") >>> 0);
        },
      },
      wasi_snapshot_preview1: {
        clock_time_get: (_id: number, _precision: bigint, at: Pointer) => {
          this.#clock += clockStep;
          new DataView(this.#e.memory.buffer).setBigUint64(at, this.#clock, true);
          return 0;
        },
        random_get: (at: Pointer, n: number) => {
          const bytes = new Uint8Array(this.#e.memory.buffer, at, n);
          for (let i = 0; i < n; i++) {
            this.#random = BigInt.asUintN(64, this.#random * 6364136223846793005n + 1442695040888963407n);
            bytes[i] = Number(this.#random >> 56n);
          }
          return 0;
        },
        fd_close: badFile,
        fd_fdstat_get: badFile,
        fd_seek: badFile,
        fd_write: badFile,
      },
    });
    this.#e = instance.exports as unknown as Exports;
    this.#call("_initialize");
    this.#call("qjs_init");
    this.#call("qjs_set_memory_limit", limits.memory);
    this.#call("qjs_set_max_stack_size", limits.stack);
    this.#call("qjs_set_gc_threshold", limits.gcThreshold);
    this.#call("qjs_set_interrupt_handler", 1);
    this.#call("qjs_set_module_loader", 1);
    this.#undefined = this.#call("qjs_get_undefined");
    const code = this.#write(harness);
    const start = this.#call("qjs_eval", code.at, code.length, this.#write("host.js").at, evalScript);
    const host = this.#call("qjs_new_object");
    for (const name of trace === undefined ? ["memory"] : ["memory", "mark"]) {
      const text = this.#write(name);
      this.#call("qjs_set_prop_string", host, text.at, this.#call("qjs_new_host_function", text.at, text.length, 0));
    }
    const argv = this.#call("wasm_malloc", 4);
    new DataView(this.#e.memory.buffer).setUint32(argv, host, true);
    this.#api = this.#call("qjs_call", start, this.#undefined, 1, argv);
    this.#run = this.#harnessFunction("run");
    if (this.#call("qjs_is_exception", this.#run) !== 0) throw new Error("the harness does not start");
  }

  #call(name: string, ...args: number[]): number {
    return (this.#e[name] as (...args: number[]) => number)(...args);
  }

  #cString(at: Pointer): string {
    const bytes = new Uint8Array(this.#e.memory.buffer);
    let end = at;
    while (bytes[end] !== 0 && end - at <= 300) end++;
    return decoder.decode(bytes.subarray(at, end));
  }

  /** Puts a NUL-terminated text into the engine's memory; the caller frees it. */
  #write(text: string | Uint8Array): { at: Pointer; length: number } {
    const bytes = typeof text === "string" ? encoder.encode(text) : text;
    const at = this.#call("wasm_malloc", bytes.length + 1);
    if (at === 0) throw new NoRoom();
    const memory = new Uint8Array(this.#e.memory.buffer);
    memory.set(bytes, at);
    memory[at + bytes.length] = 0;
    return { at, length: bytes.length };
  }

  #newText(text: string | Uint8Array): Pointer {
    const { at, length } = this.#write(text);
    const value = this.#call("qjs_new_string", at, length);
    this.#call("wasm_free", at);
    return value;
  }

  #harnessFunction(name: string): Pointer {
    return this.#call("qjs_get_prop_string", this.#api, this.#write(name).at);
  }

  /** Calls a function of the realm and reads its answer as UTF-8; an exception's value comes back instead. */
  #invoke(fn: Pointer, ...args: Pointer[]): { text: Uint8Array } | { exception: Pointer } {
    const argv = this.#call("wasm_malloc", 4 * args.length + 4);
    if (argv === 0) throw new NoRoom();
    const view = new DataView(this.#e.memory.buffer);
    args.forEach((arg, i) => view.setUint32(argv + 4 * i, arg, true));
    const out = this.#call("qjs_call", fn, this.#undefined, args.length, argv);
    this.#call("wasm_free", argv);
    if (this.#call("qjs_is_exception", out) !== 0) return { exception: this.#call("qjs_get_exception") };
    const text = this.#readText(out);
    this.#call("qjs_free_value", out);
    return { text };
  }

  #readText(value: Pointer): Uint8Array {
    const lengthAt = this.#call("wasm_malloc", 4);
    if (lengthAt === 0) throw new NoRoom();
    const at = this.#call("qjs_get_string_len", value, lengthAt);
    if (at === 0) throw new NoRoom();
    const length = new DataView(this.#e.memory.buffer).getUint32(lengthAt, true);
    if (length > limits.output) throw new TooLong();
    const text = new Uint8Array(this.#e.memory.buffer, at, length).slice();
    this.#call("qjs_free_cstring", at);
    this.#call("wasm_free", lengthAt);
    return text;
  }

  /** Executes an encoded program and returns its transcript, both UTF-8. */
  run(program: Uint8Array): Uint8Array {
    this.#fuel = limits.fuel;
    this.#spent = false;
    this.#marks = 0;
    try {
      const arg = this.#newText(program);
      const out = this.#invoke(this.#run, arg);
      if (this.#spent) throw new Stop("fuel", this.#where());
      if ("exception" in out) throw new Stop("memory", this.#where());
      this.#call("qjs_free_value", arg);
      return out.text;
    } catch (error) {
      if (error instanceof Stop) throw error;
      if (this.#spent) throw new Stop("fuel", this.#where());
      if (error instanceof TooLong) throw new Stop("output", this.#where());
      // The engine itself gave up: it met the end of its memory where no JavaScript could catch that, or trapped.
      throw new Stop("memory", this.#where());
    }
  }

  /** Asks the harness which call was under way; -1 when it cannot tell any more. */
  #where(): number {
    this.#fuel = limits.fuel;
    this.#spent = false;
    try {
      const out = this.#invoke(this.#harnessFunction("where"));
      const call = "text" in out ? Number(decoder.decode(out.text)) : -1;
      return Number.isInteger(call) ? call : -1;
    } catch {
      return -1;
    }
  }

  /** Runs code to its end and answers its value: for a module, its namespace. */
  eval(code: string | Uint8Array, flags: number): Pointer {
    this.#fuel = limits.fuel;
    this.#spent = false;
    this.#imported = "";
    try {
      const text = this.#write(code);
      const value = this.#call("qjs_eval", text.at, text.length, this.#write("solution.js").at, flags);
      if (this.#call("qjs_is_exception", value) !== 0) throw this.loadError(this.#call("qjs_get_exception"));
      while (!this.#spent && this.#call("qjs_is_job_pending") !== 0) this.#call("qjs_execute_pending_job");
      if (this.#spent) throw fault("ending");
      if ((flags & evalModule) === 0) return value;
      const state = this.#call("qjs_promise_state", value);
      const pending = 0;
      const rejected = 2;
      if (state === pending) throw fault("ending");
      const result = this.#call("qjs_promise_result", value);
      if (state === rejected) throw this.loadError(result);
      return result;
    } catch (error) {
      if (error instanceof LoadError) throw error;
      throw fault(this.#spent ? "ending" : "memory");
    }
  }

  loadError(exception: Pointer): LoadError {
    if (this.#spent) return fault("ending");
    if (this.#imported !== "") return fault("import", "", this.#imported);
    let described: { name: string; message: string; line: number; column: number };
    try {
      const out = this.#invoke(this.#harnessFunction("describe"), exception);
      if (!("text" in out)) return fault("memory");
      described = JSON.parse(decoder.decode(out.text)) as typeof described;
    } catch {
      return fault("memory");
    }
    const { name, message, line, column } = described;
    if (message === "out of memory") return fault("memory", name, message, line, column);
    if (message === "Maximum call stack size exceeded" || message === "stack overflow") return fault("stack", name, message, line, column);
    return fault(name === "SyntaxError" ? "syntax" : "threw", name, message, line, column);
  }

  /** Finds the submission's functions. */
  bind(names: string[], namespace: Pointer | undefined, globals: Pointer | undefined): string {
    this.#fuel = limits.fuel;
    this.#spent = false;
    try {
      const out = this.#invoke(
        this.#harnessFunction("bind"),
        this.#newText(JSON.stringify(names)),
        namespace ?? this.#undefined,
        globals ?? this.#undefined,
      );
      if (this.#spent) throw fault("ending");
      if ("exception" in out) throw this.loadError(out.exception);
      return decoder.decode(out.text);
    } catch (error) {
      if (error instanceof LoadError) throw error;
      throw fault(this.#spent ? "ending" : "memory");
    }
  }

  keep(): void {
    const used = this.#e.memory.buffer.byteLength;
    const spare = this.#call("wasm_malloc", slack);
    if (spare !== 0) this.#call("wasm_free", spare);
    this.#snapshot = {
      memory: new Uint8Array(this.#e.memory.buffer, 0, used).slice(),
      size: this.#e.memory.buffer.byteLength,
      clock: this.#clock,
    };
  }

  /** Puts the memory back to what keep saw; false when it has grown, and a new instance is the way. */
  restore(): boolean {
    const kept = this.#snapshot;
    if (kept === undefined || this.#e.memory.buffer.byteLength !== kept.size) return false;
    new Uint8Array(this.#e.memory.buffer).set(kept.memory);
    this.#clock = kept.clock;
    return true;
  }
}

const moduleSyntax = /^\s*(export|import)\b/m;

/** A learner's file, loaded; it opens realms. */
export class Submission {
  readonly #module: WebAssembly.Module;
  readonly #source: Uint8Array;
  readonly #text: string;
  readonly #names: string[];
  readonly #trace: ((call: number) => void) | undefined;
  #isModule = false;
  #warm: Realm | undefined;

  /** Throws a LoadError when the file cannot be loaded. */
  constructor(module: WebAssembly.Module, source: string, names: string[], trace: ((call: number) => void) | undefined) {
    this.#module = module;
    this.#text = source.startsWith("\ufeff") ? source.slice(1) : source;
    this.#source = encoder.encode(this.#text);
    this.#names = names;
    this.#trace = trace;
    this.#warm = this.#load(0);
  }

  #load(entropy: number): Realm {
    if (this.#isModule) return this.#loadAs(entropy, true);
    try {
      return this.#loadAs(entropy, false);
    } catch (asScript) {
      if (!(asScript instanceof LoadError) || asScript.fault.kind !== "syntax") throw asScript;
      // Not a script: perhaps a module. That is tried in a realm of its own, so that all realms of a module are made in one way.
      try {
        const realm = this.#loadAs(entropy, true);
        this.#isModule = true;
        return realm;
      } catch (asModule) {
        const neither = asModule instanceof LoadError && asModule.fault.kind === "syntax" && !moduleSyntax.test(this.#text);
        throw neither ? asScript : asModule;
      }
    }
  }

  #loadAs(entropy: number, module: boolean): Realm {
    const realm = new Realm(this.#module, entropy, this.#trace);
    const value = realm.eval(this.#source, (module ? evalModule : evalScript) | evalBarrier);
    let globals: Pointer | undefined;
    if (!module) {
      // Plain declarations can be seen only by a script in the same realm.
      const picked = this.#names.map((n) => `${n}:typeof ${n}==='undefined'?undefined:${n}`);
      try {
        globals = realm.eval(`({__proto__:null,${picked.join()}})`, evalScript);
      } catch (error) {
        if (!(error instanceof LoadError) || error.fault.kind === "ending") throw error;
      }
    }
    realm.bind(this.#names, module ? value : undefined, globals);
    realm.keep();
    return realm;
  }

  open(entropy: number): OpenRealm {
    const warm = this.#warm;
    if (warm !== undefined && entropy === 0) {
      this.#warm = undefined;
      if (warm.restore()) return new OpenRealm(this, warm, entropy);
    }
    return new OpenRealm(this, this.#load(entropy), entropy);
  }

  /** For OpenRealm alone. */
  fresh(entropy: number): Realm {
    return this.#load(entropy);
  }

  /** For OpenRealm alone: takes a sound realm back to use it again. */
  giveBack(realm: Realm): void {
    this.#warm ??= realm;
  }
}

/** A realm in use. */
export class OpenRealm {
  readonly #submission: Submission;
  readonly #entropy: number;
  #realm: Realm;
  #broken = false;

  constructor(submission: Submission, realm: Realm, entropy: number) {
    this.#submission = submission;
    this.#realm = realm;
    this.#entropy = entropy;
  }

  run(program: Uint8Array): Uint8Array {
    try {
      return this.#realm.run(program);
    } catch (error) {
      this.#broken = true;
      throw error;
    }
  }

  /** A step that ran out of something was caught by the harness; the grader saw it in the transcript. */
  spoil(): void {
    this.#broken = true;
  }

  reset(): void {
    if (!this.#broken && this.#realm.restore()) return;
    this.#realm = this.#submission.fresh(this.#entropy);
    this.#broken = false;
  }

  close(): void {
    if (!this.#broken && this.#entropy === 0) this.#submission.giveBack(this.#realm);
  }
}
