// What a learner has reached, per exercise: which properties held in the last run, and whether it was ever solved.
import type { GradeResult } from "./protocol.ts";
import { isRecord, parseJson, type Store } from "./storage.ts";

export interface Progress {
  solved: boolean;
  /** Ids of the properties that held in the last run. */
  held: string[];
  earned: number;
  possible: number;
}

export function progressKey(exercise: string): string {
  return `progress:${exercise}`;
}

export function asProgress(value: unknown): Progress | undefined {
  if (!isRecord(value)) return undefined;
  const { solved, held, earned, possible } = value;
  if (typeof solved !== "boolean" || typeof earned !== "number" || typeof possible !== "number") return undefined;
  if (!Array.isArray(held) || !held.every((id) => typeof id === "string")) return undefined;
  return { solved, held, earned, possible };
}

export function readProgress(store: Store, exercise: string): Progress | undefined {
  return asProgress(parseJson(store.read(progressKey(exercise))));
}

/** Notes a finished run. Once solved stays solved: a later experiment takes nothing away. */
export function recordRun(store: Store, exercise: string, result: GradeResult): Progress {
  const progress: Progress = {
    solved: result.verdict === "pass" || (readProgress(store, exercise)?.solved ?? false),
    held: result.properties.filter((p) => p.verdict === "pass").map((p) => p.id),
    earned: result.score.earned,
    possible: result.score.possible,
  };
  store.write(progressKey(exercise), JSON.stringify(progress));
  return progress;
}
