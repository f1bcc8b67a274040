// Setting two lists side by side: which item of the one is which of the other.

/** A row of two lists side by side; -1 where a list has nothing to set there. */
export interface Pair {
  want: number;
  got: number;
}

/** Less alike than this, and two items are two items, not one that changed. */
const enough = 0.3;
/** Two pairs of changed items must never be worth more than one pair of equal ones. */
const partly = 0.45;
/** Beyond this many comparisons, items are paired by their place. */
const mostCells = 250_000;

/**
 * The order-preserving pairing of two lists in which the items are most alike; equal items are paired as early as
 * they can be. `likeness` is 1 for the same and 0 for nothing in common.
 */
export function align<W, G>(want: readonly W[], got: readonly G[], likeness: (w: W, g: G) => number): Pair[] {
  const like = (w: number, g: number) => likeness(want[w] as W, got[g] as G);
  const pairs: Pair[] = [];
  let start = 0;
  while (start < want.length && start < got.length && like(start, start) === 1) {
    pairs.push({ want: start, got: start });
    start++;
  }
  let wantEnd = want.length;
  let gotEnd = got.length;
  const tail: Pair[] = [];
  while (wantEnd > start && gotEnd > start && like(wantEnd - 1, gotEnd - 1) === 1) {
    tail.unshift({ want: --wantEnd, got: --gotEnd });
  }
  pairs.push(...middle(start, wantEnd, gotEnd, like), ...tail);
  return pairs;
}

function middle(start: number, wantEnd: number, gotEnd: number, like: (w: number, g: number) => number): Pair[] {
  const rows = wantEnd - start;
  const cols = gotEnd - start;
  const pairs: Pair[] = [];
  if (rows * cols > mostCells) {
    for (let i = start; i < Math.max(wantEnd, gotEnd); i++) {
      pairs.push({ want: i < wantEnd ? i : -1, got: i < gotEnd ? i : -1 });
    }
    return pairs;
  }
  const weight: number[] = [];
  const best = new Float64Array((rows + 1) * (cols + 1));
  const at = (r: number, c: number) => r * (cols + 1) + c;
  for (let r = rows - 1; r >= 0; r--) {
    for (let c = cols - 1; c >= 0; c--) {
      const l = like(start + r, start + c);
      const w = l === 1 ? 1 : l >= enough ? partly * l : 0;
      weight[at(r, c)] = w;
      const paired = w > 0 ? w + (best[at(r + 1, c + 1)] ?? 0) : 0;
      best[at(r, c)] = Math.max(paired, best[at(r + 1, c)] ?? 0, best[at(r, c + 1)] ?? 0);
    }
  }
  let r = 0;
  let c = 0;
  while (r < rows || c < cols) {
    const here = best[at(r, c)] ?? 0;
    const w = r < rows && c < cols ? (weight[at(r, c)] ?? 0) : 0;
    if (w > 0 && here === w + (best[at(r + 1, c + 1)] ?? 0)) {
      pairs.push({ want: start + r++, got: start + c++ });
    } else if (r < rows && here === (best[at(r + 1, c)] ?? 0)) {
      pairs.push({ want: start + r++, got: -1 });
    } else {
      pairs.push({ want: -1, got: start + c++ });
    }
  }
  return pairs;
}
