// The marks: what an event, a message and a session look like, and what they look like when something is wrong with them.
// Each fault has its own shape, so that it can be told without its colour.

import { svg } from "./dom.ts";
import type { Kind } from "./words.ts";

let pictures = 0;

/** An id for a picture's hatching: several pictures stand in one page. */
export function hatchId(): string {
  return `picture-hatch-${++pictures}`;
}

/** The hatching that every faulty shape is filled with; its id is the picture's own. */
export function hatching(id: string): SVGDefsElement {
  return svg(
    "defs",
    {},
    svg(
      "pattern",
      { id, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      svg("rect", { width: 6, height: 6, class: "picture-hatch-ground" }),
      svg("line", { x1: 0, y1: 0, x2: 0, y2: 6, class: "picture-hatch-line" }),
    ),
  );
}

/** A circle for an event; a diamond where it does not belong, unless it is `round` because it stands in its own lane. */
export function eventShape(
  kind: Kind,
  x: number,
  y: number,
  r: number,
  hatch: string,
  half = r,
  round = false,
): SVGElement {
  const fill = kind === "own" ? undefined : kind === "missing" ? "none" : `url(#${hatch})`;
  const className = `picture-shape picture-${kind}`;
  if (!round && (kind === "foreign" || kind === "unknown")) {
    const w = half + 5;
    const h = r + 4;
    return svg("path", { d: `M${x} ${y - h}L${x + w} ${y}L${x} ${y + h}L${x - w} ${y}Z`, class: className, fill });
  }
  const shape = svg("rect", { x: x - half, y: y - r, width: half * 2, height: r * 2, rx: r, class: className, fill });
  if (kind !== "twice") return shape;
  return svg(
    "g",
    {},
    svg("rect", { x: x - half + 4, y: y - r - 4, width: half * 2, height: r * 2, rx: r, class: className, fill }),
    shape,
  );
}

/** A card for a message or a session; its corners are cut off where it does not belong. */
export function cardShape(kind: Kind, x: number, y: number, half: number, r: number, hatch: string): SVGElement {
  const fill = kind === "own" ? undefined : kind === "missing" ? "none" : `url(#${hatch})`;
  const className = `picture-shape picture-${kind}`;
  if (kind === "foreign" || kind === "unknown") {
    const c = 9;
    const d = `M${x - half + c} ${y - r}H${x + half - c}L${x + half} ${y}L${x + half - c} ${y + r}H${x - half + c}L${x - half} ${y}Z`;
    return svg("path", { d, class: className, fill });
  }
  const card = svg("rect", { x: x - half, y: y - r, width: half * 2, height: r * 2, rx: 4, class: className, fill });
  if (kind !== "twice") return card;
  return svg(
    "g",
    {},
    svg("rect", { x: x - half + 4, y: y - r - 4, width: half * 2, height: r * 2, rx: 4, class: className, fill }),
    card,
  );
}

/** The sign at a shape's corner; shapes that speak for themselves have none. */
const signs: Partial<Record<Kind, string>> = { changed: "≠", moved: "⇄", badId: "!", twice: "2" };

export function sign(kind: Kind, x: number, y: number): SVGElement | undefined {
  const s = signs[kind];
  if (s === undefined) return undefined;
  return svg(
    "g",
    { class: "picture-sign" },
    svg("circle", { cx: x, cy: y, r: 7.5 }),
    svg("text", { x, y: y + 4, "text-anchor": "middle", class: "picture-text" }, s),
  );
}

/** Somebody has changed this from outside. */
export function pencil(x: number, y: number): SVGElement {
  return svg(
    "g",
    { class: "picture-pencil", transform: `translate(${x} ${y})` },
    svg("path", { d: "M0 0L3 -7.5L12.5 -17L17 -12.5L7.5 -3Z" }),
    svg("path", { d: "M0 0L3 -7.5L7.5 -3Z", class: "picture-pencil-tip" }),
    svg("path", { d: "M9.8 -14.3L14.3 -9.8", class: "picture-pencil-ring" }),
  );
}
