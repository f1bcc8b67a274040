// The lesson pane: both languages come with index.html, the other one in an inert template. The live example is
// mounted when it comes near, since it needs the reference's own functions.
import { need } from "./dom.ts";
import { words, type Lang } from "./i18n.ts";

export interface LessonOptions {
  /** Fills the live example; rejects when its functions could not be loaded. */
  mountExample(target: HTMLElement, lang: Lang): Promise<void>;
}

export interface Lesson {
  translate(lang: Lang): void;
}

export function createLesson(options: LessonOptions): Lesson {
  const pane = need("#lesson");
  const articles = new Map<string, HTMLElement>();
  for (const template of pane.querySelectorAll<HTMLTemplateElement>("template[data-lesson]")) {
    const article = template.content.querySelector<HTMLElement>(".lesson");
    if (article) articles.set(article.lang, article);
  }
  let shown = need("#lesson > .lesson");
  articles.set(shown.lang, shown);

  const mounted = new WeakSet<Element>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting || mounted.has(target)) continue;
        mounted.add(target);
        observer.unobserve(target);
        void fill(target as HTMLElement);
      }
    },
    { rootMargin: "400px" },
  );
  const fill = async (frame: HTMLElement): Promise<void> => {
    const lang: Lang = frame.closest("[lang]")?.getAttribute("lang") === "zh" ? "zh" : "en";
    const inside = document.createElement("div");
    try {
      await options.mountExample(inside, lang);
      frame.replaceChildren(inside);
    } catch {
      const waiting = frame.querySelector(".waiting");
      if (waiting) waiting.textContent = words(lang)["live-example.failed"];
    }
  };

  return {
    translate: (lang) => {
      const next = articles.get(lang);
      if (next && next !== shown) {
        // The same share of the text stays in view: the languages are about as long as each other.
        const share = pane.scrollTop / Math.max(1, pane.scrollHeight);
        shown.replaceWith(next);
        shown = next;
        pane.scrollTop = share * pane.scrollHeight;
      }
      for (const frame of shown.querySelectorAll(".live-frame")) if (!mounted.has(frame)) observer.observe(frame);
    },
  };
}
