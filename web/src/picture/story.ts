// A counterexample as a story that is told in steps: everything that stays the same while one steps through it. Lanes,
// columns and rows keep their places from the first step to the last, so that only what happens moves.

import type { Counterexample, Json } from "../protocol.ts";
import { field } from "./json.ts";
import { asks, holds, lastReached, makesLog } from "./program.ts";
import { readingAt, type Reading } from "./reading.ts";

/** A place in time: one append, or several that are left out. */
export type Column = { event: number } | { gap: number };

/** A row for a log value, or for several that are left out. */
export type LogRow = { log: number } | { gap: number };

export interface Story {
  ce: Counterexample;
  /** Session ids, in the order in which they turn up. */
  lanes: string[];
  columns: Column[];
  logs: LogRow[];
  /** What each step read, if it read. */
  readings: (Reading | undefined)[];
  /** The two readings that contradict each other ask the same question. */
  contradiction: boolean;
  /** How many readings one step shows at most. */
  rows: number;
  /** Whether messages are read, so that the types of the events matter. */
  replays: boolean;
  lists: boolean;
  /** The last step that can be shown. */
  last: number;
}

/** Above this many events, only those that matter are drawn. */
const manyEvents = 40;
const manyLanes = 12;
const manyLogs = 10;

export function tell(ce: Counterexample): Story {
  const last = lastReached(ce.steps);
  const readings = ce.steps.map((_, i) => (i <= last ? readingAt(ce, i) : undefined));
  const all = ce.steps.flatMap((s, i) => (s.fn === "appendEvent" && s.event !== undefined ? [i] : []));
  const columns = keptColumns(ce, readings, all);
  const lanes = keptLanes(ce, columns);
  return {
    ce,
    lanes,
    columns,
    logs: keptLogs(ce, columns),
    readings,
    contradiction: sameQuestion(ce),
    rows:
      readings[ce.at] !== undefined && readings[ce.against] !== undefined
        ? 2
        : readings.some((r) => r !== undefined)
          ? 1
          : 0,
    replays: ce.steps.some((s) => s.fn === "replaySession"),
    lists: ce.steps.some((s) => s.fn === "listSessions"),
    last,
  };
}

function sameQuestion(ce: Counterexample): boolean {
  const a = ce.steps[ce.against];
  const b = ce.steps[ce.at];
  if (a === undefined || b === undefined) return false;
  return (asks(b) && a.fn === b.fn && a.session === b.session) || b.fn === "look";
}

/** The events of the items that are not as they should be, at the step that shows the fault. */
function faultyEvents(ce: Counterexample, readings: (Reading | undefined)[]): Set<number> {
  const events = new Set<number>();
  for (const at of [ce.at, ce.against]) {
    for (const item of readings[at]?.items ?? []) {
      if (item.kind !== "own" && item.event >= 0 && events.size < 12) events.add(item.event);
    }
    if (ce.steps[at]?.fn === "appendEvent") events.add(at);
  }
  return events;
}

function keptColumns(ce: Counterexample, readings: (Reading | undefined)[], all: number[]): Column[] {
  if (all.length <= manyEvents) return all.map((event) => ({ event }));
  const faulty = faultyEvents(ce, readings);
  const keep = new Set([...faulty, ...all.slice(0, 3), ...all.slice(-2)]);
  // The neighbours of a fault show where it stands.
  all.forEach((event, i) => {
    if (faulty.has(all[i - 1] ?? -1) || faulty.has(all[i + 1] ?? -1)) keep.add(event);
  });
  const columns: Column[] = [];
  for (const event of all) {
    const end = columns.at(-1);
    if (keep.has(event)) columns.push({ event });
    else if (end !== undefined && "gap" in end) end.gap++;
    else columns.push({ gap: 1 });
  }
  return columns;
}

