import assert from "node:assert/strict";
import { test } from "node:test";
import { right } from "./fixtures.ts";
import { sceneAt } from "./model.ts";
import { Sitting, type EventLogFunctions } from "./sitting.ts";
import { tell } from "./story.ts";

const log = {
  createEventLog: right.create,
  appendEvent: right.append,
  getEventsForSession: right.get,
  listSessions: right.list,
  replaySession: right.replay,
} as EventLogFunctions;

test("a sitting is drawn like a program: versions, forks, and what the held one answers", () => {
  const sitting = new Sitting(log, ["ada", "bob"]);
  sitting.append("ada", "user_message", "Hi");
  sitting.append("bob", "user_message", "Hello");
  sitting.held = 1;
  sitting.append("ada", "tool_call", "Oslo");
  assert.equal(sitting.holding.name, "log4");
  const ce = sitting.program("ada");
  const scene = sceneAt(tell(ce), ce.steps.length - 1);
  assert.deepEqual(
    scene.brackets.map((b) => [b.name, b.held]),
    [
      ["log1", []],
      ["log2", [0]],
      ["log3", [0, 1]],
      ["log4", [0, 2]],
    ],
  );
  assert.deepEqual(
    scene.answers[0]?.chips.map((c) => c.label),
    ["user", "assistant"],
  );
  assert.ok(scene.answers[0]?.chips.every((c) => c.kind === "own"));
  assert.deepEqual(
    scene.marks.map((m) => m.id),
    ["1", "2", "2"],
  );
  assert.ok(sitting.versions.every((v) => sitting.answersOf(v.value) === v.answers));
});
