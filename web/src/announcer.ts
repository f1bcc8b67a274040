// What a screen reader hears. Progress comes often and is worth little, so it is said rarely; a verdict is always said.

export interface Announcer {
  /** Said now, in the place of whatever waits. */
  say(text: string): void;
  /** Said if nothing was said for a while. */
  mention(text: string): void;
}

const PAUSE_MS = 2500;

export function announcer(region: Pick<HTMLElement, "textContent">, now: () => number = () => performance.now()): Announcer {
  let last = -Infinity;
  const say = (text: string): void => {
    last = now();
    // The same text twice in a row is no change, and would not be read again.
    region.textContent = region.textContent === text ? `${text}\u00a0` : text;
  };
  return {
    say,
    mention: (text) => {
      if (now() - last >= PAUSE_MS) say(text);
    },
  };
}
