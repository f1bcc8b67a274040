import assert from "node:assert/strict";
import { test } from "node:test";
import { arrange } from "./picture.js";
import type { StoredEvent } from "./read.js";

const log = (...sessions: string[]): StoredEvent[] => sessions.map((sessionId, i) => ({ eventId: i + 1, sessionId, type: "note", payload: "{}", createdAt: 0 }));
const nameOf = (id: string) => id;
const wide = { at: Infinity, width: 1000, nameOf };

function seen(scene: Parameters<typeof arrange>[0]) {
  const { shown, lanes, gaps, laneOf } = arrange(scene);
  return { ids: shown.map((e) => e.eventId), lanes: lanes.map((l) => l.session ?? l.sessions), of: shown.map(laneOf), gaps };
}

test("the chosen session has the first lane, the others follow by their newest event, and the last lane takes the rest", () => {
  assert.deepEqual(seen({ events: log("a", "b", "a"), chosen: "a", ...wide }), { ids: [1, 2, 3], lanes: ["a", "b"], of: [0, 1, 0], gaps: [] });
  const { lanes, of } = seen({ events: log("a", "b", "c", "d", "e", "__proto__"), chosen: "b", ...wide });
  assert.deepEqual(lanes, ["b", "__proto__", "e", 3]);
  assert.deepEqual(of, [3, 0, 3, 3, 2, 1]);
  assert.deepEqual(seen({ events: log("a", "b", "c", "d"), chosen: null, ...wide }).lanes, ["d", "c", "b", "a"]);
});

test("the newest have room, and half of it is the chosen session's", () => {
  const events = log("a", "a", "a", ...Array<string>(30).fill("b"));
  const narrow = { ...wide, width: 300 };
  assert.deepEqual(seen({ events, chosen: "b", ...narrow }).ids, [29, 30, 31, 32, 33]);
  assert.deepEqual(seen({ events, chosen: "a", ...narrow }), { ids: [2, 3, 31, 32, 33], lanes: ["a", "b"], of: [0, 0, 1, 1, 1], gaps: [2] });
});

test("a replay shows where it stands and what comes next", () => {
  const events = log(...Array<string>(60).fill("a"));
  const { ids } = seen({ events, chosen: "a", ...wide, at: 30 });
  assert.ok(ids.includes(30) && ids.includes(31) && (ids[0] ?? 0) < 30);
  assert.deepEqual(seen({ events: log("a", "a"), chosen: "a", ...wide, at: 0 }).ids, [1, 2]);
});

test("what only tells how the agent ran takes little room", () => {
  const events = log(...Array<string>(60).fill("a")).map((e) => ({ ...e, type: e.eventId % 10 === 0 ? "user_message" : "step_start" }));
  assert.equal(seen({ events, chosen: "a", ...wide }).ids.length, 60);
  assert.ok(seen({ events: log(...Array<string>(60).fill("a")), chosen: "a", ...wide }).ids.length < 30);
});

test("one event has room however little there is", () => {
  assert.equal(seen({ events: log("a", "a"), chosen: "a", ...wide, width: 0 }).ids.length, 1);
});
