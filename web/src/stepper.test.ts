import assert from "node:assert/strict";
import { test } from "node:test";
import * as fixtures from "./picture/fixtures.ts";
import { canStep, commentOf, cut } from "./stepper.ts";

test("a long answer is cut down to where it differs", () => {
  const same = "x".repeat(200);
  assert.equal(cut("short"), "short");
  assert.match(cut(`${same}1`, `${same}2`), /^…x+1$/);
  assert.match(cut(`1${same}`, `2${same}`), /^1x+…$/);
  assert.ok(cut(`${same}1${same}`, `${same}2`).length <= 162);
});

test("a program is stepped through line by line, a loop is not", () => {
  assert.equal(canStep(fixtures.immutability()), true);
  assert.equal(canStep({ ...fixtures.immutability(), lines: [] }), true);
  assert.equal(canStep(fixtures.scale()), false);
});

test("what a call came to stands behind it", () => {
  assert.equal(commentOf({}, "en"), "");
  assert.equal(commentOf({ value: ["a"] }, "en"), '["a"]');
  assert.equal(commentOf({ threw: "TypeError: x" }, "en"), "threw TypeError: x");
  assert.equal(commentOf({ wrong: "no answer" }, "zh"), "一直没有回答");
  assert.equal(commentOf({ wrong: "Set" }, "en"), "returned Set");
});
