// A state's shape. Every state has its own outline, so that it is told without colour; the word stands beside it.
import type { Verdict } from "./protocol.ts";

export type RowState = Verdict | "idle" | "pending" | "running";

const disc = '<circle class="petal" cx="9" cy="9" r="7.5"/>';
const diamond = '<path class="eye" d="M9 1.2 16.8 9 9 16.8 1.2 9z" stroke-width="1.3" stroke-linejoin="round"/>';
const octagon = '<path class="eye" d="M6 1.5h6L16.5 6v6L12 16.5H6L1.5 12V6z" stroke-width="1.3" stroke-linejoin="round"/>';

const shapes: Readonly<Record<RowState, string>> = {
  idle: '<circle class="hollow" cx="9" cy="9" r="6.5" stroke-width="1.5"/>',
  pending: '<circle class="hollow" cx="9" cy="9" r="6.5" stroke-width="1.5"/>',
  running:
    '<circle class="hollow" cx="9" cy="9" r="6.5" stroke-width="1.5"/><path class="moving" d="M9 2.5A6.5 6.5 0 0 1 15.5 9" stroke-width="2.5" stroke-linecap="round"/>',
  pass: `${disc}<path class="on-petal" d="m5.5 9.3 2.5 2.5 4.6-5.2" stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round"/>`,
  fail: `${diamond}<path class="on-eye" d="M9 5.2v4.4M9 12.2v.2" stroke-width="1.8" stroke-linecap="round"/>`,
  timeout:
    '<path class="eye" d="M4 2h10v2.6L10.6 9 14 13.4V16H4v-2.6L7.4 9 4 4.6z" stroke-width="1.3" stroke-linejoin="round"/><path class="on-eye" d="M6.5 14h5" stroke-width="1.5" stroke-linecap="round"/>',
  crash: `${octagon}<path class="on-eye" d="m6.3 6.3 5.4 5.4m0-5.4-5.4 5.4" stroke-width="1.7" stroke-linecap="round"/>`,
  nondeterministic: `${diamond}<path class="on-eye" d="M5.6 9.6c1.1-1.7 2.3-1.7 3.4-.6s2.3 1.1 3.4-.6" stroke-width="1.6" stroke-linecap="round"/>`,
  error: `${octagon}<path class="on-eye" d="M9 5v5M9 12.7v.2" stroke-width="1.8" stroke-linecap="round"/>`,
  notrun: '<circle class="hollow" cx="9" cy="9" r="6.5" stroke-width="1.5" stroke-dasharray="2.5 2.6"/><path class="hollow" d="M6 9h6" stroke-width="1.5"/>',
};

/** The mark of a state, for the eye only. */
export function mark(state: RowState): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 18 18");
  svg.setAttribute("class", "mark");
  svg.setAttribute("aria-hidden", "true");
  svg.innerHTML = shapes[state]; // constants of this file only
  return svg;
}

/** Whether a state is one that the learner has to do something about. */
export function wantsAttention(state: RowState): boolean {
  return !["pass", "idle", "pending", "running", "notrun"].includes(state);
}
