// The languages of the page, and how one is chosen. The texts stand in words/, one file per language.
import { en } from "./words/en.ts";
import type { Lang } from "./lang.ts";
import { zh } from "./words/zh.ts";

export type { Lang } from "./lang.ts";

/** What a catalogue must hold: every key of the English one, as a text or as a function of the same arguments. */
export type Catalogue = {
  readonly [K in keyof typeof en]: (typeof en)[K] extends (...args: infer A) => string ? (...args: A) => string : string;
};

export type PlainKey = { [K in keyof Catalogue]: Catalogue[K] extends string ? K : never }[keyof Catalogue];

const catalogues: Readonly<Record<Lang, Catalogue>> = { en, zh };

export function words(lang: Lang): Catalogue {
  return catalogues[lang];
}

/** Fills every element that names a text: its content by data-words, its accessible name by data-words-label. */
export function fillWords(root: ParentNode, lang: Lang): void {
  const texts: Readonly<Record<string, unknown>> = words(lang);
  for (const element of root.querySelectorAll<HTMLElement>("[data-words]")) {
    const text = texts[element.dataset["words"] ?? ""];
    if (typeof text === "string") element.textContent = text;
  }
  for (const element of root.querySelectorAll<HTMLElement>("[data-words-label]")) {
    const text = texts[element.dataset["wordsLabel"] ?? ""];
    if (typeof text === "string") element.setAttribute("aria-label", text);
  }
}
