// The scene: what the picture shows of a story at one step. Pure, and without a coordinate; layout.ts gives it a place.

import type { Json, Outcome, Words } from "../protocol.ts";
import { code, field } from "./json.ts";
import { holds, makesLog } from "./program.ts";
import type { Item, Reading } from "./reading.ts";
import { plainText } from "./text.ts";
import { badIds, isPencilled, pencils, toldIds, type BadId, type Story } from "./story.ts";
import { kindWords, type Kind } from "./words.ts";

/** An event in a lane. */
export interface Mark {
  /** The appendEvent step. */
  event: number;
  lane: number;
  column: number;
  /** The id as code, once a reading has told it. */
  id: string | undefined;
  type: string;
  /** In the log value that is asked; answered: it came back. */
  state: "plain" | "aside" | "answered";
  kind: Kind;
  /** Stands in a lane that is not the event's own. */
  astray: boolean;
  current: boolean;
  /** Somebody changed the event that was handed in. */
  pencil: boolean;
}

/** A log value: which events it holds. */
export interface Bracket {
  log: number;
  row: number;
  name: string;
  /** Columns of the events that it holds. */
  held: number[];
  /** Columns of the events it answered with and does not hold. */
  foreign: number[];
  /** Columns of the events it holds and did not answer with. */
  missing: number[];
  /** The row of the log value that it branches from, when another one grew from that before; or -1. */
  branch: number;
  current: boolean;
}

/** An item of an answer, under the lanes. */
export interface Chip {
  kind: Kind;
  column: number;
  label: string;
  /** The word under it. */
  word: Words;
  item: Item;
  pencil: boolean;
}

export type Occasion = "only" | "first" | "again" | "other";

/** An answer, as a row of chips. */
export interface Answer {
  reading: Reading;
  occasion: Occasion;
  /** The log value or the variable that was read. */
  name: string;
  chips: Chip[];
  failed: Outcome | undefined;
  /** Somebody added something to this answer. */
  pushed: boolean;
}

export interface Scene {
  step: number;
  /** This step shows the fault. */
  fault: boolean;
  marks: Mark[];
  brackets: Bracket[];
  answers: Answer[];
  /** The lane that is asked, or -1. */
  askedLane: number;
  /** The column that is made now, or -1. */
  currentColumn: number;
  badId: BadId | undefined;
}

export function sceneAt(story: Story, step: number): Scene {
  const { ce } = story;
  const fault = step === ce.at;
  const current = ce.steps[step];
  const reading = story.readings[step];
  const ids = toldIds(story, step);
  const plainFault = fault && (reading?.items.every((i) => i.kind === "own") ?? false);
  const badId = plainFault ? badIds(story, step) : undefined;
  const column = columnFinder(story);
  const scene: Scene = {
    step,
    fault,
    marks: [],
    brackets: [],
    answers: answersAt(story, step, badId),
    askedLane: reading?.session === undefined ? -1 : story.lanes.indexOf(reading.session),
    currentColumn: current?.fn === "appendEvent" ? column(step) : -1,
    badId,
  };
  scene.marks = marksAt(story, scene, reading, ids);
  scene.brackets = bracketsAt(story, scene, reading);
  return scene;
}

/** The column of an event, -1 when it is left out or unknown. */
export function columnFinder(story: Story): (event: number) => number {
  const places = new Map<number, number>();
  story.columns.forEach((c, i) => {
    if ("event" in c) places.set(c.event, i);
  });
  return (event) => places.get(event) ?? -1;
}

function marksAt(story: Story, scene: Scene, reading: Reading | undefined, ids: Map<number, Json>): Mark[] {
  const { steps } = story.ce;
  const column = columnFinder(story);
  const held = reading === undefined || reading.log < 0 ? undefined : new Set(holds(steps, reading.log));
  const items = new Map<number, Item>();
  for (const item of reading === undefined || reading.of === "value" ? [] : reading.items) {
    if (item.event >= 0 && !(items.has(item.event) && item.kind === "twice")) items.set(item.event, item);
  }
  const marks: Mark[] = [];
  for (const c of story.columns) {
    if (!("event" in c) || c.event > scene.step) continue;
    const at = c.event;
    const step = steps[at];
    const event = step?.event;
    if (step === undefined || event === undefined) continue;
    const id = ids.get(at);
    const item = items.get(at);
    const answered = item !== undefined && item.kind !== "missing";
    const strayed = item?.kind === "foreign" && reading?.of !== "sessions" && event.sessionId !== reading?.session;
    const mark: Mark = {
      event: at,
      lane: story.lanes.indexOf(event.sessionId),
      column: column(at),
      id: id === undefined ? undefined : code(id),
      type: event.type,
      state: answered && !strayed ? "answered" : held !== undefined && !held.has(at) ? "aside" : "plain",
      // A message or a list that is wrong does not make its event wrong.
      kind: strayed || reading?.of !== "events" ? "own" : (item?.kind ?? "own"),
      astray: false,
      current: at === scene.step,
      pencil: step.target !== undefined && isPencilled(story, step.target, scene.step),
    };
    if (scene.badId?.event === at || scene.badId?.before === at) mark.kind = "badId";
    marks.push(mark);
    if (strayed && scene.askedLane >= 0)
      marks.push({ ...mark, lane: scene.askedLane, kind: "foreign", state: "answered", astray: true, pencil: false });
  }
  return marks;
}

