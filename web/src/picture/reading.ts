// What one question was answered with, item by item, beside what the program says the log holds.

import type { Counterexample, Json, Outcome, Step } from "../protocol.ts";
import { align } from "./align.ts";
import { difference, differingPaths, isOpen } from "./difference.ts";
import { equal, field, isObject, likeness } from "./json.ts";
import { eventJson, firstEvents, holds, messageOf } from "./program.ts";
import type { Kind } from "./words.ts";

export type Subject = "events" | "messages" | "sessions" | "value";

/** One item of an answer, or one that is missing from it. */
export interface Item {
  kind: Kind;
  /** The appendEvent step whose event it is, or that it comes from; -1 when no event is known for it. */
  event: number;
  value: Json;
  /** The places that changed, as in code. */
  fields: string[];
}

/** A question with its answer. */
export interface Reading {
  step: number;
  of: Subject;
  /** The log value that was asked; -1 for a variable that is looked at. */
  log: number;
  session?: string;
  items: Item[];
  /** Set when no list came back at all. */
  failed?: Outcome;
}

/** Something that should come back, and the event that it comes from. */
interface Wanted {
  event: number;
  value: Json;
}

const subjects = new Map<string, Subject>([
  ["getEventsForSession", "events"],
  ["replaySession", "messages"],
  ["listSessions", "sessions"],
  ["look", "value"],
  ["value", "value"],
]);

/** The reading that a step made, or undefined when it read nothing. */
export function readingAt(ce: Counterexample, at: number): Reading | undefined {
  const step = ce.steps[at];
  const of = subjects.get(step?.fn ?? "");
  if (step === undefined || of === undefined) return undefined;
  const expected = at === ce.at ? ce.expected : undefined;
  if (of === "value") return variable(ce.steps, at, step, expected);
  const reading: Reading = { step: at, of, log: step.log ?? -1, items: [] };
  if (step.session !== undefined) reading.session = step.session;
  const got = step.outcome.value;
  if (!Array.isArray(got)) {
    // A call that was never reached has no outcome at all, and says nothing.
    if (Object.keys(step.outcome).length > 0) reading.failed = step.outcome;
    return reading;
  }
  const want = wanted(ce.steps, reading, expected);
  reading.items = judge(ce.steps, reading, want, got);
  return reading;
}

/** A variable that the program itself holds: as handed in, or as it is now. */
function variable(steps: readonly Step[], at: number, step: Step, expected: Json | undefined): Reading {
  const made = step.fn === "look" ? (step.target ?? -1) : at;
  const source = steps[made];
  const want = expected ?? (source?.event === undefined ? undefined : eventJson(source.event));
  const got = step.outcome.value ?? (step.fn === "value" ? want : undefined);
  const reading: Reading = { step: at, of: "value", log: -1, items: [] };
  if (got === undefined) {
    reading.failed = step.outcome;
    return reading;
  }
  const fields = want === undefined ? [] : differingPaths(difference(want, got));
  const event = steps.findIndex((s) => s.fn === "appendEvent" && s.target === made);
  reading.items = [{ kind: fields.length > 0 ? "changed" : "own", event, value: got, fields }];
  return reading;
}

/** What the program says should come back; where the grader says it too, its words count. */
function wanted(steps: readonly Step[], r: Reading, expected: Json | undefined): Wanted[] {
  const own = ownItems(steps, r);
  if (!Array.isArray(expected)) return own;
  return align(own, expected, (w, e) => likenessOf(r.of, w.value, e))
    .filter((p) => p.got >= 0)
    .map((p) => ({ event: own[p.want]?.event ?? -1, value: expected[p.got] as Json }));
}

function ownItems(steps: readonly Step[], r: Reading): Wanted[] {
  if (r.of === "sessions") return [...firstEvents(steps, r.log)].map(([value, event]) => ({ event, value }));
  return itemsOf(
    steps,
    r.of,
    holds(steps, r.log).filter((at) => steps[at]?.event?.sessionId === r.session),
  );
}

function itemsOf(steps: readonly Step[], of: Subject, events: number[]): Wanted[] {
  return events.flatMap((event) => {
    const e = steps[event]?.event;
    if (e === undefined) return [];
    const value = of === "messages" ? messageOf(e) : of === "sessions" ? e.sessionId : eventJson(e);
    return value === undefined ? [] : [{ event, value }];
  });
}

