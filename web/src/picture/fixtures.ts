// Counterexamples for the tests: small programs, run on implementations with the fault that each is about, so that the
// answers are those that such code gives.

import type { Counterexample, Json } from "../protocol.ts";
import { eventJson, messageOf } from "./program.ts";
import { Program, right, user, type Event, type Stored } from "./recorder.ts";

export { Program, right, user };

const plain = (sessionId: string): Event => ({ sessionId, type: "a", payload: {} });

/** appendEvent pushes into the old array. */
export function immutability(): Counterexample {
  const p = new Program({
    ...right,
    append: (log, event) => {
      (log as Stored[]).push({ eventId: (log as Stored[]).length + 1, ...structuredClone(event) });
      return log;
    },
  });
  const log = p.create();
  const before = p.get(log, "a");
  p.append(log, plain("a"));
  const again = p.get(log, "a");
  return p.done(again, { against: before, expected: [] });
}

/** A prefix of a session's id is taken for the session. */
export function isolation(): Counterexample {
  const p = new Program({
    ...right,
    get: (log, session) => (log as Stored[]).filter((e) => e.sessionId.startsWith(session)),
  });
  const log = p.append(p.append(p.create(), user("sess_1", "m1")), user("sess_10", "m2"));
  const at = p.get(log, "sess_1");
  return p.done(at, { expected: [{ eventId: 1, ...user("sess_1", "m1") }] });
}

/** Each session counts its own ids. */
export function monotonicIds(): Counterexample {
  const p = new Program({
    ...right,
    append: (log, event) => [
      ...(log as Stored[]),
      { eventId: (log as Stored[]).filter((e) => e.sessionId === event.sessionId).length + 1, ...event },
    ],
  });
  const log = p.append(p.append(p.create(), plain("red")), plain("blue"));
  const first = p.get(log, "red");
  const at = p.get(log, "blue");
  return p.done(at, { against: first });
}

const call = (callId: string, name: string): Event => ({
  sessionId: "red",
  type: "tool_call",
  payload: { callId, name, arguments: "{}" },
});

/** Two calls side by side become one message. */
export function replay(): Counterexample {
  const p = new Program({
    ...right,
    replay: (log, session) => {
      const messages: { [key: string]: Json }[] = [];
      for (const e of (log as Stored[]).filter((each) => each.sessionId === session)) {
        const m = messageOf(e) as { [key: string]: Json };
        const last = messages.at(-1)?.["toolCalls"];
        if (Array.isArray(last) && Array.isArray(m["toolCalls"])) last.push(...m["toolCalls"]);
        else messages.push(m);
      }
      return messages;
    },
  });
  let log = p.append(p.create(), user("red", "How warm is it?"));
  log = p.append(log, call("c1", "weather"));
  log = p.append(log, call("c2", "clock"));
  const at = p.replay(log, "red");
  return p.done(at, {
    expected: right.replay([user("red", "How warm is it?"), call("c1", "weather"), call("c2", "clock")], "red") as Json,
  });
}

/** Object.keys sorts ids that look like integers. */
export function sessions(): Counterexample {
  const p = new Program({
    ...right,
    list: (log) => Object.keys(Object.fromEntries((log as Stored[]).map((e) => [e.sessionId, 1]))),
  });
  const log = p.append(p.append(p.append(p.create(), plain("red")), plain("10")), plain("9"));
  const at = p.list(log);
  return p.done(at, { expected: ["red", "10", "9"] });
}

/** Two forks write into one shared array. */
export function independence(): Counterexample {
  const p = new Program({
    ...right,
    create: () => ({ all: [], n: 0 }),
    append: (log, event) => {
      const l = log as { all: Stored[]; n: number };
      l.all.push({ eventId: l.all.length + 1, ...event });
      return { all: l.all, n: l.all.length };
    },
    get: (log, session) => {
      const l = log as { all: Stored[]; n: number };
      return l.all.slice(0, l.n).filter((e) => e.sessionId === session);
    },
  });
  const root = p.append(p.create(), user("red", "m1"));
  p.append(root, user("red", "m2"));
  const fork = p.append(root, user("red", "m3"));
  const at = p.get(fork, "red");
  return p.done(at, {
    expected: [
      { eventId: 1, ...user("red", "m1") },
      { eventId: 3, ...user("red", "m3") },
    ],
  });
}

/** The event that was handed in is kept, not copied. */
export function tamperEvent(): Counterexample {
  const p = new Program({
    ...right,
    append: (log, event) => [...(log as Stored[]), { eventId: (log as Stored[]).length + 1, ...event }],
  });
  const event = p.value(user("red", "m1"));
  const log = p.append(p.create(), event);
  const before = p.get(log, "red");
  p.set(event, ["payload", "content"], "changed");
  const at = p.get(log, "red");
  return p.done(at, { against: before, expected: p.answer(before) });
}

/** The stored events themselves are handed out. */
export function tamperAnswer(): Counterexample {
  const p = new Program(right);
  const log = p.append(p.append(p.create(), user("red", "m1")), user("red", "m2"));
  const before = p.get(log, "red");
  p.set(before, [1, "type"], "changed");
  const at = p.get(log, "red");
  return p.done(at, { against: before, expected: p.answer(before) });
}

/** The event that was handed in is frozen. */
export function frozen(): Counterexample {
  const p = new Program({
    ...right,
    append: (log, event) => [...(log as Stored[]), { eventId: 1, ...Object.freeze(event) }],
  });
  const event = p.value(plain("red"));
  p.append(p.create(), event);
  const at = p.set(event, ["type"], "changed");
  return p.done(at, { against: event });
}

