// One press of Run, from the first message to the verdict: tells the results, the buttons and the screen reader.
import type { Announcer } from "./announcer.ts";
import type { Client } from "./client.ts";
import type { Info } from "./engine.ts";
import { words, type Lang } from "./i18n.ts";
import { readProgress, recordRun } from "./progress.ts";
import type { Fault, GradeResult } from "./protocol.ts";
import type { Results } from "./results.ts";
import type { RunBar } from "./runbar.ts";
import type { Store } from "./storage.ts";

export interface TrialOptions {
  client: Client;
  store: Store;
  exercise: string;
  results: Results;
  runBar: RunBar;
  announce: Announcer;
  lang(): Lang;
  text(): string;
  mark(fault: Fault, message: string): void;
  clearMarks(): void;
  /** A counterexample is about to be shown. */
  makeRoom(): void;
}

export interface Trial {
  /** Loads the grader; resolves when it is there or has failed. */
  prepare(): Promise<void>;
  run(): Promise<void>;
  /** Again what failed: the loading, or the run that had been asked for. */
  retry(): Promise<void>;
  showIdle(): void;
  version(): string | undefined;
  report(): string | undefined;
}

export function createTrial(o: TrialOptions): Trial {
  let info: Info | undefined;
  let last: GradeResult | undefined;
  let asked = false;
  const { client, results, runBar, announce } = o;

  const noWasm = (): boolean => typeof WebAssembly !== "object" || typeof Worker !== "function";
  const arrived = (next: Info): void => {
    info = next;
    results.properties(next.properties);
  };
  const showIdle = (): void => results.phase({ kind: "idle", progress: readProgress(o.store, o.exercise) });

  const prepare = async (): Promise<void> => {
    if (noWasm()) return results.phase({ kind: "nowasm" });
    showIdle();
    try {
      arrived(await client.start());
    } catch (error) {
      if (client.running) return; // the run itself will tell
      results.phase({ kind: "unloaded", reason: reasonOf(error) });
      announce.say(words(o.lang())["error.load.title"]);
    }
  };

  const run = async (): Promise<void> => {
    if (client.running) return;
    if (noWasm()) return results.phase({ kind: "nowasm" });
    asked = true;
    const source = o.text();
    let done = 0;
    let begun = false;
    o.clearMarks();
    runBar.running(true);
    announce.say(words(o.lang())["live.started"]);

    const tell = (of: number): void => results.phase({ kind: "running", done, of });
    if (info) begin(info);
    else results.phase({ kind: "loading" });
    function begin(next: Info): void {
      arrived(next);
      if (!begun) results.begin();
      begun = true;
      tell(next.properties.length);
    }

    const outcome = await client.grade(source, {
      ready: begin,
      began: (id) => results.began(id),
      hanging: (id) => results.hanging(id),
      result: (result) => {
        done += 1;
        if (result.verdict !== "pass") o.makeRoom();
        results.result(result);
        const of = info?.properties.length ?? done;
        tell(of);
        announce.mention(words(o.lang())["live.progress"](done, of));
      },
    });
    runBar.running(false);
    results.end();
    switch (outcome.kind) {
      case "stopped":
        results.phase({ kind: "stopped" });
        announce.say(words(o.lang())["live.stopped"]);
        break;
      case "unloaded":
        results.phase({ kind: "unloaded", reason: outcome.reason });
        announce.say(words(o.lang())["error.load.title"]);
        break;
      case "done":
        finish(outcome.result);
    }
  };

  const finish = (result: GradeResult): void => {
    last = result;
    // Results that came in one by one are shown already; the rest (of a fault, say) is in here.
    for (const p of result.properties) if (p.verdict !== "notrun") results.result(p);
    results.phase({ kind: "done", result });
    if (result.fault) {
      const message = result.fault.message[o.lang()];
      if (result.fault.fault === "submission") o.mark(result.fault, message);
      announce.say(words(o.lang())["live.error"](message));
      return;
    }
    recordRun(o.store, o.exercise, result);
    announce.say(spoken(result, o.lang()));
  };

  return { prepare, run, retry: () => (asked ? run() : prepare()), showIdle, version: () => info?.version, report: () => last?.report };
}

/** The final verdict, as a screen reader says it. */
export function spoken(result: GradeResult, lang: Lang): string {
  const t = words(lang);
  const failing = result.properties.filter((p) => p.tier === "required" && p.verdict !== "pass");
  const first = failing[0];
  const required = first ? t["live.failed"](failing.length, first.title[lang]) : t["live.passed"];
  return `${required} ${t["live.mastery"](result.mastery.earned, result.mastery.possible)}`;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
