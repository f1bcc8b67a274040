// All progress as one file, out and back in. The file is written by hand-edits and old versions too, so every part of
// it is checked before anything is replaced.
import { readDraft } from "./drafts.ts";
import { asProgress, progressKey, type Progress } from "./progress.ts";
import { isRecord, parseJson, type Store } from "./storage.ts";

const FORMAT = "forgetmenot-progress";
const VERSION = 1;

export interface Backup {
  format: typeof FORMAT;
  version: number;
  exported: string;
  exercises: Record<string, { drafts: Record<string, string>; progress?: Progress }>;
}

export type Parsed = { backup: Backup } | { problem: "invalid" | "newer" };

export function exportAll(store: Store, now: Date): Backup {
  const exercises: Backup["exercises"] = {};
  const entry = (id: string) => (exercises[id] ??= { drafts: {} });
  for (const key of store.keys()) {
    const [kind, exercise, language, rest] = key.split(":");
    if (!exercise) continue;
    if (kind === "draft" && language && rest === undefined) {
      const draft = readDraft(store, key);
      if (draft) entry(exercise).drafts[language] = draft.text;
    } else if (kind === "progress" && language === undefined) {
      const progress = asProgress(parseJson(store.read(key)));
      if (progress) entry(exercise).progress = progress;
    }
  }
  return { format: FORMAT, version: VERSION, exported: now.toISOString(), exercises };
}

export function parseBackup(text: string): Parsed {
  const value = parseJson(text.replace(/^\uFEFF/, ""));
  if (!isRecord(value) || value["format"] !== FORMAT || typeof value["version"] !== "number") return { problem: "invalid" };
  if (value["version"] > VERSION) return { problem: "newer" };
  const { exported, exercises } = value;
  if (typeof exported !== "string" || Number.isNaN(Date.parse(exported)) || !isRecord(exercises)) return { problem: "invalid" };

  const checked: Backup["exercises"] = {};
  for (const [id, entry] of Object.entries(exercises)) {
    // An id becomes part of a key, so it must not hold the key's own separator.
    if (!/^[a-z0-9-]+$/.test(id) || !isRecord(entry) || !isRecord(entry["drafts"])) return { problem: "invalid" };
    const drafts: Record<string, string> = {};
    for (const [language, draft] of Object.entries(entry["drafts"])) {
      if (!/^[a-z0-9-]+$/.test(language) || typeof draft !== "string") return { problem: "invalid" };
      drafts[language] = draft;
    }
    const progress = asProgress(entry["progress"]);
    if (entry["progress"] !== undefined && !progress) return { problem: "invalid" };
    checked[id] = progress ? { drafts, progress } : { drafts };
  }
  return { backup: { format: FORMAT, version: VERSION, exported, exercises: checked } };
}

/** Puts a backup in the place of all that is kept; all of it, or (false) none of it. */
export function importAll(store: Store, backup: Backup, tab: string): boolean {
  const before = store.keys().filter(isProgress).map((key) => [key, store.read(key)] as const);
  const writes: [string, string][] = [];
  for (const [id, { drafts, progress }] of Object.entries(backup.exercises)) {
    for (const [language, text] of Object.entries(drafts)) {
      writes.push([`draft:${id}:${language}`, JSON.stringify({ text, revision: `${tab}.import.${backup.exported}` })]);
    }
    if (progress) writes.push([progressKey(id), JSON.stringify(progress)]);
  }
  for (const [key] of before) store.remove(key);
  if (writes.every(([key, value]) => store.write(key, value))) return true;
  for (const [key] of writes) store.remove(key);
  for (const [key, value] of before) if (value !== null) store.write(key, value);
  return false;
}

function isProgress(key: string): boolean {
  return key.startsWith("draft:") || key.startsWith("progress:");
}
