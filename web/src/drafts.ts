// A learner's code, kept per exercise and language of code. Two tabs share the storage, so every record has a revision:
// a tab writes only over the revision that it has seen, and otherwise asks the person.
import { isRecord, parseJson, type Store } from "./storage.ts";

export interface DraftRecord {
  text: string;
  /** Changes with every write; says nothing but "same" or "other". */
  revision: string;
}

export type SaveOutcome = "saved" | "conflict" | "refused";

export function draftKey(exercise: string, language: string): string {
  return `draft:${exercise}:${language}`;
}

export function readDraft(store: Store, key: string): DraftRecord | undefined {
  const value = parseJson(store.read(key));
  if (isRecord(value) && typeof value["text"] === "string" && typeof value["revision"] === "string") {
    return { text: value["text"], revision: value["revision"] };
  }
  return undefined;
}

/** One tab's hold on one draft. */
export class Draft {
  /** The stored revision that this tab's text grew from; "" while nothing is stored. */
  #seen: string;
  #writes = 0;
  readonly #store: Store;
  readonly #key: string;
  readonly #tab: string;

  /** `tab` must differ between tabs; it makes revisions unique. */
  constructor(store: Store, key: string, tab: string) {
    this.#store = store;
    this.#key = key;
    this.#tab = tab;
    this.#seen = readDraft(store, key)?.revision ?? "";
  }

  /** The stored text, or undefined for a learner who has not written yet. */
  load(): string | undefined {
    const record = readDraft(this.#store, this.#key);
    this.#seen = record?.revision ?? "";
    return record?.text;
  }

  /** The version that another tab has written since this tab last looked, if it differs from `text`. */
  conflict(text: string): DraftRecord | undefined {
    const stored = readDraft(this.#store, this.#key);
    if (!stored || stored.revision === this.#seen) return undefined;
    if (stored.text === text) {
      this.#seen = stored.revision;
      return undefined;
    }
    return stored;
  }

  save(text: string): SaveOutcome {
    if (this.conflict(text)) return "conflict";
    return this.#write(text);
  }

  /** "Keep mine": writes over the other tab's version, which then learns of it. */
  overwrite(text: string): SaveOutcome {
    return this.#write(text);
  }

  /** "Take that version": this tab goes on from the other one's. */
  accept(record: DraftRecord): void {
    this.#seen = record.revision;
  }

  /** The tab closes while nobody has chosen: its text is kept beside the draft and offered at the next visit. */
  setAside(text: string): boolean {
    return this.#store.write(`${this.#key}:aside`, text);
  }

  aside(): string | undefined {
    return this.#store.read(`${this.#key}:aside`) ?? undefined;
  }

  dropAside(): void {
    this.#store.remove(`${this.#key}:aside`);
  }

  #write(text: string): SaveOutcome {
    this.#writes += 1;
    const revision = `${this.#tab}.${this.#writes}`;
    if (!this.#store.write(this.#key, JSON.stringify({ text, revision }))) return "refused";
    this.#seen = revision;
    return "saved";
  }
}
