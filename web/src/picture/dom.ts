// Building nodes. Texts from strangers only ever become text nodes and attribute values, never markup.

import type { Piece } from "./text.ts";

type Attributes = Record<string, string | number | boolean | undefined>;
type Child = Node | string | undefined;

const svgSpace = "http://www.w3.org/2000/svg";

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== undefined) element.append(child);
  return element;
}

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(svgSpace, tag), attributes, children);
}

/** What a mouse that rests on an element is told. */
export function tip(text: string): SVGTitleElement {
  return svg("title", {}, text);
}

/** A text in the picture. */
export function text(
  x: number,
  y: number,
  className: string,
  content: string | readonly Piece[],
  anchor: "start" | "middle" | "end" = "start",
): SVGTextElement {
  const node = svg("text", { x, y, class: `picture-text ${className}`, "text-anchor": anchor });
  if (typeof content === "string") node.append(content);
  else
    node.append(
      ...isolated(content.map((p) => svg("tspan", { class: p.escaped ? "picture-escaped" : undefined }, p.text))),
    );
  return node;
}

/** Keeps a label's own direction of writing from turning its surroundings around. */
function isolated(nodes: Node[]): (Node | string)[] {
  return ["\u2068", ...nodes, "\u2069"];
}

/** A label in a line of HTML. */
export function labelSpans(pieces: readonly Piece[]): DocumentFragment {
  const fragment = document.createDocumentFragment();
  fragment.append(...pieces.map((p) => el("span", { class: p.escaped ? "picture-escaped" : undefined }, p.text)));
  return fragment;
}
