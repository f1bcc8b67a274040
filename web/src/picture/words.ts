// The languages of the picture, and the words that stand beside its marks: a fault is told by a word and by a shape.

import type { Words } from "../protocol.ts";

export type Lang = keyof Words;

/** Picks the language. */
export function say(lang: Lang, en: string, zh: string): string {
  return lang === "zh" ? zh : en;
}

/** What became of one item of an answer, or of one that should be there. */
export type Kind = "own" | "foreign" | "twice" | "unknown" | "changed" | "moved" | "missing" | "badId";

/** The word under a mark. Short: two marks stand close together. */
export const kindWords: Record<Kind, Words> = {
  own: { en: "", zh: "" },
  foreign: { en: "foreign", zh: "外来" },
  twice: { en: "twice", zh: "重复" },
  unknown: { en: "unknown", zh: "不明" },
  changed: { en: "changed", zh: "变了" },
  moved: { en: "moved", zh: "错位" },
  missing: { en: "missing", zh: "缺失" },
  badId: { en: "bad id", zh: "编号错" },
};

export const headings = {
  lanes: { en: "sessions", zh: "会话" },
  time: { en: "time", zh: "时间" },
  logs: { en: "log values", zh: "日志的值" },
  answer: { en: "the answer", zh: "回答" },
} satisfies Record<string, Words>;
