import assert from "node:assert/strict";
import { test } from "node:test";
import { hangingIndent } from "./wrap.ts";

test("what wraps stands under the line's own text", () => {
  assert.equal(hangingIndent("return log;"), 2);
  assert.equal(hangingIndent("    return log;"), 6);
  assert.equal(hangingIndent("// a comment"), 3);
  assert.equal(hangingIndent(" * - a rule"), 3);
  assert.equal(hangingIndent("\treturn"), 4);
  assert.equal(hangingIndent(" ".repeat(60) + "x"), 16);
});
