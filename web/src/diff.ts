// Expected beside actual: items set side by side by what they are, not by their place, with only what differs made loud.
// A difference is told by a word and a sign, and what is equal stays quiet.

import { failureWords } from "./picture/draw-answers.ts";
import { anyId, difference, type Difference } from "./picture/difference.ts";
import { el } from "./picture/dom.ts";
import { code, keyCode } from "./picture/json.ts";
import { say, type Lang } from "./picture/words.ts";
import type { Json, Outcome } from "./protocol.ts";

/** A line of one side. `blank` lines keep the two sides level. */
export interface Line {
  indent: number;
  text: string;
  sign: "" | "≠" | "−" | "+" | "⇄" | "blank";
}

/** A row of the diff: an item of a list, or the whole value. */
export interface Row {
  kind: "same" | "changed" | "missing" | "extra" | "moved";
  /** The item's place in the expected and in the actual list, from 1; 0 where there is none. */
  want: number;
  got: number;
  expected: Line[];
  actual: Line[];
}

/** Lays the difference of two values out in rows. Pure. */
export function diffRows(expected: Json, actual: Json, lang: Lang = "en"): Row[] {
  const whole = difference(expected, actual);
  if (whole.kind === "list") return withMoves(whole.parts.map((p) => row(p.difference, p.want + 1, p.got + 1, lang)));
  if (whole.kind === "same" && Array.isArray(whole.value))
    return whole.value.map((v, i) => row({ kind: "same", value: v }, i + 1, i + 1, lang));
  return [row(whole, 0, 0, lang)];
}

/** What is missing in one place and too much in another stands in the wrong place. */
function withMoves(rows: Row[]): Row[] {
  const textOf = (own: Line[]) => own.map((l) => l.text).join("\n");
  const moved = (own: Line[]): Line[] => own.map((l) => (l.sign === "blank" ? l : { ...l, sign: "⇄" }));
  const result = [...rows];
  rows.forEach((from, i) => {
    if (from.kind !== "missing") return;
    const j = result.findIndex((to) => to.kind === "extra" && textOf(to.actual) === textOf(from.expected));
    const to = result[j];
    if (to === undefined) return;
    result[i] = { ...from, kind: "moved", expected: moved(from.expected) };
    result[j] = { ...to, kind: "moved", actual: moved(to.actual) };
  });
  return result;
}

function row(d: Difference, want: number, got: number, lang: Lang): Row {
  const [expected, actual] = sides(d, 0, "", "", lang);
  const kind = d.kind === "same" || d.kind === "missing" || d.kind === "extra" ? d.kind : "changed";
  return { kind, want, got, expected, actual };
}

function sides(d: Difference, indent: number, before: string, after: string, lang: Lang): [Line[], Line[]] {
  const line = (text: string, sign: Line["sign"]): Line => ({ indent, text: before + text + after, sign });
  const blank: Line = { indent, text: "", sign: "blank" };
  switch (d.kind) {
    case "same":
      return [[line(written(d.value, lang), "")], [line(written(d.value, lang), "")]];
    case "other":
      return [[line(written(d.want, lang), "≠")], [line(written(d.got, lang), "≠")]];
    case "missing":
      return [[line(written(d.want, lang), "−")], [blank]];
    case "extra":
      return [[blank], [line(written(d.got, lang), "+")]];
    case "object":
    case "list": {
      const [open, close] = d.kind === "object" ? ["{", "}"] : ["[", "]"];
      const left: Line[] = [{ indent, text: before + open, sign: "" }];
      const right: Line[] = [{ indent, text: before + open, sign: "" }];
      for (const part of d.parts) {
        const key = "key" in part ? `${keyCode(part.key)}: ` : "";
        const [l, r] = sides(part.difference, indent + 1, key, ",", lang);
        left.push(...l);
        right.push(...r);
      }
      const last: Line = { indent, text: close + after, sign: "" };
      return [
        [...left, last],
        [...right, last],
      ];
    }
  }
}

/** A value as code; an id that the law leaves open is no text to look for. */
function written(v: Json, lang: Lang): string {
  return code(v).replaceAll(`eventId: "${anyId}"`, `eventId: ${say(lang, "(any id)", "（任意编号）")}`);
}

/** The comparison, or a sentence where there is nothing to compare. */
export function diffView(expected: Json | undefined, actual: Outcome, lang: Lang): HTMLElement {
  const view = el("div", { class: "diff", lang });
  const got = actual.value;
  if (got === undefined) {
    view.append(
      el(
        "p",
        { class: "diff-sentence" },
        el("span", { class: "diff-sign", "aria-hidden": "true" }, "≠"),
        sentence(actual, lang),
      ),
    );
    if (expected !== undefined) view.append(block(say(lang, "expected", "应为"), written(expected, lang)));
    return view;
  }
  if (expected === undefined) {
    view.append(
      el(
        "p",
        { class: "diff-sentence" },
        say(
          lang,
          "The law says only what must not be, so there is no one right answer to set beside it. This came back:",
          "这条规则只说明什么不可以发生，所以没有唯一的正确答案可以对照。得到的是：",
        ),
      ),
      block(say(lang, "actual", "实为"), written(got, lang)),
    );
    return view;
  }
  const rows = diffRows(expected, got, lang);
  view.append(
    el(
      "div",
      { class: "diff-grid" },
      el(
        "div",
        { class: "diff-head", "aria-hidden": "true" },
        el("span", {}, say(lang, "expected", "应为")),
        el("span", {}, say(lang, "actual", "实为")),
      ),
      ...(rows.length === 0 || isEmptyList(expected) || isEmptyList(got)
        ? emptyRows(expected, got, rows, lang)
        : folded(rows, lang)),
    ),
  );
  return view;
}

