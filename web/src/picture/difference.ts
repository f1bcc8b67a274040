// Where two JSON values differ, as a tree: what the diff shows and what a changed mark tells.

import type { Json } from "../protocol.ts";
import { align } from "./align.ts";
import { equal, field, isObject, keyCode, likeness } from "./json.ts";

export type Difference =
  | { kind: "same"; value: Json }
  | { kind: "other"; want: Json; got: Json }
  | { kind: "missing"; want: Json }
  | { kind: "extra"; got: Json }
  | { kind: "object"; parts: { key: string; difference: Difference }[] }
  | { kind: "list"; parts: { want: number; got: number; difference: Difference }[] };

/** The grader's word for an id that the law leaves open. */
export const anyId = "any id";

/** Whether an expected event's id is left open. */
export function isOpen(key: string, want: Json | undefined): boolean {
  return key === "eventId" && want === anyId;
}

/** What stands where something else was wanted. */
export function difference(want: Json, got: Json): Difference {
  if (equal(want, got)) return { kind: "same", value: got };
  if (Array.isArray(want) && Array.isArray(got)) return listDifference(want, got);
  if (isObject(want) && isObject(got)) return objectDifference(want, got);
  return { kind: "other", want, got };
}

function objectDifference(want: Json, got: Json): Difference {
  const parts: { key: string; difference: Difference }[] = [];
  const keys = new Set([...Object.keys(want as object), ...Object.keys(got as object)]);
  for (const key of keys) {
    const w = field(want, key);
    const g = field(got, key);
    if (w === undefined && g !== undefined) parts.push({ key, difference: { kind: "extra", got: g } });
    else if (w !== undefined && g === undefined) parts.push({ key, difference: { kind: "missing", want: w } });
    else if (w !== undefined && g !== undefined) {
      parts.push({ key, difference: isOpen(key, w) ? { kind: "same", value: g } : difference(w, g) });
    }
  }
  // Only an id that was left open differed.
  return parts.every((p) => p.difference.kind === "same") ? { kind: "same", value: got } : { kind: "object", parts };
}

function listDifference(want: Json[], got: Json[]): Difference {
  const parts = align(want, got, likenessOfItems).map(({ want: w, got: g }) => {
    const a = want[w];
    const b = got[g];
    if (a === undefined) return { want: w, got: g, difference: { kind: "extra" as const, got: b as Json } };
    if (b === undefined) return { want: w, got: g, difference: { kind: "missing" as const, want: a } };
    return { want: w, got: g, difference: difference(a, b) };
  });
  return parts.every((p) => p.difference.kind === "same") ? { kind: "same", value: got } : { kind: "list", parts };
}

function likenessOfItems(want: Json, got: Json): number {
  return sameButOpen(want, got) ? 1 : likeness(want, got);
}

/** Whether two items are the same but for an id that was left open. */
function sameButOpen(want: Json, got: Json): boolean {
  if (!isOpen("eventId", field(want, "eventId")) || !isObject(want) || !isObject(got)) return equal(want, got);
  const keys = Object.keys(want);
  return (
    keys.length === Object.keys(got).length &&
    keys.every((k) => Object.hasOwn(got, k) && (isOpen(k, want[k]) || equal(want[k], got[k])))
  );
}

/** The places that differ, as one would write them in code: `payload.content`, `toolCalls[0].name`. */
export function differingPaths(d: Difference): string[] {
  return [...new Set(pathsIn(d, ""))];
}

function pathsIn(d: Difference, path: string): string[] {
  switch (d.kind) {
    case "same":
      return [];
    case "object":
      return d.parts.flatMap((p) => {
        const key = keyCode(p.key);
        const step = key === p.key ? (path === "" ? key : `.${key}`) : `[${key}]`;
        return pathsIn(p.difference, path + step);
      });
    case "list":
      return d.parts.flatMap((p) => pathsIn(p.difference, `${path}[${p.got >= 0 ? p.got : p.want}]`));
    default:
      return [path];
  }
}
