// The scene as SVG. Colours and strokes are the style sheet's; here are only shapes, places and words.

import { svg, text, tip } from "./dom.ts";
import { drawAnswers } from "./draw-answers.ts";
import { fit, markRadius, placeAnswers, shortId, type Frame } from "./layout.ts";
import type { Bracket, Mark, Scene } from "./model.ts";
import { eventShape, hatchId, hatching, pencil, sign } from "./shapes.ts";
import { plainText } from "./text.ts";
import type { Story } from "./story.ts";
import { headings, kindWords, say, type Lang } from "./words.ts";

/** What drawing needs to know wherever it is. */
export interface Canvas {
  story: Story;
  frame: Frame;
  scene: Scene;
  lang: Lang;
  /** The id of this picture's hatching. */
  hatch: string;
  /** What stays in sight when the picture is scrolled: the names of the rows. */
  gutter: SVGElement[];
}

/** Draws the scene. The words for those who do not see it are the caller's. */
export function drawScene(story: Story, frame: Frame, scene: Scene, lang: Lang): SVGSVGElement {
  const canvas: Canvas = { story, frame, scene, lang, hatch: hatchId(), gutter: [] };
  const drawing = svg(
    "svg",
    { class: "picture-svg", width: frame.width, height: frame.height, viewBox: `0 0 ${frame.width} ${frame.height}` },
    hatching(canvas.hatch),
    ...now(canvas),
    ...lanes(canvas),
    ...brackets(canvas),
    ...marks(canvas),
    ...drawAnswers(canvas, placeAnswers(frame, story, scene)),
  );
  const ground = svg("rect", {
    x: -2,
    y: 0,
    width: frame.gutter,
    height: frame.height,
    class: "picture-gutter-ground",
  });
  drawing.append(svg("g", { class: "picture-gutter" }, ground, ...canvas.gutter));
  return drawing;
}

/** The column in which something happens now. */
function now({ frame, scene }: Canvas): SVGElement[] {
  const x = frame.columnX[scene.currentColumn];
  if (x === undefined) return [];
  return [
    svg("rect", {
      x: x - frame.pitch / 2 + 2,
      y: 2,
      width: frame.pitch - 4,
      height: frame.answersY - 8,
      rx: 6,
      class: "picture-now",
    }),
  ];
}

function lanes({ story, frame, scene, lang, gutter }: Canvas): SVGElement[] {
  const end = frame.width - 8;
  const nodes: SVGElement[] = [text(end, 13, "picture-heading", `${headings.time[lang]} →`, "end")];
  gutter.push(text(0, 13, "picture-heading", headings.lanes[lang]));
  if (frame.lanes.length === 0) {
    nodes.push(text(frame.gutter + 8, 48, "picture-quiet", say(lang, "no events yet", "还没有事件")));
  }
  frame.lanes.forEach((lane, i) => {
    const asked = i === scene.askedLane;
    const band = { x: 0, y: lane.y - 20, width: frame.width - 2, height: frame.laneHeight - 4, rx: 6 };
    if (asked) {
      nodes.push(svg("rect", { ...band, class: "picture-asked-lane" }));
      gutter.push(svg("rect", { ...band, width: frame.gutter - 2, class: "picture-asked-lane" }));
    }
    nodes.push(svg("line", { x1: frame.gutter, y1: lane.y, x2: end, y2: lane.y, class: "picture-lane" }));
    gutter.push(
      svg(
        "g",
        {},
        tip(JSON.stringify(lane.full)),
        text(6, lane.y + 4, asked ? "picture-label picture-strong" : "picture-label", lane.label),
      ),
    );
  });
  story.columns.forEach((column, i) => {
    const x = frame.columnX[i] ?? 0;
    const first = frame.lanes[0];
    const last = frame.lanes.at(-1);
    if (!("gap" in column) || first === undefined || last === undefined) return;
    const y = (first.y + last.y) / 2;
    nodes.push(
      svg("rect", {
        x: x - 19,
        y: first.y - 17,
        width: 38,
        height: last.y - first.y + 34,
        rx: 6,
        class: "picture-gap",
      }),
      text(x, y, "picture-quiet", "⋯", "middle"),
      svg(
        "g",
        {},
        tip(say(lang, `${column.gap} events are not drawn`, `有 ${column.gap} 个事件没有画出`)),
        text(x, y + 13, "picture-quiet", `${column.gap}`, "middle"),
      ),
    );
  });
  return nodes;
}

function marks(canvas: Canvas): SVGElement[] {
  const { frame, scene } = canvas;
  const nodes: SVGElement[] = [];
  // A line leads from where an event belongs to the lane in which it has turned up.
  for (const m of scene.marks.filter((each) => each.astray)) {
    const home = scene.marks.find((each) => each.event === m.event && !each.astray);
    const x = frame.columnX[m.column] ?? 0;
    const from = frame.lanes[home?.lane ?? -1];
    const to = frame.lanes[m.lane];
    if (from === undefined || to === undefined) continue;
    nodes.push(svg("line", { x1: x, y1: from.y, x2: x, y2: to.y, class: "picture-astray" }));
  }
  nodes.push(...scene.marks.map((m) => mark(canvas, m)));
  const { badId } = scene;
  const a = scene.marks.find((m) => m.event === badId?.before);
  const b = scene.marks.find((m) => m.event === badId?.event);
  if (a !== undefined && b !== undefined) nodes.unshift(tie(canvas, a, b));
  return nodes;
}

