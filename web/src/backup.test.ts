import assert from "node:assert/strict";
import { test } from "node:test";
import { exportAll, importAll, parseBackup } from "./backup.ts";
import { Draft, draftKey, readDraft } from "./drafts.ts";
import { memoryStorage } from "./memory.testing.ts";
import { progressKey, readProgress } from "./progress.ts";
import { storeOn } from "./storage.ts";

const key = draftKey("event-log", "javascript");
const progress = { solved: true, held: ["contract"], earned: 9, possible: 9 };

function filled() {
  const store = storeOn(memoryStorage());
  new Draft(store, key, "one").save("my code\n");
  store.write(progressKey("event-log"), JSON.stringify(progress));
  store.write("language", "zh");
  return store;
}

test("what is exported comes back elsewhere", () => {
  const text = JSON.stringify(exportAll(filled(), new Date(0)));
  const parsed = parseBackup(text);
  assert.ok("backup" in parsed);
  const other = storeOn(memoryStorage());
  assert.ok(importAll(other, parsed.backup, "two"));
  assert.equal(readDraft(other, key)?.text, "my code\n");
  assert.deepEqual(readProgress(other, "event-log"), progress);
  assert.equal(other.read("language"), null, "a choice of this browser, not progress");
});

test("import replaces all that was there", () => {
  const store = filled();
  const parsed = parseBackup('{"format":"forgetmenot-progress","version":1,"exported":"2026-01-01T00:00:00Z","exercises":{}}');
  assert.ok("backup" in parsed);
  assert.ok(importAll(store, parsed.backup, "two"));
  assert.deepEqual(store.keys(), ["language"]);
});

test("an import that does not fit leaves all as it was", () => {
  const inner = memoryStorage()();
  let writes = 0;
  const store = storeOn(() => ({
    ...inner,
    get length() {
      return inner.length;
    },
    setItem: (k: string, v: string) => {
      writes += 1;
      if (writes === 3) throw new Error("QuotaExceededError");
      inner.setItem(k, v);
    },
  }));
  new Draft(store, key, "one").save("mine");
  const parsed = parseBackup(JSON.stringify(exportAll(filled(), new Date(0))));
  assert.ok("backup" in parsed);
  assert.equal(importAll(store, parsed.backup, "two"), false);
  assert.equal(readDraft(store, key)?.text, "mine");
  assert.equal(readProgress(store, "event-log"), undefined);
});

test("what is no backup is refused, with the reason", () => {
  const good = { format: "forgetmenot-progress", version: 1, exported: "2026-01-01T00:00:00Z", exercises: {} };
  const refused = (value: unknown) => {
    const parsed = parseBackup(typeof value === "string" ? value : JSON.stringify(value));
    return "problem" in parsed ? parsed.problem : "accepted";
  };
  assert.equal(refused(good), "accepted");
  assert.equal(refused("\uFEFF" + JSON.stringify(good)), "accepted");
  assert.equal(refused("not JSON"), "invalid");
  assert.equal(refused("null"), "invalid");
  assert.equal(refused({ ...good, format: "other" }), "invalid");
  assert.equal(refused({ ...good, exported: "yesterday" }), "invalid");
  assert.equal(refused({ ...good, version: 2 }), "newer");
  assert.equal(refused({ ...good, exercises: { "a:b": { drafts: {} } } }), "invalid");
  assert.equal(refused({ ...good, exercises: { a: { drafts: { javascript: 3 } } } }), "invalid");
  assert.equal(refused({ ...good, exercises: { a: { drafts: {}, progress: { solved: "yes" } } } }), "invalid");
  assert.equal(refused({ ...good, exercises: { a: { drafts: { "javascript:aside": "x" } } } }), "invalid");
});
