import assert from "node:assert/strict";
import { test } from "node:test";
import type { Counterexample } from "../protocol.ts";
import * as fixtures from "./fixtures.ts";
import { readingAt } from "./reading.ts";

const kinds = (ce: Counterexample, at = ce.at) =>
  readingAt(ce, at)
    ?.items.map((i) => (i.event >= 0 ? `${i.kind}@${i.event}` : i.kind))
    .join(" ");

test("an event of a later log value is foreign to the older one", () => {
  const ce = fixtures.immutability();
  assert.equal(kinds(ce, ce.against), "");
  assert.equal(kinds(ce), "foreign@2");
});

test("an event of another session is foreign", () => {
  assert.equal(kinds(fixtures.isolation()), "own@1 foreign@2");
});

test("an event of another fork is foreign", () => {
  assert.equal(kinds(fixtures.independence()), "own@1 foreign@2 own@3");
});

test("two calls in one message: one message is changed, the other missing", () => {
  const ce = fixtures.replay();
  assert.equal(kinds(ce), "own@1 changed@2 missing@3");
  assert.deepEqual(readingAt(ce, ce.at)?.items[1]?.fields, ["toolCalls[1]"]);
});

test("sessions in another order have moved", () => {
  assert.equal(kinds(fixtures.sessions()), "own@3 moved@2 moved@1");
});

test("what changed from outside is changed, and says where", () => {
  const event = fixtures.tamperEvent();
  assert.equal(kinds(event), "changed@2");
  assert.deepEqual(readingAt(event, event.at)?.items[0]?.fields, ["payload.content"]);
  assert.equal(kinds(fixtures.tamperAnswer()), "own@1 changed@2");
});

test("a variable that comes back changed", () => {
  const ce = fixtures.purity();
  assert.equal(readingAt(ce, ce.at)?.items[0]?.kind, "changed");
  assert.deepEqual(readingAt(ce, ce.at)?.items[0]?.fields, ["eventId"]);
});

test("another id for the same history is a change, not another event", () => {
  const ce = fixtures.purityIds();
  assert.equal(kinds(ce), "changed@4");
  assert.deepEqual(readingAt(ce, ce.at)?.items[0]?.fields, ["eventId"]);
});

test("missing, moved and repeated events", () => {
  assert.equal(kinds(fixtures.lostEvents()), "missing@1 own@2 own@3");
  assert.equal(kinds(fixtures.reversed()), "own@2 moved@1");
  assert.equal(kinds(fixtures.twice()), "own@1 twice@1");
});

test("no answer is no list", () => {
  const threw = fixtures.threw();
  assert.match(readingAt(threw, threw.at)?.failed?.threw ?? "", /TypeError/);
  const stopped = fixtures.timeout();
  assert.equal(readingAt(stopped, stopped.at)?.failed?.wrong, "no answer");
});

test("an event may have more keys than the law names", () => {
  const p = new fixtures.Program({
    ...fixtures.right,
    get: (log, session) => (fixtures.right.get(log, session) as object[]).map((e) => ({ ...e, createdAt: 1 })),
  });
  const at = p.get(p.append(p.create(), fixtures.user("a")), "a");
  assert.equal(kinds(p.done(at)), "own@1");
});

test("answers of the wrong kind are told apart from none", () => {
  for (const answer of [null, 1, "x", { length: 0 }]) {
    const p = new fixtures.Program({ ...fixtures.right, list: () => answer });
    const at = p.list(p.create());
    assert.deepEqual(readingAt(p.done(at), at)?.failed, { value: answer });
  }
  const p = new fixtures.Program({ ...fixtures.right, list: () => [{ id: "a" }] });
  const at = p.list(p.append(p.create(), fixtures.user("a")));
  assert.equal(kinds(p.done(at)), "missing@1 unknown");
});
