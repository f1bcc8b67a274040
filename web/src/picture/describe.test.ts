import assert from "node:assert/strict";
import { test } from "node:test";
import type { Counterexample } from "../protocol.ts";
import { describeGrowth, growthOf } from "./chart.ts";
import { describePicture, describeStep } from "./describe.ts";
import * as fixtures from "./fixtures.ts";
import { tell } from "./story.ts";

const words = (ce: Counterexample) => describeStep(tell(ce), ce.at, "en");

test("each fault is said in a sentence", () => {
  const expected: [() => Counterexample, string][] = [
    [
      fixtures.immutability,
      "log1 was read twice and answered differently: first with nothing, then with 1 event. Event 1 (line 3) was appended to make log2; it is not in log1.",
    ],
    [
      fixtures.isolation,
      "log3 is asked for session “sess_1” and answers with 2 events. Event 2 (line 3) belongs to session “sess_10”, not to “sess_1”.",
    ],
    [
      fixtures.replay,
      "log4 replays session “red” and answers with 2 messages. The message of line 3 is not as it should be: toolCalls[1]. The message of line 4 is missing.",
    ],
    [
      fixtures.monotonicIds,
      "The event of session “blue” came later and has the id 1; the one of session “red” before it already had 1. Ids must grow.",
    ],
    [fixtures.lostEvents, "log4 is asked for session “red” and answers with 2 events. The event of line 2 is missing."],
    [fixtures.purity, "event1 is no longer what was handed in. What changed: eventId."],
    [fixtures.timeout, "listSessions never answered, and was stopped."],
    [fixtures.threw, "getEventsForSession threw TypeError: Cannot read properties of undefined (reading 'events')."],
    [
      fixtures.hostile,
      "log11 is asked for session “a” and answers with 2 events. Event 2 (line 3) belongs to session “a␣”, not to “a”.",
    ],
  ];
  for (const [make, sentence] of expected) assert.equal(words(make()), sentence);
});

test("the picture has words for those who do not see it, in both languages", () => {
  const ce = fixtures.isolation();
  const story = tell(ce);
  assert.match(
    describePicture(story, ce.at, "en"),
    /^Picture of the log: 2 events, 2 sessions, 3 log values\. Session “sess_1”: events of lines 2\./,
  );
  assert.match(describePicture(story, ce.at, "zh"), /^日志的图：2 个事件，2 个会话，3 个日志的值。/);
});

test("what each version costs is measured between the readings", () => {
  const growth = growthOf(fixtures.scale());
  assert.deepEqual(growth, {
    stretches: [
      { from: 100, to: 200, bytesPerEvent: 2400 },
      { from: 200, to: 400, bytesPerEvent: 4800 },
    ],
    ranOut: undefined,
    times: 2,
  });
  assert.match(growth ? describeGrowth(growth, "en") : "", /2\.0 times as much/);
  assert.equal(growthOf(fixtures.isolation()), undefined);
});
