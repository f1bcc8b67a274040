import assert from "node:assert/strict";
import { test } from "node:test";
import type { Counterexample } from "../protocol.ts";
import * as fixtures from "./fixtures.ts";
import { frameOf, placeAnswers } from "./layout.ts";
import { sceneAt, type Scene } from "./model.ts";
import { tell } from "./story.ts";

function at(ce: Counterexample, step = ce.at): Scene {
  return sceneAt(tell(ce), step);
}

test("before it happens, nothing is drawn; after it, only what happened", () => {
  const ce = fixtures.isolation();
  assert.equal(at(ce, 0).marks.length, 0);
  assert.deepEqual(
    at(ce, 1).marks.map((m) => [m.event, m.current]),
    [[1, true]],
  );
  assert.deepEqual(
    at(ce, 1).brackets.map((b) => b.name),
    ["log1", "log2"],
  );
  assert.equal(at(ce, 1).fault, false);
  assert.equal(at(ce).fault, true);
});

test("an older log that changed: its bracket has grown, and both readings stand there", () => {
  const scene = at(fixtures.immutability());
  const old = scene.brackets.find((b) => b.name === "log1");
  assert.deepEqual([old?.held, old?.foreign], [[], [0]]);
  assert.deepEqual(
    scene.answers.map((a) => [a.occasion, a.chips.length]),
    [
      ["first", 0],
      ["again", 1],
    ],
  );
  assert.equal(scene.answers[1]?.chips[0]?.word.en, "from log2");
});

test("an event in a lane where it does not belong stands there too", () => {
  const scene = at(fixtures.isolation());
  const strays = scene.marks.filter((m) => m.astray);
  assert.deepEqual(
    strays.map((m) => [m.event, m.lane, m.kind]),
    [[2, 0, "foreign"]],
  );
  assert.equal(scene.marks.find((m) => m.event === 2 && !m.astray)?.lane, 1);
  // The log does hold it; only the session is wrong.
  assert.deepEqual(scene.brackets.at(-1)?.foreign, []);
  assert.equal(scene.answers[0]?.chips[1]?.word.en, "from sess_10");
});

test("ids that do not grow are tied together", () => {
  const scene = at(fixtures.monotonicIds());
  assert.deepEqual(scene.badId && [scene.badId.before, scene.badId.event], [1, 2]);
  assert.deepEqual(
    scene.marks.map((m) => [m.id, m.kind]),
    [
      ["1", "badId"],
      ["1", "badId"],
    ],
  );
  assert.deepEqual(
    scene.answers.map((a) => a.chips.map((c) => c.kind)),
    [["badId"], ["badId"]],
  );
});

test("ids that are no ids", () => {
  for (const id of [0, 1.5, "1", null]) {
    const p = new fixtures.Program({
      ...fixtures.right,
      append: (log, e) => [...(log as object[]), { eventId: id, ...e }],
    });
    const log = p.append(p.create(), fixtures.user("a"));
    const ce = p.done(p.get(log, "a"));
    assert.equal(at(ce).marks[0]?.kind, "badId", String(id));
  }
});

test("a fork branches from its ancestor and skips the other's events", () => {
  const scene = at(fixtures.independence());
  const fork = scene.brackets.find((b) => b.name === "log4");
  assert.deepEqual(fork?.held, [0, 2]);
  assert.deepEqual(fork?.foreign, [1]);
  assert.equal(fork?.branch, 1);
  assert.deepEqual(
    scene.brackets.map((b) => b.branch),
    [-1, -1, -1, 1],
  );
});

test("the pencil stands on what somebody changed", () => {
  const event = at(fixtures.tamperEvent());
  assert.equal(event.marks[0]?.pencil, true);
  const answer = at(fixtures.tamperAnswer());
  assert.deepEqual(
    answer.answers[0]?.chips.map((c) => c.pencil),
    [false, true],
  );
  assert.deepEqual(
    answer.answers[1]?.chips.map((c) => c.pencil),
    [false, false],
  );
  const frozen = at(fixtures.frozen());
  assert.equal(frozen.answers[0]?.chips[0]?.word.en, "frozen");
});

test("steps that a hang never reached are not shown", () => {
  const story = tell(fixtures.timeout());
  assert.equal(story.last, story.ce.at);
  assert.equal(sceneAt(story, story.last).answers[0]?.failed?.wrong, "no answer");
});

test("ids are known once a reading has told them", () => {
  const ce = fixtures.tamperAnswer();
  assert.deepEqual(
    at(ce, 2).marks.map((m) => m.id),
    [undefined, undefined],
  );
  assert.deepEqual(
    at(ce, 3).marks.map((m) => m.id),
    ["1", "2"],
  );
});

test("many events: those that matter are drawn, the others counted", () => {
  const story = tell(fixtures.manyEvents());
  assert.ok(story.columns.length < 12, String(story.columns.length));
  const drawn = story.columns.filter((c) => "event" in c).length;
  const left = story.columns.reduce((n, c) => n + ("gap" in c ? c.gap : 0), 0);
  assert.equal(drawn + left, 51);
  const frame = frameOf(story);
  const [answer] = placeAnswers(frame, story, sceneAt(story, story.last));
  assert.equal(answer?.chips[0]?.chip.kind, "missing");
  assert.ok((answer?.gaps[0]?.count ?? 0) > 20);
});

test("items in order stand under their events; else in sequence, each with a line from its event", () => {
  for (const [make, straight] of [
    [fixtures.lostEvents, true],
    [fixtures.sessions, false],
    [fixtures.twice, false],
  ] as const) {
    const story = tell(make());
    const frame = frameOf(story);
    const [answer] = placeAnswers(frame, story, sceneAt(story, story.last));
    const xs = answer?.chips.map((c) => c.x) ?? [];
    assert.deepEqual(
      xs,
      [...xs].sort((a, b) => a - b),
    );
    assert.equal(
      answer?.chips.every((c) => c.fromX === undefined),
      straight,
    );
    assert.ok(Math.max(...xs) < frame.width);
  }
});
