// The picture of the log: a lane per session, time to the right, an event a mark with its id, log values as brackets under
// the lanes, and what a question was answered with in rows below. It is drawn from a program and its transcript; it never
// judges, the grader does. It knows nothing of the page around it but the custom properties of its style sheet,
// styles/picture.css.
//
// reading.ts compares an answer with what the program says; story.ts and model.ts say what there is to draw, layout.ts
// where, draw.ts how, and describe.ts says it in words.

import type { Counterexample } from "../protocol.ts";
import { describeGrowth, drawGrowth, growthOf } from "./chart.ts";
import { describePicture, describeStep } from "./describe.ts";
import { el } from "./dom.ts";
import { drawScene } from "./draw.ts";
import { frameOf, placeAnswers, type Frame } from "./layout.ts";
import { sceneAt, type Scene } from "./model.ts";
import { tell, type Story } from "./story.ts";
import { say, type Lang } from "./words.ts";

export type { Lang } from "./words.ts";

export interface Picture {
  element: HTMLElement;
  /** Shows the state after this step. */
  show(step: number): void;
}

/** A picture that opens at the step that shows the fault. */
export function picture(ce: Counterexample, lang: Lang): Picture {
  const growth = growthOf(ce);
  const box = el("div", { class: "picture-box" });
  const caption = el("figcaption", { class: "picture-caption" });
  const element = el("figure", { class: "picture", lang: lang === "zh" ? "zh" : "en" }, box, caption);
  if (growth !== undefined) {
    const chart = drawGrowth(growth, lang);
    const words = describeGrowth(growth, lang);
    chart.setAttribute("role", "img");
    chart.setAttribute("aria-label", words);
    box.append(chart);
    caption.append(words);
    return { element, show: () => undefined };
  }
  const story = tell(ce);
  const frame = frameOf(story);
  // What is wider than the page scrolls inside its box, and can be scrolled by keyboard.
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", say(lang, "the picture of the log", "日志的图"));
  const keepNamesInSight = () => {
    const padding = Number.parseFloat(getComputedStyle(box).paddingInlineStart) || 0;
    const by = Math.max(0, box.scrollLeft - padding);
    const gutter = box.querySelector(".picture-gutter");
    gutter?.setAttribute("transform", `translate(${by} 0)`);
    gutter?.classList.toggle("picture-gutter-over", by > 0);
  };
  box.addEventListener("scroll", keepNamesInSight, { passive: true });
  // Once it stands in the page, its width is known: only what scrolls takes the focus, and the fault comes into sight.
  let faultX = 0;
  new ResizeObserver(() => {
    box.tabIndex = box.scrollWidth > box.clientWidth ? 0 : -1;
    bringIntoSight(box, frame.gutter, faultX);
  }).observe(box);
  const show = (wanted: number) => {
    const step = Math.max(0, Math.min(story.last, wanted));
    const scene = sceneAt(story, step);
    const drawn = drawScene(story, frame, scene, lang);
    drawn.setAttribute("role", "img");
    drawn.setAttribute("aria-label", describePicture(story, step, lang));
    const scrolled = box.scrollLeft;
    box.replaceChildren(drawn);
    box.scrollLeft = scrolled;
    faultX = placeOfInterest(frame, story, scene);
    bringIntoSight(box, frame.gutter, faultX);
    keepNamesInSight();
    caption.replaceChildren(el("span", {}, describeStep(story, step, lang)));
    caption.classList.toggle("picture-caption-fault", scene.fault);
  };
  show(ce.at);
  return { element, show };
}

/** Where to look at this step: the first faulty item, or what happens now. */
function placeOfInterest(frame: Frame, story: Story, scene: Scene): number {
  for (const answer of placeAnswers(frame, story, scene).reverse()) {
    const faulty = answer.chips.find((c) => c.chip.kind !== "own");
    if (faulty !== undefined) return faulty.x;
  }
  return frame.columnX[scene.currentColumn] ?? 0;
}

function bringIntoSight(box: HTMLElement, gutter: number, x: number): void {
  if (box.scrollWidth <= box.clientWidth || x === 0) return;
  const left = x - box.scrollLeft;
  if (left < gutter + 50 || left > box.clientWidth - 60) box.scrollLeft = x - (gutter + box.clientWidth) / 2;
}