/** The argument comes back with an id in it. */
export function purity(): Counterexample {
  const p = new Program({
    ...right,
    append: (log, event) => [...(log as Stored[]), Object.assign(event, { eventId: (log as Stored[]).length + 1 })],
  });
  const event = p.value(plain("red"));
  p.append(p.create(), event);
  const at = p.look(event);
  return p.done(at, { against: event, expected: eventJson(plain("red")) });
}

/** A counter beside the functions: the same history gets other ids. */
export function purityIds(): Counterexample {
  let next = 0;
  const p = new Program({ ...right, append: (log, event) => [...(log as Stored[]), { eventId: ++next, ...event }] });
  const one = p.append(p.create(), plain("red"));
  const before = p.get(one, "red");
  const two = p.append(p.create(), plain("red"));
  const at = p.get(two, "red");
  return p.done(at, { against: before, expected: p.answer(before) });
}

export function lostEvents(): Counterexample {
  const p = new Program({ ...right, get: (log, session) => (right.get(log, session) as Stored[]).slice(-2) });
  let log = p.create();
  for (const n of [1, 2, 3]) log = p.append(log, user("red", `m${n}`));
  const at = p.get(log, "red");
  return p.done(at, { expected: [1, 2, 3].map((n) => ({ eventId: n === 1 ? "any id" : n, ...user("red", `m${n}`) })) });
}

/** Newest first. */
export function reversed(): Counterexample {
  const p = new Program({ ...right, get: (log, session) => (right.get(log, session) as Stored[]).reverse() });
  const log = p.append(p.append(p.create(), user("red", "m1")), user("red", "m2"));
  const at = p.get(log, "red");
  return p.done(at, { expected: [1, 2].map((n) => ({ eventId: n, ...user("red", `m${n}`) })) });
}

export function twice(): Counterexample {
  const p = new Program({
    ...right,
    get: (log, session) => (right.get(log, session) as Stored[]).flatMap((e) => [e, e]),
  });
  const log = p.append(p.create(), user("red", "m1"));
  const at = p.get(log, "red");
  return p.done(at, { expected: [{ eventId: 1, ...user("red", "m1") }] });
}

export function threw(): Counterexample {
  const p = new Program({
    ...right,
    get: () => {
      throw new TypeError("Cannot read properties of undefined (reading 'events')");
    },
  });
  const at = p.get(p.create(), "nobody");
  return p.done(at);
}

export function timeout(): Counterexample {
  const p = new Program(right);
  const log = p.append(p.create(), plain("red"));
  const at = p.list(log);
  p.stops();
  p.get(log, "red");
  for (const s of p.steps.slice(at + 1)) s.outcome = {};
  return p.done(at);
}

/** Session ids that an eye cannot tell apart, or that turn the page around. */
export function hostile(): Counterexample {
  const p = new Program({
    ...right,
    get: (log, session) =>
      (log as Stored[]).filter((e) => e.sessionId.trim().normalize("NFC") === session.trim().normalize("NFC")),
  });
  let log = p.create();
  const names = [
    "a",
    "a ",
    "é",
    "e\u0301",
    "\u202egnp.exe",
    "שלום",
    "line\nend\0",
    "__proto__",
    "a very long session id that goes on and on, number 1",
    "a very long session id that goes on and on, number 2",
  ];
  for (const name of names) log = p.append(log, user(name, "m"));
  const at = p.get(log, "a");
  return p.done(at, { expected: [{ eventId: 1, ...user("a", "m") }] });
}

/** Every version is a copy. */
export function scale(): Counterexample {
  const p = new Program(right);
  let log = p.create();
  const readings: number[] = [];
  for (let i = 0; i < 400; i++) {
    if (i === 100 || i === 200) readings.push(p.memory(90_000 + i * i * 8));
    log = p.append(log, user("red", `m${i}`));
  }
  readings.push(p.memory(90_000 + 400 * 400 * 8));
  const lines = [
    "const versions = [createEventLog()]",
    "for (let i = 0; i < 400; i++) {",
    '  versions.push(appendEvent(versions[i], { sessionId: "red", type: "user_message", payload: { content: "m" + i } }))',
    "}",
    "// memory held is measured after 100, 200 and 400 events",
  ];
  return p.done(readings[2] ?? -1, { against: readings[1] ?? -1, lines });
}

/** Only the last fifty events are kept. */
export function manyEvents(): Counterexample {
  const p = new Program({
    ...right,
    get: (log, session) => right.get((log as Stored[]).slice(-50), session) as Stored[],
  });
  let log = p.create();
  for (let i = 1; i <= 51; i++) log = p.append(log, user(i % 3 === 0 ? "blue" : "red", `m${i}`));
  const at = p.get(log, "red");
  const own = Array.from({ length: 51 }, (_, i) => i + 1).filter((i) => i % 3 !== 0);
  return p.done(at, { expected: own.map((n) => ({ eventId: n === 1 ? "any id" : n, ...user("red", `m${n}`) })) });
}

export const fixtures: Record<string, () => Counterexample> = {
  immutability,
  isolation,
  monotonicIds,
  replay,
  sessions,
  independence,
  tamperEvent,
  tamperAnswer,
  frozen,
  purity,
  purityIds,
  lostEvents,
  reversed,
  twice,
  threw,
  timeout,
  hostile,
  scale,
  manyEvents,
};
