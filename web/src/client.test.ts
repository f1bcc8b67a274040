import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, type ClientOptions, type GradeListener } from "./client.ts";
import type { WorkerLike } from "./engine.ts";
import type { FromWorker, GradeResult, PropertyInfo, PropertyResult, ToWorker } from "./protocol.ts";

const ids = ["contract", "append", "replay", "scale"];
const infos: PropertyInfo[] = ids.map((id) => ({
  id,
  tier: id === "scale" ? "mastery" : "required",
  title: { en: id, zh: id },
  law: { en: id, zh: id },
}));

type Grade = Extract<ToWorker, { kind: "grade" }>;

/** What the pretended learner's code does to a worker, property by property. */
type Plan = Record<string, "pass" | "fail" | "hang" | "slow" | "crash">;

class FakeWorker implements WorkerLike {
  static made: FakeWorker[] = [];
  onmessage: WorkerLike["onmessage"] = null;
  onerror: WorkerLike["onerror"] = null;
  onmessageerror: WorkerLike["onmessageerror"] = null;
  terminated = false;
  graded: Grade[] = [];

  readonly plan: Plan;
  readonly start: "ready" | "failed" | "never";

  constructor(plan: Plan, start: "ready" | "failed" | "never" = "ready") {
    this.plan = plan;
    this.start = start;
    FakeWorker.made.push(this);
  }

  postMessage(message: ToWorker): void {
    if (message.kind === "start") {
      if (this.start === "ready") this.say({ kind: "ready", version: "v1", properties: infos });
      if (this.start === "failed") this.say({ kind: "failed", message: "no network" });
    } else {
      this.graded.push(message);
      void this.grade(message);
    }
  }

  terminate(): void {
    this.terminated = true;
  }

  say(message: FromWorker): void {
    queueMicrotask(() => {
      if (!this.terminated) this.onmessage?.({ data: message } as MessageEvent<FromWorker>);
    });
  }

  async grade({ run, only, trace }: Grade): Promise<void> {
    if (this.plan["top"] === "hang") return;
    const results: PropertyResult[] = [];
    for (const info of infos) {
      if (only && !only.includes(info.id)) continue;
      this.say({ kind: "began", run, property: info.id });
      const does = this.plan[info.id] ?? "pass";
      if (does === "crash") {
        await sleep(1);
        return this.onerror?.({ message: "out of memory" } as ErrorEvent);
      }
      if (does === "hang") {
        if (trace) this.say({ kind: "call", run, call: 0, fn: "createEventLog" });
        if (trace) this.say({ kind: "call", run, call: 1, fn: "appendEvent" });
        return;
      }
      if (does === "slow") {
        for (let i = 0; i < 6; i += 1) {
          await sleep(SILENCE / 2);
          if (trace) this.say({ kind: "call", run, call: i, fn: "replaySession" });
        }
      }
      await sleep(1);
      const result: PropertyResult = { ...info, verdict: does === "fail" ? "fail" : "pass", cases: 100, durationMs: 1, message: { en: "", zh: "" } };
      results.push(result);
      this.say({ kind: "result", run, result });
    }
    this.say({ kind: "done", run, result: graded(results) });
  }
}

const SILENCE = 60;
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function graded(properties: PropertyResult[]): GradeResult {
  return {
    verdict: properties.every((p) => p.verdict === "pass") ? "pass" : "fail",
    score: { earned: 0, possible: 0 },
    mastery: { earned: 0, possible: 0 },
    cases: 100,
    seed: 1,
    properties,
    report: JSON.stringify({ version: 1, sha256: "abc", properties: properties.map((p) => ({ id: p.id, verdict: p.verdict })) }),
  };
}

function clientWith(plan: Plan, options: Partial<ClientOptions> = {}): Client {
  FakeWorker.made = [];
  return new Client({
    spawn: () => new FakeWorker(plan),
    graderUrl: "g",
    engineUrl: "e",
    silenceMs: SILENCE,
    tracedSilenceMs: SILENCE,
    spareMs: 5,
    ...options,
  });
}

function listener(): GradeListener & { heard: string[] } {
  const heard: string[] = [];
  return {
    heard,
    ready: () => heard.push("ready"),
    began: (id) => heard.push(`began ${id}`),
    hanging: (id) => heard.push(`hanging ${id}`),
    result: (r) => heard.push(`${r.verdict} ${r.id}`),
  };
}

test("starting grades nothing", async () => {
  const client = clientWith({});
  const info = await client.start();
  assert.deepEqual(info.properties.map((p) => p.id), ids);
  await sleep(20);
  assert.equal(FakeWorker.made.length, 2, "one to use and a spare");
  assert.ok(FakeWorker.made.every((w) => w.graded.length === 0));
});

test("a run that ends by itself is handed on as it is", async () => {
  const client = clientWith({ append: "fail" });
  const heard = listener();
  const outcome = await client.grade("code", heard);
  assert.equal(outcome.kind, "done");
  assert.deepEqual(heard.heard, [
    "ready",
    ...["contract", "append", "replay", "scale"].flatMap((id) => [`began ${id}`, `${id === "append" ? "fail" : "pass"} ${id}`]),
  ]);
  assert.equal(FakeWorker.made[0]?.graded[0]?.source, "code");
});