function mark({ frame, lang, hatch }: Canvas, m: Mark): SVGElement {
  const x = frame.columnX[m.column] ?? 0;
  const y = frame.lanes[m.lane]?.y ?? 0;
  const id = m.id === undefined ? undefined : shortId(m.id);
  const half = id === undefined ? 9 : Math.max(markRadius, 8 + id.length * 3.7);
  const r = id === undefined && m.kind === "own" ? 9 : markRadius;
  const word = kindWords[m.kind][lang];
  const name =
    m.id === undefined ? say(lang, "an event whose id no reading has told", "编号还没有读到的事件") : `eventId ${m.id}`;
  const group = svg(
    "g",
    { class: `picture-mark picture-state-${m.state}` },
    tip([name, `type: ${plainText(m.type)}`, word].filter(Boolean).join(", ")),
  );
  if (m.current) group.append(svg("circle", { cx: x, cy: y, r: Math.max(half, r) + 5, class: "picture-current" }));
  group.append(eventShape(m.kind, x, y, r, hatch, Math.max(half, r === markRadius ? markRadius : half), !m.astray));
  if (id !== undefined) group.append(text(x, y + 4, `picture-id picture-on-${m.kind}`, id, "middle"));
  const s = sign(m.kind, x - half + 2, y - r + 2);
  if (s !== undefined) group.append(s);
  if (m.pencil) group.append(pencil(x + half - 3, y - r + 6));
  if (frame.showTypes && !m.astray)
    group.append(text(x, y + 30, "picture-type", fit(m.type, frame.pitch - 4), "middle"));
  return group;
}

/** Ties two events whose ids do not grow. */
function tie({ frame }: Canvas, a: Mark, b: Mark): SVGElement {
  const [x1, y1] = [frame.columnX[a.column] ?? 0, frame.lanes[a.lane]?.y ?? 0];
  const [x2, y2] = [frame.columnX[b.column] ?? 0, frame.lanes[b.lane]?.y ?? 0];
  const bow = y1 === y2 ? -22 : 0;
  return svg("path", { d: `M${x1} ${y1}Q${(x1 + x2) / 2} ${(y1 + y2) / 2 + bow} ${x2} ${y2}`, class: "picture-tie" });
}

function brackets(canvas: Canvas): SVGElement[] {
  const { story, frame, scene, lang, gutter } = canvas;
  if (scene.brackets.length === 0) return [];
  gutter.push(text(0, frame.logsHeadingY, "picture-heading", headings.logs[lang]));
  story.logs.forEach((row, i) => {
    const reached = scene.brackets.some((b) => b.row > i);
    if ("gap" in row && reached)
      gutter.push(
        text(6, (frame.logs[i] ?? 0) + 4, "picture-quiet", say(lang, `⋯ ${row.gap} more`, `⋯ 另有 ${row.gap} 个`)),
      );
  });
  return scene.brackets.map((b) => bracket(canvas, b));
}

function bracket({ frame, hatch, lang, gutter }: Canvas, b: Bracket): SVGElement {
  const y = frame.logs[b.row] ?? 0;
  const x = (column: number) => frame.columnX[column] ?? 0;
  const start = frame.originX - 8;
  const last = b.held.at(-1);
  const end = last === undefined ? frame.originX + 6 : x(last) + 15;
  gutter.push(
    text(6, y + 4, b.current ? "picture-label picture-strong" : "picture-label", fit(b.name, frame.gutter - 8)),
  );
  const group = svg("g", { class: b.current ? "picture-bracket picture-bracket-current" : "picture-bracket" });
  const parentY = frame.logs[b.branch];
  if (parentY !== undefined && last !== undefined) {
    // From where the ancestor ends.
    const before = b.held.at(-2);
    const bx = before === undefined ? frame.originX + 6 : x(before) + 15;
    group.append(svg("path", { d: `M${bx} ${parentY}V${y - 6}q0 6 6 6H${x(last) - 12}`, class: "picture-branch" }));
  }
  // Solid where the next event is held too, dotted over those that are another log's.
  let from = start;
  let previous = -1;
  for (const column of b.held) {
    const skips = column > previous + 1;
    if (skips) {
      group.append(svg("line", { x1: from, y1: y, x2: x(column) - 12, y2: y, class: "picture-span-over" }));
      from = x(column) - 12;
    }
    const to = column === last ? end : x(column) + 12;
    group.append(svg("line", { x1: from, y1: y, x2: to, y2: y, class: "picture-span" }));
    from = to;
    previous = column;
  }
  if (last === undefined) group.append(svg("line", { x1: start, y1: y, x2: end, y2: y, class: "picture-span" }));
  group.append(svg("path", { d: `M${start} ${y - 6}V${y}M${end} ${y - 6}V${y}`, class: "picture-span" }));
  for (const column of b.held) {
    const missing = b.missing.includes(column);
    group.append(
      svg("circle", {
        cx: x(column),
        cy: y,
        r: missing ? 6 : 3.5,
        class: missing ? "picture-held-missing" : "picture-held",
      }),
    );
  }
  const far = Math.max(...b.foreign);
  if (b.foreign.length > 0 && x(far) > end) {
    group.prepend(
      svg("rect", {
        x: end,
        y: y - 6,
        width: x(far) + 15 - end,
        height: 12,
        rx: 2,
        class: "picture-grown",
        fill: `url(#${hatch})`,
      }),
    );
  }
  for (const column of b.foreign)
    group.append(svg("g", {}, tip(kindWords.foreign[lang]), eventShape("foreign", x(column), y, 4, hatch)));
  return group;
}
