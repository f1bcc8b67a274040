// Where everything of a scene stands, in pixels. Pure. The frame follows from the story, so that it stays still from step
// to step; only the chips of an answer find their places anew.

import { columns as widthInColumns, labels, plainText, shorten, type Piece } from "./text.ts";
import type { Answer, Chip, Scene } from "./model.ts";
import type { Story } from "./story.ts";

/** The width of a character at the picture's label size. */
export const charWidth = 7.3;

export interface Frame {
  width: number;
  height: number;
  /** Where the lanes begin; labels stand to the left of it. */
  gutter: number;
  pitch: number;
  columnX: number[];
  /** Where an empty log's bracket ends. */
  originX: number;
  lanes: { y: number; label: Piece[]; full: string }[];
  laneHeight: number;
  logs: number[];
  logsHeadingY: number;
  answersY: number;
  /** Whether an event's type stands under its mark. */
  showTypes: boolean;
  chipWidth: number;
}

export interface PlacedChip {
  chip: Chip;
  x: number;
  /** Where the event stands that this chip comes from, when the chip could not be put under it. */
  fromX: number | undefined;
}

export interface PlacedAnswer {
  answer: Answer;
  captionY: number;
  y: number;
  chips: PlacedChip[];
  /** Items that are not drawn, and where the word for them stands. */
  gaps: { x: number; count: number }[];
  endX: number;
}

export const markRadius = 15;
const headingHeight = 22;
const logHeight = 26;
export const answerHeight = 86;
const mostGutter = 128;
const mostChips = 24;

export function frameOf(story: Story): Frame {
  const steps = story.ce.steps;
  const laneLabels = labels(story.lanes, 16);
  const names = story.logs.map((row) => ("log" in row ? (steps[row.log]?.name ?? "") : ""));
  const widest = Math.max(5, ...laneLabels.map(widthOf), ...names.map((n) => widthInColumns(n)));
  const gutter = Math.min(mostGutter, Math.ceil(widest * charWidth) + 16);
  const listWidth = story.lists ? Math.min(12, Math.max(3, ...laneLabels.map(widthOf))) * charWidth + 22 : 0;
  // Few events stand wide apart; many must still fit a phone without much scrolling.
  const roomy = story.columns.length <= 5 ? 60 : 48;
  const pitch = Math.max(story.replays ? 98 : roomy, Math.ceil(listWidth));
  const originX = gutter + 22;
  const columnX = story.columns.map((_, i) => originX + 16 + pitch / 2 + i * pitch);
  const laneHeight = story.replays ? 62 : 48;
  const lanesTop = headingHeight;
  const lanes = story.lanes.map((full, i) => ({ y: lanesTop + i * laneHeight + 24, label: laneLabels[i] ?? [], full }));
  const lanesEnd = lanesTop + Math.max(1, lanes.length) * laneHeight;
  const logsTop = lanesEnd + 4 + headingHeight;
  const logs = story.logs.map((_, i) => logsTop + i * logHeight + 10);
  const answersY = logsTop + story.logs.length * logHeight + 8;
  const slots = Math.max(story.columns.length, ...story.readings.map((r) => Math.min(mostChips, r?.items.length ?? 0)));
  return {
    width: Math.max(300, originX + 16 + slots * pitch + 8),
    height: answersY + story.rows * answerHeight + 4,
    gutter,
    pitch,
    columnX,
    originX,
    lanes,
    laneHeight,
    logs,
    logsHeadingY: lanesEnd + 16,
    answersY,
    showTypes: story.replays,
    chipWidth: pitch - 8,
  };
}

/** The columns that a label takes. */
export function widthOf(label: readonly Piece[]): number {
  return label.reduce((n, p) => n + widthInColumns(p.text), 0);
}

/** A text cut to a width in pixels. */
export function fit(text: string, pixels: number): Piece[] {
  return shorten(text, Math.max(3, Math.floor(pixels / charWidth)));
}

/** An id in a mark: the end of it tells ids apart. */
export function shortId(id: string): string {
  const text = plainText(id);
  return text.length <= 5 ? text : `…${text.slice(-4)}`;
}

export function placeAnswers(frame: Frame, story: Story, scene: Scene): PlacedAnswer[] {
  // A lone answer stands in the last row, where the one with the fault will stand.
  return scene.answers.map((answer, i) => {
    const top = frame.answersY + i * answerHeight;
    const placed = placeChips(frame, story, answer.chips);
    return { answer, captionY: top + 16, y: top + 50, ...placed };
  });
}

function placeChips(frame: Frame, story: Story, chips: Chip[]): Pick<PlacedAnswer, "chips" | "gaps" | "endX"> {
  const hasGaps = story.columns.some((c) => "gap" in c);
  const leftOut = (c: Chip) => hasGaps && c.kind === "own" && c.column < 0 && c.item.event >= 0;
  const drawn = chips.filter((c) => !leftOut(c));
  let last = -1;
  const inOrder = drawn.every((c) => {
    const grows = c.column > last;
    last = c.column;
    return grows;
  });
  if (inOrder && drawn.length > 0) {
    const placed = drawn.map((chip) => ({ chip, x: frame.columnX[chip.column] ?? 0, fromX: undefined }));
    const gaps = story.columns.flatMap((c, i) => {
      const count = "gap" in c ? leftOutIn(story, chips, i, leftOut) : 0;
      return count > 0 ? [{ x: frame.columnX[i] ?? 0, count }] : [];
    });
    return { chips: placed, gaps, endX: frame.columnX[last] ?? frame.originX };
  }
  return inSequence(frame, drawn.length === 0 ? chips : drawn, chips.length);
}

function leftOutIn(story: Story, chips: Chip[], column: number, leftOut: (c: Chip) => boolean): number {
  const eventAt = (i: number) => {
    const c = story.columns[i];
    return c !== undefined && "event" in c ? c.event : undefined;
  };
  const from = eventAt(column - 1) ?? -1;
  const to = eventAt(column + 1) ?? Infinity;
  return chips.filter((c) => leftOut(c) && c.item.event > from && c.item.event < to).length;
}

/** One chip after the other, as they came; a line leads to each from where its event stands. */
function inSequence(frame: Frame, chips: Chip[], all: number): Pick<PlacedAnswer, "chips" | "gaps" | "endX"> {
  const first = frame.originX + 16 + frame.pitch / 2;
  const x = (i: number) => first + i * frame.pitch;
  const shown = chips.slice(0, mostChips);
  const gaps = all > shown.length ? [{ x: x(shown.length), count: all - shown.length }] : [];
  const placed = shown.map((chip, i) => ({ chip, x: x(i), fromX: frame.columnX[chip.column] }));
  return { chips: placed, gaps, endX: placed.at(-1)?.x ?? frame.originX };
}
