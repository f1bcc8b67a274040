// Session ids are any strings at all. What the eye cannot tell apart ("a" and "a ", é in its two forms, a line end, a
// character that turns the writing around) is written out, and marked as written out.

/** A stretch of a text as it is shown; `escaped` stretches stand for something that cannot be seen. */
export interface Piece {
  text: string;
  escaped: boolean;
}

const named = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\0", "\\0"],
]);

function hex(char: string): string {
  const n = char.codePointAt(0) ?? 0;
  return n > 0xffff ? `\\u{${n.toString(16)}}` : `\\u${n.toString(16).padStart(4, "0")}`;
}

/** One piece a character. A space counts as unseen at an end or beside another space, unless `spaces` is false. */
function characters(text: string, spaces: boolean): Piece[] {
  const chars = [...text];
  let marks = 0; // accents in a row: two may be a language, twenty are a prank
  return chars.map((char, i) => {
    const before = chars[i - 1] ?? "";
    const special = named.get(char);
    if (special !== undefined) return { text: special, escaped: true };
    if (char === " ") {
      const unseen = i === 0 || i === chars.length - 1 || before === " " || chars[i + 1] === " ";
      return spaces && unseen ? { text: "␣", escaped: true } : { text: char, escaped: false };
    }
    const mark = /\p{M}/u.test(char);
    marks = mark ? marks + 1 : 0;
    const composes = mark && (before + char).normalize("NFC") !== before + char;
    if (composes || marks > 2 || (mark && i === 0) || /[\p{C}\p{Z}]/u.test(char) || char.normalize("NFC") !== char) {
      return { text: hex(char), escaped: true };
    }
    return { text: char, escaped: false };
  });
}

function join(pieces: Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const p of pieces) {
    const last = joined.at(-1);
    if (last?.escaped === p.escaped) last.text += p.text;
    else joined.push({ ...p });
  }
  return joined;
}

/** The whole text, so that everything in it can be seen. */
export function visible(text: string): Piece[] {
  return text === "" ? [{ text: '""', escaped: true }] : join(characters(text, true));
}

/** The same in one string. */
export function plainText(text: string, spaces = true): string {
  return characters(text, spaces)
    .map((p) => p.text)
    .join("");
}

/** How many columns of a fixed-width font a text takes. */
export function columns(text: string): number {
  let n = 0;
  for (const char of text)
    n +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Extended_Pictographic}/u.test(
        char,
      )
        ? 2
        : 1;
  return n;
}

/** The text in at most `most` columns. The middle is left out, since ids tend to differ at an end. */
export function shorten(text: string, most: number): Piece[] {
  if (text === "") return visible(text);
  const all = characters(text, true);
  const width = (p: Piece) => columns(p.text);
  if (all.reduce((n, p) => n + width(p), 0) <= most) return join(all);
  const head: Piece[] = [];
  const tail: Piece[] = [];
  let left = most - 1;
  for (let a = 0, b = all.length - 1; a <= b;) {
    const fromHead = head.length <= tail.length;
    const next = all[fromHead ? a : b] as Piece;
    if (width(next) > left) break;
    left -= width(next);
    if (fromHead) head.push(all[a++] as Piece);
    else tail.unshift(all[b--] as Piece);
  }
  return join([...head, { text: "…", escaped: true }, ...tail]);
}

/** A label for each text, short and different from the others'. */
export function labels(texts: readonly string[], most: number): Piece[][] {
  const seen = new Map<string, number>();
  return texts.map((text) => {
    const pieces = shorten(text, most);
    const key = pieces.map((p) => p.text).join("");
    const n = (seen.get(key) ?? 0) + 1;
    seen.set(key, n);
    return n === 1 ? pieces : [...pieces, { text: `#${n}`, escaped: true }];
  });
}
