import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../protocol.ts";
import { difference, differingPaths } from "./difference.ts";
import { code } from "./json.ts";

const paths = (want: Json, got: Json) => differingPaths(difference(want, got));

test("the places that differ are told as in code", () => {
  assert.deepEqual(paths({ a: 1, b: { c: [1, 2] } }, { b: { c: [1, 3] }, a: 1 }), ["b.c[1]"]);
  assert.deepEqual(paths({ a: 1 }, { a: 1, x: 2 }), ["x"]);
  assert.deepEqual(paths({ payload: { content: "" } }, { payload: { content: null } }), ["payload.content"]);
  assert.deepEqual(paths([1], [1]), []);
  assert.deepEqual(paths(1, "1"), [""]);
});

test("an id that the law leaves open is never wrong", () => {
  assert.equal(difference({ eventId: "any id", type: "a" }, { eventId: 7, type: "a" }).kind, "same");
  assert.deepEqual(paths({ eventId: "any id", type: "a" }, { eventId: 7, type: "b" }), ["type"]);
});

test("keys that mean something to JavaScript are keys", () => {
  const want = JSON.parse('{"__proto__": 1, "constructor": {"toString": 1}}') as Json;
  const got = JSON.parse('{"constructor": {"toString": 2}}') as Json;
  assert.deepEqual(paths(want, got), ['["__proto__"]', "constructor.toString"]);
  assert.equal(paths({}, JSON.parse('{"toString": 1}') as Json).join(), "toString");
});

test("values read like the exercise's own code", () => {
  assert.equal(
    code({ sessionId: "a ", payload: { "two words": [1, null] } }),
    '{ sessionId: "a ", payload: { "two words": [1, null] } }',
  );
  assert.equal(code("e\u0301\n"), '"e\\u0301\\n"');
  assert.equal(code([]), "[]");
  assert.equal(code({}), "{}");
});