function keptLanes(ce: Counterexample, columns: Column[]): string[] {
  const asked = new Set([ce.at, ce.against].flatMap((at) => ce.steps[at]?.session ?? []));
  const every = new Set<string>();
  for (const s of ce.steps) {
    if (s.fn === "appendEvent" && s.event !== undefined) every.add(s.event.sessionId);
  }
  for (const s of ce.steps) {
    if (s.session !== undefined) every.add(s.session);
  }
  if (every.size <= manyLanes) return [...every];
  const drawn = new Set(columns.flatMap((c) => ("event" in c ? (ce.steps[c.event]?.event?.sessionId ?? []) : [])));
  return [...every].filter((s) => drawn.has(s) || asked.has(s));
}

function keptLogs(ce: Counterexample, columns: Column[]): LogRow[] {
  const made = ce.steps.flatMap((s, i) => (makesLog(s) ? [i] : []));
  const children = new Map<number, number>();
  for (const s of ce.steps) {
    if (s.fn === "appendEvent" && s.log !== undefined) children.set(s.log, (children.get(s.log) ?? 0) + 1);
  }
  const asked = new Set(
    ce.steps.flatMap((s, i) =>
      asks(s) && (made.length <= manyEvents || i === ce.at || i === ce.against) ? (s.log ?? []) : [],
    ),
  );
  const drawn = new Set(columns.flatMap((c) => ("event" in c ? [c.event] : [])));
  const rows: LogRow[] = [];
  for (const log of made) {
    const ends = (children.get(log) ?? 0) !== 1 && (drawn.has(log) || ce.steps[log]?.fn === "createEventLog");
    const keep = made.length <= manyLogs || asked.has(log) || ends;
    const end = rows.at(-1);
    if (keep) rows.push({ log });
    else if (end !== undefined && "gap" in end) end.gap++;
    else rows.push({ gap: 1 });
  }
  return rows;
}

/** The ids that the learner's code has told by this step, by the appendEvent step. The reading shown now counts most. */
export function toldIds(story: Story, step: number): Map<number, Json> {
  const ids = new Map<number, Json>();
  for (const r of story.readings.slice(0, step + 1)) {
    if (r?.of !== "events") continue;
    for (const item of r.items) {
      const id = field(item.value, "eventId");
      if (item.event >= 0 && item.kind !== "missing" && item.kind !== "twice" && id !== undefined)
        ids.set(item.event, id);
    }
  }
  return ids;
}

/** An event and the one before it in the same log, when their ids do not grow; or an event whose id is none. */
export interface BadId {
  event: number;
  before: number;
  /** The step whose answer told it. */
  reading: number;
}

/** Looks for ids that break the law of growing ids, in what was read of one log up to a step. */
export function badIds(story: Story, step: number): BadId | undefined {
  const asked = story.readings[step];
  if (asked?.of !== "events") return undefined;
  const told = new Map<number, { id: Json; reading: number }>();
  for (const r of story.readings.slice(0, step + 1)) {
    if (r?.of !== "events" || r.log !== asked.log) continue;
    for (const item of r.items) {
      if (item.kind === "own") told.set(item.event, { id: field(item.value, "eventId") ?? null, reading: r.step });
    }
  }
  let before = -1;
  for (const event of holds(story.ce.steps, asked.log)) {
    const t = told.get(event);
    if (t === undefined) continue;
    const { id } = t;
    if (typeof id !== "number" || !Number.isInteger(id) || id < 1) return { event, before: -1, reading: t.reading };
    const previous = told.get(before)?.id;
    if (typeof previous === "number" && id <= previous) return { event, before, reading: t.reading };
    before = event;
  }
  return undefined;
}

/** Whether somebody changed what this variable holds, by this step. */
export function isPencilled(story: Story, variable: number, step: number): boolean {
  return pencils(story, variable, step).length > 0;
}

/** The steps up to `step` at which somebody changed what the variable holds, the frozen ones included. */
export function pencils(story: Story, variable: number, step: number): number[] {
  return story.ce.steps
    .slice(0, step + 1)
    .flatMap((s, i) => ((s.fn === "set" || s.fn === "push") && s.target === variable ? [i] : []));
}
