import assert from "node:assert/strict";
import { test } from "node:test";
import { align, type Pair } from "./align.ts";

const same = (a: string, b: string) => (a === b ? 1 : a[0] === b[0] ? 0.5 : 0);
const show = (want: string, got: string, pairs: Pair[]) =>
  pairs.map((p) => `${want[p.want] ?? "-"}${got[p.got] ?? "-"}`).join(" ");
const pair = (want: string, got: string) =>
  show(
    want,
    got,
    align([...want], [...got], (a, b) => (a === b ? 1 : 0)),
  );

test("equal items are paired in order, and as early as they can be", () => {
  assert.equal(pair("abc", "abc"), "aa bb cc");
  assert.equal(pair("abc", "ac"), "aa b- cc");
  assert.equal(pair("ac", "abc"), "aa -b cc");
  assert.equal(pair("", "ab"), "-a -b");
  assert.equal(pair("a", "aa"), "aa -a");
});

test("an equal item is worth more than two that are alike", () => {
  const want = ["a1", "a2"];
  const got = ["a2", "a1"];
  const pairs = align(want, got, same);
  assert.equal(pairs.filter((p) => p.want >= 0 && p.got >= 0).length, 1);
});

test("alike items are paired, unlike ones are not", () => {
  assert.deepEqual(align(["a1"], ["a2"], same), [{ want: 0, got: 0 }]);
  assert.deepEqual(align(["a1"], ["b1"], same), [
    { want: 0, got: -1 },
    { want: -1, got: 0 },
  ]);
});

test("lists without end are paired by place, soon", () => {
  const many = Array.from({ length: 5000 }, (_, i) => i);
  const pairs = align(
    many,
    many.map((n) => n + 1),
    (a, b) => (a === b ? 1 : 0),
  );
  assert.equal(pairs.length, 5000);
});
