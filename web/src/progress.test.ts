import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryStorage } from "./memory.testing.ts";
import { readProgress, recordRun } from "./progress.ts";
import type { GradeResult, PropertyResult } from "./protocol.ts";
import { storeOn } from "./storage.ts";

const words = { en: "", zh: "" };
const row = (id: string, verdict: PropertyResult["verdict"]): PropertyResult => ({
  id, verdict, tier: "required", title: words, law: words, cases: 100, durationMs: 1, message: words,
});

function run(verdict: GradeResult["verdict"], ...properties: PropertyResult[]): GradeResult {
  const earned = properties.filter((p) => p.verdict === "pass").length;
  return { verdict, properties, score: { earned, possible: properties.length }, mastery: { earned: 0, possible: 0 }, cases: 100, seed: 1, report: "" };
}

test("the last run is remembered, and solved stays solved", () => {
  const store = storeOn(memoryStorage());
  assert.equal(readProgress(store, "event-log"), undefined);
  recordRun(store, "event-log", run("pass", row("contract", "pass"), row("append", "pass")));
  recordRun(store, "event-log", run("fail", row("contract", "pass"), row("append", "timeout")));
  assert.deepEqual(readProgress(store, "event-log"), { solved: true, held: ["contract"], earned: 1, possible: 2 });
});

test("what does not look like progress is no progress", () => {
  const store = storeOn(memoryStorage({ content: { "forgetmenot:progress:event-log": '{"solved":1}' } }));
  assert.equal(readProgress(store, "event-log"), undefined);
});
