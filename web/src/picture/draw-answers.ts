// The answers, in rows under the log: each item under the event that it comes from, so that what is too much, missing or
// in the wrong place stands out. Where the order is wrong, a line leads from the event to its item, and lines cross.

import type { Outcome } from "../protocol.ts";
import type { Canvas } from "./draw.ts";
import { svg, text, tip } from "./dom.ts";
import { code } from "./json.ts";
import { fit, markRadius, shortId, type PlacedAnswer, type PlacedChip } from "./layout.ts";
import type { Chip, Occasion } from "./model.ts";
import { cardShape, eventShape, pencil, sign } from "./shapes.ts";
import { plainText } from "./text.ts";
import { headings, say, type Lang } from "./words.ts";

export function drawAnswers(canvas: Canvas, answers: PlacedAnswer[]): SVGElement[] {
  return answers.map((a) => row(canvas, a));
}

/** What a row of the answer is called. */
export function occasionWord(occasion: Occasion, lang: Lang): string {
  switch (occasion) {
    case "first":
      return say(lang, "read the first time", "第一次读取");
    case "again":
      return say(lang, "read again", "再次读取");
    default:
      return headings.answer[lang];
  }
}

function row(canvas: Canvas, placed: PlacedAnswer): SVGElement {
  const { frame, lang, story } = canvas;
  const { answer, y, captionY } = placed;
  const step = story.ce.steps[answer.reading.step];
  // A live log has no lines of code to point at.
  const line =
    story.ce.at < 0 ? "" : ` · ${say(lang, `line ${answer.reading.step + 1}`, `第 ${answer.reading.step + 1} 行`)}`;
  const variable = answer.reading.of === "value";
  const opening =
    variable && answer.occasion === "only" ? say(lang, "the variable", "变量") : occasionWord(answer.occasion, lang);
  const what = variable ? "" : ` · ${step?.fn ?? ""}`;
  canvas.gutter.push(
    text(0, captionY, "picture-heading", opening + line + what),
    text(6, y + 4, "picture-label picture-strong", fit(answer.name, frame.gutter - 8)),
  );
  const group = svg("g", { class: "picture-answer" });
  for (const chip of placed.chips)
    if (chip.fromX !== undefined && chip.chip.kind !== "missing") group.append(lead(canvas, placed, chip, chip.fromX));
  for (const chip of placed.chips) group.append(chipNode(canvas, placed, chip));
  for (const gap of placed.gaps) group.append(text(gap.x, y + 4, "picture-quiet", `⋯ ${gap.count}`, "middle"));
  const x = frame.originX - 8;
  if (answer.failed !== undefined)
    group.append(failure(canvas, answer.failed, placed.chips.length > 0 ? placed.endX + frame.pitch / 2 + 8 : x, y));
  else if (answer.chips.length === 0)
    group.append(text(x, y + 4, "picture-quiet", say(lang, "[ ]  nothing", "[ ]  空")));
  if (answer.pushed) group.append(pencil(placed.chips.length > 0 ? placed.endX + frame.pitch / 2 - 6 : x + 82, y + 8));
  return group;
}

function lead({ scene, frame }: Canvas, placed: PlacedAnswer, { chip, x }: PlacedChip, fromX: number): SVGElement {
  const top = placed.captionY - 14;
  const moved = chip.kind !== "own" ? " picture-lead-wrong" : "";
  const mark = scene.marks.find((m) => m.column === chip.column);
  const start = mark === undefined ? top : (frame.lanes[mark.lane]?.y ?? top) + markRadius;
  return svg("path", {
    d: `M${fromX} ${start}V${top}C${fromX} ${top + 22} ${x} ${placed.y - 36} ${x} ${placed.y - markRadius}`,
    class: `picture-lead${moved}`,
  });
}

