// A counterexample to walk through: its calls as code, with what each came to, and the picture of the log at the chosen
// call. It opens where the fault shows.

import { el } from "./picture/dom.ts";
import { code } from "./picture/json.ts";
import { failureWords } from "./picture/draw-answers.ts";
import { picture } from "./picture/index.ts";
import { lastReached } from "./picture/program.ts";
import { say, type Lang } from "./picture/words.ts";
import type { Counterexample, Outcome } from "./protocol.ts";

/** A line that shows a loop, or a program with hundreds of calls, is not stepped through. */
export function canStep(ce: Counterexample): boolean {
  const lines = ce.steps.map((s) => s.code);
  return ce.lines.length === 0 || (ce.lines.length === lines.length && ce.lines.every((l, i) => l === lines[i]));
}

const mostComment = 160;

/** What a call came to, as the comment behind it. Empty for a log value and for an assignment. */
export function commentOf(o: Outcome, lang: Lang): string {
  if (Object.keys(o).length === 0) return "";
  if (o.value === undefined) return failureWords(o, lang);
  return code(o.value);
}

/** At most so much of a text; what it has in common with another goes first, since the difference is what matters. */
export function cut(text: string, other = ""): string {
  if (text.length <= mostComment) return text;
  let common = 0;
  while (common < other.length && text[common] === other[common]) common++;
  const from = other === "" || common < mostComment / 2 ? 0 : Math.min(common - 24, text.length - mostComment + 1);
  const end = from + mostComment - 1;
  return (from > 0 ? "…" : "") + text.slice(from, end) + (end < text.length ? "…" : "");
}

export function stepper(ce: Counterexample, lang: Lang): HTMLElement {
  const drawn = picture(ce, lang);
  const side = el("div", { class: "stepper-picture" }, drawn.element);
  if (!canStep(ce)) {
    const lines = ce.lines.map((l) => el("li", { class: "stepper-line" }, el("code", {}, l)));
    return el(
      "div",
      { class: "stepper" },
      el("div", { class: "stepper-inner" }, el("ol", { class: "stepper-code" }, ...lines), side),
    );
  }
  const last = lastReached(ce.steps);
  const buttons = ce.steps.map((_, i) => lineButton(ce, i, i > last, lang));
  const list = el("ol", { class: "stepper-code" }, ...buttons.map((b) => el("li", { class: "stepper-line" }, b)));
  const slider = el("input", {
    type: "range",
    min: 0,
    max: last,
    step: 1,
    class: "stepper-slider",
    "aria-label": say(lang, "step", "步骤"),
  });
  const back = el(
    "button",
    { type: "button", class: "stepper-button", "aria-label": say(lang, "previous step", "上一步") },
    "←",
  );
  const on = el(
    "button",
    { type: "button", class: "stepper-button", "aria-label": say(lang, "next step", "下一步") },
    "→",
  );
  const where = el("span", { class: "stepper-where", "aria-hidden": "true" });
  const live = el("p", { class: "picture-hidden", "aria-live": "polite" });
  const controls = el("div", { class: "stepper-controls" }, back, slider, on, where);
  const hasControls = last > 0 ? controls : undefined;
  const root = el(
    "div",
    {
      class: "stepper",
      role: "group",
      "aria-label": say(lang, "the smallest example, step by step", "最小的例子，一步一步看"),
    },
    el("div", { class: "stepper-inner" }, el("div", { class: "stepper-side" }, list, hasControls), side),
    live,
  );

  let current = -1;
  const show = (wanted: number, announce: boolean) => {
    const step = Math.max(0, Math.min(last, wanted));
    if (step === current) return;
    current = step;
    drawn.show(step);
    buttons.forEach((b, i) => {
      b.setAttribute("aria-current", i === step ? "step" : "false");
      b.tabIndex = i === step ? 0 : -1;
    });
    // Not `disabled`: that would take the focus away from whoever is pressing.
    back.setAttribute("aria-disabled", String(step === 0));
    on.setAttribute("aria-disabled", String(step === last));
    slider.value = String(step);
    const words = say(lang, `step ${step + 1} of ${last + 1}`, `第 ${step + 1} 步，共 ${last + 1} 步`);
    slider.setAttribute("aria-valuetext", words);
    where.textContent = `${step + 1} / ${last + 1}`;
    if (announce)
      live.textContent = `${words}. ${ce.steps[step]?.code ?? ""}. ${drawn.element.querySelector("figcaption")?.textContent ?? ""}`;
    reveal(list, buttons[step]);
  };
  buttons.forEach((b, i) => b.addEventListener("click", () => show(i, true)));
  slider.addEventListener("input", () => show(Number(slider.value), true));
  back.addEventListener("click", () => show(current - 1, true));
  on.addEventListener("click", () => show(current + 1, true));
  root.addEventListener("keydown", (event) => {
    const key = event.key;
    const target = event.target as HTMLElement;
    const inPicture = target.classList.contains("picture-box");
    if (event.altKey || event.ctrlKey || event.metaKey || target === slider || inPicture) return;
    const moves: Record<string, number> = {
      ArrowDown: current + 1,
      ArrowRight: current + 1,
      ArrowUp: current - 1,
      ArrowLeft: current - 1,
      Home: 0,
      End: last,
    };
    const to = moves[key];
    if (to === undefined) return;
    event.preventDefault();
    show(to, true);
    if (list.contains(target)) buttons[current]?.focus({ preventScroll: true });
  });
  show(ce.at, false);
  // Its place is known only once it stands in the page.
  requestAnimationFrame(() => reveal(list, buttons[current]));
  return root;
}