function isEmptyList(v: Json): boolean {
  return Array.isArray(v) && v.length === 0;
}

/** An empty list is said in words: an empty column says nothing. */
function emptyRows(expected: Json, got: Json, rows: Row[], lang: Lang): HTMLElement[] {
  const nothing = say(lang, "[ ]  an empty list", "[ ]  空列表");
  const side = (v: Json, of: "expected" | "actual", label: string) =>
    el(
      "div",
      { class: "diff-cell" },
      cellLabel(label),
      isEmptyList(v)
        ? el("p", { class: "diff-empty" }, nothing)
        : el("div", {}, ...rows.flatMap((r) => lines(r[of], lang))),
    );
  return [
    el(
      "div",
      { class: "diff-row diff-changed" },
      side(expected, "expected", say(lang, "expected", "应为")),
      side(got, "actual", say(lang, "actual", "实为")),
    ),
  ];
}

/** Runs of equal rows are folded away. */
function folded(rows: Row[], lang: Lang): HTMLElement[] {
  const nodes: HTMLElement[] = [];
  for (let i = 0; i < rows.length;) {
    let end = i;
    while (rows[end]?.kind === "same") end++;
    if (end - i > 2) {
      const n = end - i;
      nodes.push(
        el(
          "details",
          { class: "diff-equal" },
          el("summary", {}, say(lang, `${n} equal items`, `${n} 项相同`)),
          ...rows.slice(i, end).map((r) => rowNode(r, lang)),
        ),
      );
      i = end;
    } else {
      nodes.push(rowNode(rows[i] as Row, lang));
      i++;
    }
  }
  return nodes;
}

const rowWords = {
  same: { en: "", zh: "" },
  changed: { en: "differs", zh: "不同" },
  missing: { en: "missing", zh: "缺失" },
  extra: { en: "too many", zh: "多余" },
  moved: { en: "in another place", zh: "位置不同" },
};

function rowNode(r: Row, lang: Lang): HTMLElement {
  const word = rowWords[r.kind][lang];
  const tag = word === "" ? undefined : el("span", { class: "diff-tag" }, word);
  const cell = (own: Line[], label: string, place: number, absent: boolean, tagged: boolean) =>
    el(
      "div",
      { class: absent ? "diff-cell diff-absent" : "diff-cell" },
      cellLabel(place > 0 ? `${label} ${say(lang, `item ${place}`, `第 ${place} 项`)}` : label),
      absent ? el("p", { class: "diff-empty" }, say(lang, "nothing", "空")) : el("div", {}, ...lines(own, lang)),
      tagged ? tag : undefined,
    );
  return el(
    "div",
    { class: `diff-row diff-${r.kind}` },
    cell(
      r.expected,
      say(lang, "expected", "应为"),
      r.want,
      r.want === 0 && r.got > 0,
      r.kind === "moved" && r.got === 0,
    ),
    cell(r.actual, say(lang, "actual", "实为"), r.got, r.got === 0 && r.want > 0, r.kind !== "moved" || r.got > 0),
  );
}

/** Names the side: on a narrow page for everybody, on a wide one for those who do not see the columns. */
function cellLabel(label: string): HTMLElement {
  return el("span", { class: "diff-label" }, label);
}

const signWords = {
  "≠": { en: "differs: ", zh: "不同：" },
  "−": { en: "missing: ", zh: "缺失：" },
  "+": { en: "too many: ", zh: "多余：" },
  "⇄": { en: "in another place: ", zh: "位置不同：" },
};

function lines(own: Line[], lang: Lang): HTMLElement[] {
  return own.map((l) => {
    const loud = l.sign !== "" && l.sign !== "blank";
    const node = el("code", {
      class: loud ? "diff-line diff-loud" : l.sign === "blank" ? "diff-line diff-blank" : "diff-line",
    });
    if (loud)
      node.append(
        el("span", { class: "diff-sign", "aria-hidden": "true" }, l.sign),
        el("span", { class: "picture-hidden" }, signWords[l.sign as keyof typeof signWords][lang]),
      );
    node.append("  ".repeat(l.indent) + l.text);
    return node;
  });
}

function block(label: string, text: string): HTMLElement {
  return el(
    "div",
    { class: "diff-cell diff-alone" },
    el("span", { class: "diff-label diff-label-always" }, label),
    el("code", { class: "diff-line" }, text),
  );
}

function sentence(o: Outcome, lang: Lang): string {
  if (o.threw !== undefined)
    return say(
      lang,
      `The call did not answer, it ${failureWords(o, lang)}`,
      `这次调用没有回答，而是${failureWords(o, lang)}`,
    );
  if (o.unreadable !== undefined)
    return say(
      lang,
      `The call answered with something that cannot be written as JSON. It ${failureWords(o, lang)}`,
      `返回的值无法写成 JSON。${failureWords(o, lang)}`,
    );
  if (o.wrong === "no answer")
    return say(lang, "The call never came to an end and was stopped.", "这次调用一直没有结束，已被停止。");
  if (o.wrong === "missing") return say(lang, "There is no such function to call.", "没有可以调用的函数。");
  if (o.wrong !== undefined)
    return say(
      lang,
      `The call ${failureWords(o, lang)}, which is no list.`,
      `这次调用${failureWords(o, lang)}，不是数组。`,
    );
  return say(lang, "There is no answer to compare.", "没有可以对照的回答。");
}