/** Everything else that was ever appended before: where a stranger in the answer may come from. The same log's first. */
function others(steps: readonly Step[], r: Reading): Wanted[] {
  const own = holds(steps, r.log);
  const mine = new Set(own);
  const rest = steps.slice(0, r.step).flatMap((s, i) => (s.fn === "appendEvent" && !mine.has(i) ? [i] : []));
  const strangers = own.filter((at) => steps[at]?.event?.sessionId !== r.session);
  return itemsOf(steps, r.of, r.of === "sessions" ? rest : [...strangers, ...rest]);
}

/** How alike what was wanted and what came are. An event may bring more keys, and its id may be left open. */
function likenessOf(of: Subject, want: Json, got: Json): number {
  if (of !== "events" || !isObject(want) || !isObject(got)) return likeness(want, got);
  const keys = Object.keys(want).filter((k) => !isOpen(k, want[k]));
  if (keys.every((k) => equal(want[k], field(got, k)))) return 1;
  let sum = 0;
  for (const k of keys) sum += likeness(want[k], field(got, k));
  return Math.min(0.99, sum / Math.max(1, keys.length));
}

function judge(steps: readonly Step[], r: Reading, want: Wanted[], got: Json[]): Item[] {
  const same = (w: Wanted, g: Json) => likenessOf(r.of, w.value, g) === 1;
  // What is exactly somebody else's is no changed item of one's own. (Another id alone does not make it somebody else's.)
  const abroad = others(steps, r);
  const own = [...want, ...ownItems(steps, r)];
  const foreign = new Map<number, number>();
  const taken = new Set<number>();
  got.forEach((g, i) => {
    if (own.some((w) => same(w, g))) return;
    const from = abroad.find((w) => !taken.has(w.event) && same(w, g));
    if (from === undefined) return;
    foreign.set(i, from.event);
    taken.add(from.event);
  });
  const candidates = got.map((_, i) => i).filter((i) => !foreign.has(i));
  const pairs = align(want, candidates, (w, i) => likenessOf(r.of, w.value, got[i] as Json));
  const at = new Map<number, Item>();
  const lost: { before: number; wanted: Wanted }[] = [];
  const extra: number[] = [];
  let before = -1;
  for (const p of pairs) {
    const w = want[p.want];
    const g = candidates[p.got];
    if (w !== undefined && g !== undefined) {
      at.set(g, paired(w, got[g] as Json, r.of));
      before = g;
    } else if (w !== undefined) lost.push({ before, wanted: w });
    else if (g !== undefined) extra.push(g);
  }
  for (const g of extra) {
    const value = got[g] as Json;
    const elsewhere = lost.findIndex((l) => same(l.wanted, value));
    if (elsewhere >= 0) {
      const [l] = lost.splice(elsewhere, 1);
      at.set(g, { kind: "moved", event: l?.wanted.event ?? -1, value, fields: [] });
      continue;
    }
    at.set(
      g,
      stranger(
        want,
        abroad.filter((w) => !taken.has(w.event)),
        value,
        same,
      ),
    );
    const from = at.get(g);
    if (from?.kind === "foreign") taken.add(from.event);
  }
  for (const [g, event] of foreign) at.set(g, { kind: "foreign", event, value: got[g] as Json, fields: [] });
  const items = got.map((_, i) => at.get(i) as Item);
  for (const l of lost.reverse()) {
    items.splice(l.before + 1, 0, { kind: "missing", event: l.wanted.event, value: l.wanted.value, fields: [] });
  }
  return items;
}

function paired(want: Wanted, got: Json, of: Subject): Item {
  if (likenessOf(of, want.value, got) === 1) return { kind: "own", event: want.event, value: got, fields: [] };
  // An event may have more keys than the law names.
  const fields = differingPaths(difference(want.value, got)).filter(
    (p) => of !== "events" || field(want.value, p.split(/[.[]/)[0] ?? "") !== undefined,
  );
  return { kind: "changed", event: want.event, value: got, fields };
}

/** An item too many: one that came before, one from elsewhere, or from nowhere. */
function stranger(want: Wanted[], abroad: Wanted[], value: Json, same: (w: Wanted, g: Json) => boolean): Item {
  const from = abroad.find((w) => same(w, value));
  if (from !== undefined) return { kind: "foreign", event: from.event, value, fields: [] };
  const again = want.find((w) => same(w, value));
  return { kind: again === undefined ? "unknown" : "twice", event: again?.event ?? -1, value, fields: [] };
}
