// The law that keeping every version is cheap is about hundreds of appends: no marks, but what an event costs. The x axis
// is the number of events, a bar's height the bytes that each of them cost, so a bar's area is the memory it took.

import type { Counterexample } from "../protocol.ts";
import { svg, text } from "./dom.ts";
import { hatchId, hatching } from "./shapes.ts";
import { say, type Lang } from "./words.ts";

/** Between two measurements. */
export interface Stretch {
  from: number;
  to: number;
  bytesPerEvent: number;
}

export interface Growth {
  stretches: Stretch[];
  /** How many events had been appended when memory ran out. */
  ranOut: number | undefined;
  /** How many times as much a late event costs as an early one. */
  times: number;
}

/** What the measurements say; undefined when a program measured nothing. */
export function growthOf(ce: Counterexample): Growth | undefined {
  if (!ce.steps.some((s) => s.fn === "memory")) return undefined;
  const readings: { events: number; bytes: number }[] = [];
  let events = 0;
  let ranOut: number | undefined;
  for (const s of ce.steps) {
    if (s.outcome.wrong === "no answer") {
      ranOut = events;
      break;
    }
    if (s.fn === "appendEvent") events++;
    if (s.fn === "memory" && typeof s.outcome.value === "number") readings.push({ events, bytes: s.outcome.value });
  }
  const stretches = readings.slice(1).map((r, i) => {
    const before = readings[i] ?? r;
    return {
      from: before.events,
      to: r.events,
      bytesPerEvent: (r.bytes - before.bytes) / Math.max(1, r.events - before.events),
    };
  });
  if (stretches.length === 0 && ranOut === undefined) return undefined;
  const first = stretches[0]?.bytesPerEvent ?? 0;
  const last = stretches.at(-1)?.bytesPerEvent ?? 0;
  return { stretches, ranOut, times: first > 0 ? last / first : 0 };
}

export function describeGrowth(g: Growth, lang: Lang): string {
  if (g.ranOut !== undefined)
    return say(lang, `The memory was used up after ${g.ranOut} events.`, `追加 ${g.ranOut} 个事件之后，内存用光了。`);
  const parts = g.stretches.map((s) =>
    say(
      lang,
      `From ${s.from} to ${s.to} events, each event cost ${bytes(s.bytesPerEvent, lang)} bytes.`,
      `从 ${s.from} 到 ${s.to} 个事件，每个事件占 ${bytes(s.bytesPerEvent, lang)} 字节。`,
    ),
  );
  if (g.stretches.length < 2) return parts.join("");
  parts.push(
    say(
      lang,
      `That is ${g.times.toFixed(1)} times as much, because each new log is a copy of all that came before. A log that shares its past stays level.`,
      `后者是前者的 ${g.times.toFixed(1)} 倍，因为每个新日志都把之前的内容复制了一遍。与过去共享内容的日志应当保持持平。`,
    ),
  );
  return parts.join(lang === "zh" ? "" : " ");
}

function bytes(n: number, lang: Lang): string {
  return Math.round(n).toLocaleString(lang === "zh" ? "zh-CN" : "en");
}

const width = 340;
const height = 210;
const left = 12;
const base = 168;
const top = 44;

export function drawGrowth(g: Growth, lang: Lang): SVGSVGElement {
  const hatch = hatchId();
  const most = Math.max(1, g.ranOut ?? 0, ...g.stretches.map((s) => s.to));
  const highest = Math.max(1, ...g.stretches.map((s) => s.bytesPerEvent));
  const x = (events: number) => left + (events / most) * (width - left - 16);
  const y = (bytes: number) => base - (Math.max(0, bytes) / highest) * (base - top);
  const nodes: SVGElement[] = [
    text(left, 14, "picture-heading", say(lang, "bytes for each event", "每个事件占用的字节")),
  ];
  const level = g.stretches[0];
  g.stretches.forEach((s, i) => {
    const faulty = i > 0 && s.bytesPerEvent > (level?.bytesPerEvent ?? 0) * 1.1;
    const box = {
      x: x(s.from) + 1,
      y: y(s.bytesPerEvent),
      width: x(s.to) - x(s.from) - 2,
      height: base - y(s.bytesPerEvent),
    };
    nodes.push(
      svg("rect", {
        ...box,
        class: `picture-shape ${faulty ? "picture-changed" : "picture-own picture-bar"}`,
        fill: faulty ? `url(#${hatch})` : undefined,
      }),
      text(
        x((s.from + s.to) / 2),
        y(s.bytesPerEvent) - 8,
        "picture-label picture-strong",
        bytes(s.bytesPerEvent, lang),
        "middle",
      ),
    );
  });
  if (level !== undefined && g.stretches.length > 1) {
    const ly = y(level.bytesPerEvent);
    nodes.push(
      svg("line", { x1: x(level.from), y1: ly, x2: width - 16, y2: ly, class: "picture-level" }),
      text(x(level.to) + 10, ly + 16, "picture-word picture-on-bar", say(lang, "should stay level", "应当持平")),
    );
  }
  const ticks = [0, ...g.stretches.flatMap((s, i) => (i === 0 ? [s.from, s.to] : [s.to]))];
  if (g.ranOut !== undefined) {
    ticks.push(g.ranOut);
    nodes.push(
      svg("path", { d: `M${x(g.ranOut)} ${base}V${top}`, class: "picture-level" }),
      text(x(g.ranOut) - 8, top + 12, "picture-word", say(lang, "memory used up", "内存用光"), "end"),
    );
  }
  nodes.push(svg("line", { x1: left, y1: base, x2: width - 8, y2: base, class: "picture-lane" }));
  for (const n of new Set(ticks))
    nodes.push(text(x(n), base + 16, "picture-quiet", String(n), n === 0 ? "start" : "middle"));
  nodes.push(text(width - 8, base + 34, "picture-heading", say(lang, "events in the log →", "日志里的事件 →"), "end"));
  return svg(
    "svg",
    { class: "picture-svg picture-chart", width, height, viewBox: `0 0 ${width} ${height}` },
    hatching(hatch),
    ...nodes,
  );
}