function bracketsAt(story: Story, scene: Scene, reading: Reading | undefined): Bracket[] {
  const { steps } = story.ce;
  const column = columnFinder(story);
  const rowOf = new Map<number, number>();
  const grown = new Set<number>();
  const brackets: Bracket[] = [];
  story.logs.forEach((row, i) => {
    if ("log" in row) rowOf.set(row.log, i);
  });
  steps.slice(0, scene.step + 1).forEach((step, log) => {
    if (!makesLog(step)) return;
    const parent = step.fn === "appendEvent" ? (step.log ?? -1) : -1;
    const branches = parent >= 0 && grown.has(parent);
    grown.add(parent);
    const row = rowOf.get(log);
    if (row === undefined || failedToMake(step.outcome)) return;
    const read = reading !== undefined && reading.log === log && reading.of !== "sessions";
    const columnsOf = (kind: Kind) =>
      read
        ? reading.items
            .filter((it) => it.kind === kind)
            .map((it) => column(it.event))
            .filter((c) => c >= 0)
        : [];
    const held = holds(steps, log)
      .map(column)
      .filter((c) => c >= 0);
    brackets.push({
      log,
      row,
      name: step.name,
      held,
      foreign: columnsOf("foreign").filter((c) => !held.includes(c)),
      missing: reading?.of === "events" ? columnsOf("missing") : [],
      branch: branches ? (rowOf.get(parent) ?? -1) : -1,
      current: log === scene.step || reading?.log === log,
    });
  });
  return brackets;
}

function failedToMake(o: Outcome): boolean {
  return o.threw !== undefined || o.wrong !== undefined || o.unreadable !== undefined;
}

function answersAt(story: Story, step: number, badId: BadId | undefined): Answer[] {
  const { ce, readings } = story;
  const now = readings[step];
  const answers: Answer[] = [];
  if (now === undefined) {
    // Somebody changes a value: show the value that he holds.
    const target = ce.steps[step]?.target;
    const held = ce.steps[step]?.fn === "appendEvent" || target === undefined ? undefined : readings[target];
    if (held === undefined) return [];
    const answer = answerOf(story, held, "only", step, undefined);
    const { outcome } = ce.steps[step] ?? { outcome: {} };
    if (!failedToMake(outcome)) return [answer];
    const refused = { en: "frozen", zh: "被冻结" };
    return [{ ...answer, chips: answer.chips.map((c) => (c.pencil ? { ...c, kind: "badId", word: refused } : c)) }];
  }
  const before = step === ce.at ? readings[ce.against] : undefined;
  if (before !== undefined && ce.against < step) {
    answers.push(answerOf(story, before, story.contradiction ? "first" : "other", step, badId));
  }
  const occasion = answers.length === 0 ? "only" : story.contradiction ? "again" : "other";
  answers.push(answerOf(story, now, occasion, step, badId));
  return answers;
}

function answerOf(story: Story, reading: Reading, occasion: Occasion, step: number, badId: BadId | undefined): Answer {
  const { steps } = story.ce;
  const column = columnFinder(story);
  const changes = pencils(story, reading.step, step);
  const at = reading.of === "value" ? (steps[reading.step]?.target ?? reading.step) : reading.log;
  const places = new Set(changes.filter((c) => steps[c]?.fn === "set").map((c) => steps[c]?.path?.[0]));
  const wholeValue =
    reading.of === "value" && pencils(story, at, step).some((c) => c >= reading.step || reading.step !== at);
  return {
    reading,
    occasion,
    name: steps[at]?.name ?? "",
    chips: reading.items.map((item, i) => ({
      kind: kindOf(item, badId),
      word: wordOf(story, reading, item, badId),
      column: reading.of === "value" ? -1 : column(item.event),
      label: labelOf(reading, item),
      item,
      pencil: wholeValue || places.has(i),
    })),
    failed: reading.failed,
    pushed: changes.some((c) => steps[c]?.fn === "push"),
  };
}

function kindOf(item: Item, badId: BadId | undefined): Kind {
  const bad = item.event >= 0 && (item.event === badId?.event || item.event === badId?.before);
  return item.kind === "own" && bad ? "badId" : item.kind;
}

/** Where a foreign item comes from, which part of a changed one changed: the shortest that tells what is wrong. */
function wordOf(story: Story, reading: Reading, item: Item, badId: BadId | undefined): Words {
  const { steps } = story.ce;
  const home = steps[item.event];
  if (item.kind === "foreign" && home !== undefined) {
    const from =
      reading.of !== "sessions" && holds(steps, reading.log).includes(item.event)
        ? plainText(home.event?.sessionId ?? "")
        : home.name;
    return { en: `from ${from}`, zh: `来自 ${from}` };
  }
  const [place, ...more] = item.fields;
  if (item.kind === "changed" && place !== undefined && more.length === 0) {
    const part = place.split(".").at(-1) ?? place;
    return { en: `≠ ${part}`, zh: `≠ ${part}` };
  }
  return kindWords[kindOf(item, badId)];
}

function labelOf(reading: Reading, item: Item): string {
  if (reading.of === "sessions") return typeof item.value === "string" ? item.value : code(item.value);
  const key = reading.of === "messages" ? "role" : reading.of === "events" ? "eventId" : "type";
  const v = field(item.value, key);
  // An id that the grader leaves open is no id to show.
  if (item.kind === "missing" && key === "eventId" && typeof v !== "number") return "";
  if (v === undefined) return reading.of === "events" ? "–" : code(item.value);
  return key === "eventId" || typeof v !== "string" ? code(v) : v;
}
