import assert from "node:assert/strict";
import { test } from "node:test";
import { announcer } from "./announcer.ts";

test("a verdict is always said, progress only after a pause", () => {
  let now = 0;
  const region = { textContent: "" };
  const { say, mention } = announcer(region, () => now);
  say("Checking your code.");
  now = 1000;
  mention("1 of 12");
  assert.equal(region.textContent, "Checking your code.");
  now = 3000;
  mention("5 of 12");
  assert.equal(region.textContent, "5 of 12");
  say("Passed.");
  assert.equal(region.textContent, "Passed.");
  say("Passed.");
  assert.notEqual(region.textContent, "Passed.", "said again, it must be a change");
});