/** Scrolls the list, never the page. */
function reveal(list: HTMLElement, line: HTMLElement | undefined): void {
  if (line === undefined || list.scrollHeight <= list.clientHeight) return;
  const box = list.getBoundingClientRect();
  const at = line.getBoundingClientRect();
  if (at.top < box.top) list.scrollTop += at.top - box.top - 8;
  else if (at.bottom > box.bottom) list.scrollTop += at.bottom - box.bottom + 8;
}

function lineButton(ce: Counterexample, i: number, unreached: boolean, lang: Lang): HTMLButtonElement {
  const step = ce.steps[i];
  const button = el(
    "button",
    { type: "button", class: "stepper-call", "aria-disabled": unreached ? "true" : undefined },
    el("code", {}, step?.code ?? ""),
  );
  if (step === undefined) return button;
  if (unreached) {
    button.append(note("", say(lang, "never reached", "没有执行到")));
    return button;
  }
  const comment = commentOf(step.outcome, lang);
  if (i !== ce.at) {
    if (comment !== "" && step.fn !== "value") button.append(note("", cut(comment), comment));
    if (i === ce.against && step.outcome.value !== undefined) button.classList.add("stepper-against");
    return button;
  }
  button.classList.add("stepper-fault");
  const actual = commentOf(ce.actual, lang) || comment;
  const expected = ce.expected === undefined ? "" : expectedWords(ce, lang);
  if (expected !== "") button.append(note(say(lang, "expected", "应为"), cut(expected, actual), expected));
  button.append(note(say(lang, "actual", "实为"), cut(actual, expected), actual, true));
  return button;
}

function expectedWords(ce: Counterexample, lang: Lang): string {
  return code(ce.expected).replaceAll('eventId: "any id"', `eventId: ${say(lang, "(any id)", "（任意编号）")}`);
}

function note(label: string, text: string, full = text, wrong = false): HTMLElement {
  return el(
    "span",
    { class: wrong ? "stepper-note stepper-note-wrong" : "stepper-note", title: full === text ? undefined : full },
    wrong ? el("span", { class: "diff-sign", "aria-hidden": "true" }, "≠") : undefined,
    label === "" ? "// " : el("span", { class: "stepper-note-label" }, `${label} `),
    text,
  );
}
