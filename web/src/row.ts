// One property's row: its shape, its title, its verdict in a word; a button that opens what there is to say.
import { details } from "./details.ts";
import { h } from "./dom.ts";
import { words, type Lang } from "./i18n.ts";
import { mark, wantsAttention, type RowState } from "./marks.ts";
import type { PropertyInfo, PropertyResult } from "./protocol.ts";

export interface Row {
  readonly element: HTMLLIElement;
  readonly info: PropertyInfo;
  /** `hanging`: it fell silent, and the call it is in is being found out. */
  update(state: RowState, result?: PropertyResult, hanging?: boolean): void;
  open(yes: boolean): void;
  translate(lang: Lang): void;
  result(): PropertyResult | undefined;
  /** Brings the row to the top of what is seen, unless most of it is seen already. */
  reveal(): void;
}

export function createRow(info: PropertyInfo, language: Lang): Row {
  let lang = language;
  let state: RowState = "idle";
  let result: PropertyResult | undefined;
  let hanging = false;
  let isOpen = false;

  const bodyId = `about-${info.id}`;
  const shape = h("span", { class: "shape" });
  const title = h("span", { class: "row-title" });
  const verdict = h("span", { class: "verdict" });
  const button = h(
    "button",
    { type: "button", class: "row-button", "aria-expanded": "false", "aria-controls": bodyId, click: () => open(!isOpen) },
    shape,
    h("span", {}, title, h("span", { class: "law-id" }, info.id)),
    verdict,
    chevron(),
  );
  const body = h("div", { class: "row-body", id: bodyId, hidden: true });
  const element = h("li", { class: "row", id: `row-${info.id}` }, h("h4", {}, button), body);

  const draw = (): void => {
    const t = words(lang);
    element.dataset["state"] = state;
    element.classList.toggle("attention", wantsAttention(state));
    shape.replaceChildren(mark(state));
    title.textContent = info.title[lang];
    verdict.textContent = hanging ? t["hang.looking"] : t[`verdict.${state}`];
    button.setAttribute("aria-expanded", String(isOpen));
    body.hidden = !isOpen;
    // Built when it is looked at: a picture is not cheap, and most rows are never opened.
    body.replaceChildren(...(isOpen ? details(info, result, lang) : []));
  };
  const open = (yes: boolean): void => {
    if (yes === isOpen) return;
    isOpen = yes;
    draw();
  };

  draw();
  return {
    element,
    info,
    update: (next, nextResult, nextHanging = false) => {
      state = next;
      result = nextResult;
      hanging = nextHanging;
      draw();
    },
    open,
    translate: (next) => {
      lang = next;
      draw();
    },
    result: () => result,
    reveal: () => {
      const pane = element.closest(".results")?.getBoundingClientRect();
      const top = element.getBoundingClientRect().top;
      if (pane && top > pane.top && top < pane.top + Math.min(pane.height, window.innerHeight) * 0.3) return;
      element.scrollIntoView({ block: "start", behavior: motion() });
    },
  };
}

function motion(): ScrollBehavior {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
}

function chevron(): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 12 12");
  svg.setAttribute("class", "chevron");
  svg.setAttribute("aria-hidden", "true");
  svg.innerHTML = '<path d="m4 2 4 4-4 4" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/>';
  return svg;
}
