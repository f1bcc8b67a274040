// Puts one result together from the passes that a cut-off run took, and makes the results that no worker could write.
import { words } from "./i18n.ts";
import type { Fault, GradeResult, PropertyInfo, PropertyResult, Verdict, Words } from "./protocol.ts";
import { isRecord, parseJson } from "./storage.ts";

export function bothLanguages(say: (texts: ReturnType<typeof words>) => string): Words {
  return { en: say(words("en")), zh: say(words("zh")) };
}

/** A property's result that the page had to write itself. */
export function written(info: PropertyInfo, verdict: Verdict, message: Words): PropertyResult {
  return { ...info, verdict, cases: 0, durationMs: 0, message };
}

export function timedOut(info: PropertyInfo, fn: string | undefined): PropertyResult {
  return written(info, "timeout", bothLanguages((t) => (fn ? t["hang.call"](fn) : t["hang.unknown"])));
}

export interface Parts {
  infos: readonly PropertyInfo[];
  results: ReadonlyMap<string, PropertyResult>;
  cases: number;
  seed: number;
  version: string;
  /** What the last pass that came to its end said, if one did. */
  last?: GradeResult | undefined;
  fault?: Fault;
}

export function assemble({ infos, results, cases, seed, version, last, fault }: Parts): GradeResult {
  const properties = infos.map((info) => results.get(info.id) ?? written(info, "notrun", { en: "", zh: "" }));
  const score = (tier: string) => {
    const of = properties.filter((p) => p.tier === tier);
    return { earned: of.filter((p) => p.verdict === "pass").length, possible: of.length };
  };
  const result: Omit<GradeResult, "report"> = {
    verdict: fault ? "error" : score("required").earned === score("required").possible ? "pass" : "fail",
    score: score("required"),
    mastery: score("mastery"),
    cases,
    seed,
    properties,
    ...(fault && { fault }),
  };
  return { ...result, report: report(result, version, last) };
}

/** The report of the whole run: the last pass's own (for what only the grader knows), with the parts put together. */
function report(result: Omit<GradeResult, "report">, version: string, last: GradeResult | undefined): string {
  const base = parseJson(last?.report ?? null);
  const written = isRecord(base) && Array.isArray(base["properties"]) ? base["properties"] : [];
  const byId = new Map(written.filter(isRecord).map((p) => [p["id"], p] as const));
  return JSON.stringify(
    {
      version: 1,
      exercise: "event-log",
      language: "javascript",
      submission: "",
      sha256: "",
      grader: version,
      seed: result.seed,
      cases: result.cases,
      ...(isRecord(base) ? base : {}),
      durationMs: result.properties.reduce((sum, p) => sum + p.durationMs, 0),
      verdict: result.verdict,
      score: result.score,
      mastery: result.mastery,
      properties: result.properties.map((p) =>
        last?.properties.some((q) => q.id === p.id) ? (byId.get(p.id) ?? reportRow(p)) : reportRow(p),
      ),
      fault: result.fault?.fault ?? null,
      message: result.fault?.message.en ?? "",
    },
    null,
    2,
  );
}

function reportRow(p: PropertyResult): Record<string, unknown> {
  const ce = p.counterexample;
  return {
    id: p.id,
    tier: p.tier,
    title: p.title.en,
    verdict: p.verdict,
    cases: p.cases,
    durationMs: p.durationMs,
    message: p.message.en,
    ...(ce && {
      counterexample: {
        code: (ce.lines.length > 0 ? ce.lines : ce.steps.map((s) => s.code)).join("\n"),
        steps: ce.steps.map((s) => ({ call: s.code, result: s.outcome.value ?? null })),
        ...(ce.expected !== undefined && { expected: ce.expected }),
        actual: ce.actual.value ?? null,
      },
    }),
  };
}
