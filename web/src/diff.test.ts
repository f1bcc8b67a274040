import assert from "node:assert/strict";
import { test } from "node:test";
import { diffRows, type Row } from "./diff.ts";

const kinds = (rows: Row[]) => rows.map((r) => r.kind).join(" ");

test("items are set side by side by what they are, not by their place", () => {
  assert.equal(kinds(diffRows(["a", "b", "c"], ["a", "c"])), "same missing same");
  assert.equal(kinds(diffRows(["a"], ["x", "a"])), "extra same");
  assert.equal(kinds(diffRows([], [])), "");
  assert.equal(kinds(diffRows([1, 2], [1, 2])), "same same");
});

test("an item that stands in another place is not said to be missing", () => {
  assert.equal(kinds(diffRows(["red", "10"], ["10", "red"])), "moved same moved");
});

test("in a changed item only what differs is loud, and the sides stay level", () => {
  const [row] = diffRows(
    [{ role: "tool", id: "c1", content: "x", n: 1 }],
    [{ role: "tool", id: "c1", content: "y", more: 2 }],
  );
  assert.equal(row?.kind, "changed");
  assert.deepEqual(
    row?.expected.map((l) => l.sign),
    ["", "", "", "≠", "−", "blank", ""],
  );
  assert.deepEqual(
    row?.actual.map((l) => l.sign),
    ["", "", "", "≠", "blank", "+", ""],
  );
  assert.equal(row?.expected.length, row?.actual.length);
  assert.equal(row?.expected[3]?.text, 'content: "x",');
});

test("an id that the law leaves open is written in words", () => {
  const [row] = diffRows([{ eventId: "any id", type: "a" }], []);
  assert.equal(row?.expected[0]?.text, '{ eventId: (any id), type: "a" }');
});

test("values that are no lists", () => {
  assert.equal(kinds(diffRows({ a: 1 }, { a: 2 })), "changed");
  assert.equal(kinds(diffRows([1], { a: 2 })), "changed");
});
