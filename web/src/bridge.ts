// What the Go reference needs of JavaScript and cannot do itself: throw, hand a text over unchanged (as ASCII JSON), and hear that a log
// is no longer used. Importing this module puts it in place, before the Go program begins.

type Answer = { value: unknown } | { error: string };

const numbers = new WeakMap<object, number>();

const bridge = {
  /** Set by Go: drops the log with this number. */
  release: undefined as ((log: number) => void) | undefined,

  /** Makes a function that throws what the inner one answers as an error. */
  throwing(name: string, inner: (...args: unknown[]) => Answer): (...args: unknown[]) => unknown {
    const fn = (...args: unknown[]): unknown => {
      const answer = inner(...args);
      if ("error" in answer) throw new TypeError(`${name}: ${answer.error}`);
      return answer.value;
    };
    return Object.defineProperty(fn, "name", { value: name });
  },

  /** A log as JavaScript sees it: an object with nothing in it. */
  log(number: number): object {
    const log = Object.freeze(Object.create(null)) as object;
    numbers.set(log, number);
    unused.register(log, number);
    return log;
  },

  /** The number of a log; 0 for anything else. */
  numberOf(value: unknown): number {
    return (typeof value === "object" && value !== null && numbers.get(value)) || 0;
  },

  parse: (text: string): unknown => JSON.parse(text),

  ascii: (value: unknown): string =>
    (JSON.stringify(value) ?? "null").replace(/[\u007f-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0")),
};

const unused = new FinalizationRegistry<number>((number) => bridge.release?.(number));

Object.assign(globalThis, { forgetMeNotBridge: bridge });
