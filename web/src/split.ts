// A divider between two panes: by pointer, by arrow keys, remembered. It sets one custom property, a share in percent.
import type { Store } from "./storage.ts";

export interface SplitOptions {
  name: string;
  divider: HTMLElement;
  /** The element whose size the share is a part of, and which carries the custom property. */
  container: HTMLElement;
  property: string;
  axis: "x" | "y";
  initial: number;
  min: number;
  max: number;
}

export interface Split {
  /** Moves it, unless the person has chosen a place before. */
  suggest(share: number): void;
}

const STEP = 3;

export function clampShare(share: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, Math.round(share * 10) / 10));
}

export function bindSplit(store: Store, o: SplitOptions): Split {
  const key = `split:${o.name}`;
  const stored = Number(store.read(key) ?? Number.NaN);
  let chosen = Number.isFinite(stored);
  let share = clampShare(chosen ? stored : o.initial, o.min, o.max);

  const draw = (): void => {
    o.container.style.setProperty(o.property, `${share}%`);
    o.divider.setAttribute("aria-valuenow", String(Math.round(share)));
  };
  const move = (next: number): void => {
    share = clampShare(next, o.min, o.max);
    chosen = true;
    store.write(key, String(share));
    draw();
  };
  const fromPointer = (event: PointerEvent): number => {
    const box = o.container.getBoundingClientRect();
    return o.axis === "x" ? ((event.clientX - box.left) / box.width) * 100 : ((event.clientY - box.top) / box.height) * 100;
  };

  o.divider.setAttribute("aria-valuemin", String(o.min));
  o.divider.setAttribute("aria-valuemax", String(o.max));
  o.divider.setAttribute("aria-orientation", o.axis === "x" ? "vertical" : "horizontal");
  o.divider.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    o.divider.setPointerCapture(event.pointerId);
    o.divider.classList.add("dragging");
  });
  o.divider.addEventListener("pointermove", (event) => {
    if (o.divider.hasPointerCapture(event.pointerId)) move(fromPointer(event));
  });
  o.divider.addEventListener("lostpointercapture", () => o.divider.classList.remove("dragging"));
  o.divider.addEventListener("dblclick", () => move(o.initial));
  o.divider.addEventListener("keydown", (event) => {
    const back = o.axis === "x" ? "ArrowLeft" : "ArrowUp";
    const forth = o.axis === "x" ? "ArrowRight" : "ArrowDown";
    const to = { [back]: share - STEP, [forth]: share + STEP, Home: o.min, End: o.max, Enter: o.initial }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(to);
  });
  draw();
  return {
    suggest: (next) => {
      if (chosen) return;
      share = clampShare(next, o.min, o.max);
      draw();
    },
  };
}