function chipNode({ frame, lang, hatch }: Canvas, placed: PlacedAnswer, { chip, x }: PlacedChip): SVGElement {
  const { y, answer } = placed;
  const isEvent = answer.reading.of === "events";
  const label = isEvent ? shortId(chip.label) : chip.label;
  const half = isEvent ? Math.max(markRadius, 8 + label.length * 3.7) : frame.chipWidth / 2;
  const word = chip.word[lang];
  const told = [code(chip.item.value).slice(0, 300), word, ...chip.item.fields.map((f) => `≠ ${f}`)]
    .filter(Boolean)
    .join("\n");
  const group = svg("g", { class: "picture-chip" }, tip(told));
  if (answer.reading.of === "value") group.append(eventShape(chip.kind, x, y, markRadius, hatch, half));
  else
    group.append(
      isEvent
        ? eventShape(chip.kind, x, y, markRadius, hatch, half)
        : cardShape(chip.kind, x, y, half, markRadius, hatch),
    );
  const inside = chip.kind === "foreign" || chip.kind === "unknown" ? half * 2 - 14 : half * 2 - 6;
  group.append(
    text(x, y + 4, `picture-id picture-on-${chip.kind}`, isEvent ? label : fit(chip.label, inside), "middle"),
  );
  const s = sign(chip.kind, x - half + 2, y - markRadius + 2);
  if (s !== undefined) group.append(s);
  if (chip.pencil) group.append(pencil(x + half - 4, y - markRadius + 8));
  if (word !== "")
    group.append(
      text(x, y + markRadius + 17, "picture-word", fit(word, wordRoom(placed, chip, frame.pitch) * 1.1), "middle"),
    );
  return group;
}

/** A word may lean out over neighbours that have none. */
function wordRoom(placed: PlacedAnswer, chip: Chip, pitch: number): number {
  const i = placed.chips.findIndex((c) => c.chip === chip);
  const alone = [i - 1, i + 1].every((n) => (placed.chips[n]?.chip.word.en ?? "") === "");
  return alone ? pitch * 1.7 : pitch + 4;
}

/** An answer that is none: a torn-off line with the word for it. */
function failure({ frame, lang, hatch }: Canvas, failed: Outcome, x: number, y: number): SVGElement {
  const words = failureWords(failed, lang);
  const short = failureWords(inShort(failed), lang);
  const width = Math.max(120, frame.width - x - 8);
  return svg(
    "g",
    { class: "picture-failure" },
    tip(words),
    svg("rect", {
      x,
      y: y - 12,
      width: 16,
      height: 24,
      rx: 3,
      class: "picture-shape picture-foreign",
      fill: `url(#${hatch})`,
    }),
    text(x + 24, y + 4, "picture-word picture-failure-word", fit(short, (width - 24) * 1.1)),
  );
}

/** The name of what was thrown, without its message: the sentence below the picture has all of it. */
function inShort(o: Outcome): Outcome {
  const name = (text: string) => text.split(":")[0] ?? "";
  if (o.threw !== undefined) return { threw: name(o.threw) };
  if (o.unreadable !== undefined) return { unreadable: name(o.unreadable) };
  return o;
}

/** An outcome that is no answer, in a few words. */
export function failureWords(o: Outcome, lang: Lang): string {
  if (o.threw !== undefined) return say(lang, `threw ${plainText(o.threw)}`, `抛出 ${plainText(o.threw)}`);
  if (o.unreadable !== undefined)
    return say(lang, `cannot be read: ${plainText(o.unreadable)}`, `无法读取：${plainText(o.unreadable)}`);
  if (o.wrong === "no answer") return say(lang, "never answered", "一直没有回答");
  if (o.wrong === "missing") return say(lang, "there is no such function", "没有这个函数");
  if (o.wrong !== undefined) return say(lang, `returned ${plainText(o.wrong)}`, `返回了 ${plainText(o.wrong)}`);
  return say(lang, `returned ${code(o.value)}`, `返回了 ${code(o.value)}`);
}
