// Whatever a learner's code answers, the picture is drawn: it must never be the reason why a verdict is not shown.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, Outcome } from "../protocol.ts";
import { diffRows } from "../diff.ts";
import { commentOf } from "../stepper.ts";
import { growthOf, describeGrowth } from "./chart.ts";
import { describePicture, describeStep } from "./describe.ts";
import * as fixtures from "./fixtures.ts";
import { frameOf, placeAnswers } from "./layout.ts";
import { sceneAt } from "./model.ts";
import { tell } from "./story.ts";

function random(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

const odd: Json[] = [
  null,
  0,
  "",
  "a",
  [],
  {},
  [[]],
  [null],
  { eventId: null },
  { eventId: 1, sessionId: "a", type: "a", payload: {} },
  "__proto__",
  { toolCalls: 1 },
];

function oddOutcome(pick: (n: number) => number): Outcome {
  switch (pick(8)) {
    case 0:
      return {};
    case 1:
      return { threw: "null" };
    case 2:
      return { unreadable: "a cycle" };
    case 3:
      return { wrong: ["undefined", "Promise", "missing", "no answer"][pick(4)] ?? "" };
    case 4:
      return { value: odd[pick(odd.length)] ?? null };
    default:
      return { value: Array.from({ length: pick(6) }, () => odd[pick(odd.length)] ?? null) };
  }
}

test("any answers at all can be drawn and described", () => {
  const makers = Object.values(fixtures.fixtures);
  for (let seed = 1; seed <= 400; seed++) {
    const pick = random(seed);
    const make = makers[pick(makers.length - 2)] ?? fixtures.immutability;
    const ce = make();
    if (ce.steps.length > 100) continue;
    for (const step of ce.steps) if (pick(2) === 0) step.outcome = oddOutcome(pick);
    ce.at = pick(ce.steps.length);
    ce.against = pick(ce.steps.length + 1) - 1;
    if (pick(2) === 0) ce.expected = odd[pick(odd.length)] ?? null;
    else delete ce.expected;
    ce.actual = ce.steps[ce.at]?.outcome ?? {};
    const story = tell(ce);
    const frame = frameOf(story);
    for (let step = 0; step <= story.last; step++) {
      const scene = sceneAt(story, step);
      for (const answer of placeAnswers(frame, story, scene)) {
        for (const c of answer.chips) assert.ok(Number.isFinite(c.x), `seed ${seed}`);
      }
      for (const lang of ["en", "zh"] as const) {
        assert.equal(typeof describePicture(story, step, lang), "string");
        assert.doesNotMatch(describeStep(story, step, lang), /undefined \(|\[object|NaN/);
      }
    }
    if (ce.expected !== undefined && ce.actual.value !== undefined) diffRows(ce.expected, ce.actual.value);
    commentOf(ce.actual, "en");
    const growth = growthOf(ce);
    if (growth !== undefined) describeGrowth(growth, "en");
  }
});

test("a long program is told soon", () => {
  const p = new fixtures.Program(fixtures.right);
  let log = p.create();
  for (let i = 0; i < 70; i++) {
    log = p.append(log, fixtures.user(`s${i % 10}`, `m${i}`));
    for (let s = 0; s < 3; s++) p.get(log, `s${s}`);
  }
  const at = p.list(log);
  const began = performance.now();
  const story = tell(p.done(at));
  for (let step = 0; step <= story.last; step += 20) sceneAt(story, step);
  assert.ok(performance.now() - began < 1500);
});
