// What the picture and the diff need to know about JSON values. Keys come from strangers (`__proto__` is one), so
// objects are only ever read through their own keys.

import type { Json } from "../protocol.ts";
import { plainText } from "./text.ts";

export type JsonObject = { [key: string]: Json };

export function isObject(v: Json | undefined): v is JsonObject {
  return typeof v === "object" && v !== null && !Array.isArray(v);
}

/** The value under the object's own key, or undefined. */
export function field(v: Json | undefined, key: string): Json | undefined {
  return isObject(v) && Object.hasOwn(v, key) ? v[key] : undefined;
}

/** Whether two values are the same; the order of keys does not matter. */
export function equal(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((v, i) => equal(v, b[i]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((k) => Object.hasOwn(b, k) && equal(a[k], b[k]));
}

/** How alike two values are, from 0 to 1; 1 means the same. */
export function likeness(a: Json | undefined, b: Json | undefined): number {
  if (equal(a, b)) return 1;
  if (isObject(a) && isObject(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    let sum = 0;
    for (const k of keys) sum += likeness(field(a, k), field(b, k));
    return Math.min(0.99, keys.size === 0 ? 0 : sum / keys.size);
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    const most = Math.max(a.length, b.length);
    let sum = 0;
    for (let i = 0; i < most; i++) sum += likeness(a[i], b[i]);
    return Math.min(0.99, sum / most);
  }
  return 0;
}

const identifier = /^[A-Za-z_$][\w$]*$/;

/** A key as it stands in code. */
export function keyCode(key: string): string {
  return identifier.test(key) && key !== "__proto__" ? key : stringCode(key);
}

function stringCode(s: string): string {
  const quoted = JSON.stringify(s);
  return `"${plainText(quoted.slice(1, -1), false)}"`;
}

/** The value as one line of code, in the style of the exercise's own lines. */
export function code(v: Json | undefined): string {
  if (v === undefined) return "undefined";
  if (typeof v === "string") return stringCode(v);
  if (Array.isArray(v)) return `[${v.map(code).join(", ")}]`;
  if (isObject(v)) {
    const parts = Object.keys(v).map((k) => `${keyCode(k)}: ${code(v[k])}`);
    return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
  }
  return String(v);
}
