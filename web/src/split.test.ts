import assert from "node:assert/strict";
import { test } from "node:test";
import { clampShare } from "./split.ts";

test("a share stays between its bounds", () => {
  assert.equal(clampShare(50.04, 20, 70), 50);
  assert.equal(clampShare(-5, 20, 70), 20);
  assert.equal(clampShare(99, 20, 70), 70);
});