test("a hang ends, names its call in both languages, and the rest is graded", async () => {
  const client = clientWith({ append: "hang" });
  await client.start();
  const heard = listener();
  const outcome = await client.grade("code", heard);
  assert.ok(outcome.kind === "done");
  const { result } = outcome;
  assert.deepEqual(result.properties.map((p) => p.verdict), ["pass", "timeout", "pass", "pass"]);
  assert.match(result.properties[1]?.message.en ?? "", /^appendEvent did not come to an end/);
  assert.match(result.properties[1]?.message.zh ?? "", /^appendEvent 一直没有结束/);
  assert.deepEqual(result.score, { earned: 2, possible: 3 });
  assert.deepEqual(result.mastery, { earned: 1, possible: 1 });
  assert.equal(result.verdict, "fail");
  assert.ok(heard.heard.includes("hanging append"));
  const report = JSON.parse(result.report) as { sha256: string; verdict: string; properties: { id: string; verdict: string }[] };
  assert.equal(report.sha256, "abc", "what only the grader knows is kept");
  assert.deepEqual(report.properties.map((p) => `${p.id} ${p.verdict}`), ["contract pass", "append timeout", "replay pass", "scale pass"]);
  // pass 1; traced from the hang on; the rest
  const passes = FakeWorker.made.flatMap((w) => w.graded.map((g) => [g.only?.join(" ") ?? "all", g.trace ?? false]));
  assert.deepEqual(passes, [["all", false], ["append replay scale", true], ["replay scale", true]]);
});

test("a hang in the last property needs no pass after it", async () => {
  const client = clientWith({ scale: "hang" });
  const outcome = await client.grade("code", listener());
  assert.ok(outcome.kind === "done");
  assert.equal(outcome.result.verdict, "pass", "mastery does not decide");
  assert.equal(outcome.result.properties[3]?.verdict, "timeout");
});

test("hangs everywhere are all named", async () => {
  const client = clientWith({ contract: "hang", append: "hang", replay: "hang", scale: "hang" });
  const outcome = await client.grade("code", listener());
  assert.ok(outcome.kind === "done");
  assert.ok(outcome.result.properties.every((p) => p.verdict === "timeout"));
});

test("slow is not hung: calls that go on are proof of life", async () => {
  const client = clientWith({ append: "slow" });
  const outcome = await client.grade("code", listener());
  assert.ok(outcome.kind === "done");
  assert.deepEqual(outcome.result.properties.map((p) => p.verdict), ["pass", "pass", "pass", "pass"]);
});

test("a file whose top level does not end is the submission's fault", async () => {
  const client = clientWith({ top: "hang" });
  const outcome = await client.grade("code", listener());
  assert.ok(outcome.kind === "done");
  assert.equal(outcome.result.fault?.kind, "ending");
  assert.equal(outcome.result.verdict, "error");
  assert.ok(outcome.result.properties.every((p) => p.verdict === "notrun"));
});

test("a worker that breaks is the grader's fault, and the next run gets another one", async () => {
  const plan: Plan = { append: "crash" };
  const client = clientWith(plan);
  const first = await client.grade("code", listener());
  assert.ok(first.kind === "done");
  assert.equal(first.result.fault?.fault, "grader");
  assert.match(first.result.fault?.message.en ?? "", /out of memory/);
  assert.equal(first.result.properties[0]?.verdict, "pass", "what was found before is kept");
  delete plan["append"];
  const second = await client.grade("code", listener());
  assert.ok(second.kind === "done");
  assert.equal(second.result.verdict, "pass");
});

test("stop ends a hang at once, and the next run works", async () => {
  const client = clientWith({ append: "hang" });
  const run = client.grade("code", listener());
  await sleep(10);
  client.stop();
  assert.deepEqual(await run, { kind: "stopped" });
  assert.equal(client.running, false);
  assert.ok(FakeWorker.made[0]?.terminated);
  const again = client.grade("code", listener());
  client.stop();
  assert.deepEqual(await again, { kind: "stopped" }, "also before the first message");
});

test("stop while the grader is still loading", async () => {
  const client = clientWith({}, { spawn: () => new FakeWorker({}, "never") });
  const run = client.grade("code", listener());
  await sleep(5);
  client.stop();
  assert.deepEqual(await run, { kind: "stopped" });
});

test("stop while a hang is being named", async () => {
  const client = clientWith({ append: "hang" });
  const heard = listener();
  const run = client.grade("code", { ...heard, hanging: () => setTimeout(() => client.stop(), 5) });
  assert.deepEqual(await run, { kind: "stopped" });
});

test("a new run takes the place of the one under way", async () => {
  const client = clientWith({ append: "slow" }, { silenceMs: 10_000 });
  const first = client.grade("one", listener());
  await sleep(10);
  const second = client.grade("two", listener());
  assert.deepEqual(await first, { kind: "stopped" });
  assert.equal((await second).kind, "done");
});

test("a grader that does not load says why, and loading again can succeed", async () => {
  let online = false;
  const client = clientWith({}, { spawn: () => new FakeWorker({}, online ? "ready" : "failed") });
  await assert.rejects(client.start(), /no network/);
  const outcome = await client.grade("code", listener());
  assert.deepEqual(outcome, { kind: "unloaded", reason: "no network" });
  online = true;
  assert.equal((await client.start()).version, "v1");
  assert.equal((await client.grade("code", listener())).kind, "done");
});
