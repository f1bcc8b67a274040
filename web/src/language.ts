// The language switch: what was chosen, who wants to know, and the two buttons.
import { fillWords, words, type Lang } from "./i18n.ts";
import { pickLanguage } from "./lang.ts";
import type { Store } from "./storage.ts";

const KEY = "language";

export interface Language {
  now(): Lang;
  /** Calls at once and after every change. */
  follow(listener: (lang: Lang) => void): void;
}

export function createLanguage(store: Store, buttons: Iterable<HTMLButtonElement>): Language {
  let lang = pickLanguage(store.read(KEY), navigator.languages);
  const listeners: ((lang: Lang) => void)[] = [];
  const all = [...buttons];

  const apply = (): void => {
    document.documentElement.lang = lang;
    document.title = `${words(lang)["exercise.title"]} · ${words(lang)["product"]}`;
    document.querySelector('meta[name="description"]')?.setAttribute("content", words(lang)["description"]);
    fillWords(document, lang);
    for (const button of all) button.setAttribute("aria-pressed", String(button.lang === lang));
  };
  for (const button of all) {
    button.addEventListener("click", () => {
      lang = pickLanguage(button.lang, []);
      store.write(KEY, lang);
      apply();
      for (const listener of listeners) listener(lang);
    });
  }
  apply();
  return {
    now: () => lang,
    follow: (listener) => {
      listeners.push(listener);
      listener(lang);
    },
  };
}
