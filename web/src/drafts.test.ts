import assert from "node:assert/strict";
import { test } from "node:test";
import { Draft, draftKey, readDraft } from "./drafts.ts";
import { storeOn } from "./storage.ts";
import { memoryStorage } from "./memory.testing.ts";

const key = draftKey("event-log", "javascript");

test("a draft survives, and its absence is told from an empty one", () => {
  const store = storeOn(memoryStorage());
  const draft = new Draft(store, key, "one");
  assert.equal(draft.load(), undefined);
  assert.equal(draft.save(""), "saved");
  assert.equal(new Draft(store, key, "two").load(), "");
});

test("a tab does not write over what another one wrote", () => {
  const store = storeOn(memoryStorage());
  const one = new Draft(store, key, "one");
  const two = new Draft(store, key, "two");
  assert.equal(one.save("from one"), "saved");
  assert.equal(two.save("from two"), "conflict");
  assert.equal(readDraft(store, key)?.text, "from one");
});

test("take that version: goes on from the other tab's", () => {
  const store = storeOn(memoryStorage());
  const one = new Draft(store, key, "one");
  const two = new Draft(store, key, "two");
  one.save("from one");
  const other = two.conflict("from two");
  assert.ok(other);
  two.accept(other);
  assert.equal(two.save("from one, and more"), "saved");
  assert.equal(one.save("from one, otherwise"), "conflict", "now it is the other tab's turn to ask");
});

test("keep mine: writes over, and the other tab learns of it", () => {
  const store = storeOn(memoryStorage());
  const one = new Draft(store, key, "one");
  const two = new Draft(store, key, "two");
  one.save("from one");
  assert.equal(two.overwrite("from two"), "saved");
  assert.equal(two.save("from two, more"), "saved");
  assert.equal(one.conflict("from one")?.text, "from two, more");
});

test("the same text in both tabs is no conflict", () => {
  const store = storeOn(memoryStorage());
  const one = new Draft(store, key, "one");
  const two = new Draft(store, key, "two");
  one.save("same");
  assert.equal(two.conflict("same"), undefined);
  assert.equal(two.save("same, and more"), "saved");
});

test("a version that lost is kept aside until it is taken or dropped", () => {
  const store = storeOn(memoryStorage());
  const draft = new Draft(store, key, "one");
  assert.equal(draft.aside(), undefined);
  draft.setAside("mine");
  assert.equal(new Draft(store, key, "two").aside(), "mine");
  draft.dropAside();
  assert.equal(draft.aside(), undefined);
});

test("a full, forbidden or broken storage is told, never thrown", () => {
  assert.equal(new Draft(storeOn(memoryStorage({ full: true })), key, "one").save("x"), "refused");
  const forbidden = storeOn(() => {
    throw new Error("SecurityError");
  });
  const draft = new Draft(forbidden, key, "one");
  assert.equal(draft.load(), undefined);
  assert.equal(draft.save("x"), "refused");
  const broken = storeOn(memoryStorage({ content: { [`forgetmenot:${key}`]: '{"text": 3}' } }));
  assert.equal(new Draft(broken, key, "one").load(), undefined);
});
