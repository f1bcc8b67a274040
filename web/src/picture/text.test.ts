import assert from "node:assert/strict";
import { test } from "node:test";
import { columns, labels, plainText, shorten } from "./text.ts";

test("what the eye cannot tell is written out", () => {
  assert.equal(plainText("a"), "a");
  assert.equal(plainText("a "), "a␣");
  assert.equal(plainText(" a"), "␣a");
  assert.equal(plainText("two  spaces, one space"), "two␣␣spaces, one space");
  assert.equal(plainText("\u00e9"), "é");
  assert.equal(plainText("e\u0301"), "e\\u0301");
  assert.equal(plainText("line\nend\0"), "line\\nend\\0");
  assert.equal(plainText("\u202egnp.exe"), "\\u202egnp.exe");
  assert.equal(plainText("\ud800"), "\\ud800");
  assert.equal(plainText("a\u200bb"), "a\\u200bb");
  assert.equal(plainText("שלום 你好 👋"), "שלום 你好 👋");
});

test("a prank of accents is cut short, a language is not", () => {
  assert.equal(plainText("ก็"), "ก็");
  assert.match(plainText(`z${"\u0334".repeat(9)}`), /\\u0334/);
});

test("long texts keep both ends", () => {
  const text = shorten("session-0000000000000000000001", 12)
    .map((p) => p.text)
    .join("");
  assert.equal(columns(text), 12);
  assert.match(text, /^sessio?…?/);
  assert.match(text, /01$/);
  assert.deepEqual(shorten("", 5), [{ text: '""', escaped: true }]);
});

test("labels that would look the same are numbered", () => {
  const texts = labels([`${"x".repeat(30)}1${"y".repeat(30)}`, `${"x".repeat(30)}2${"y".repeat(30)}`], 12).map((l) =>
    l.map((p) => p.text).join(""),
  );
  assert.notEqual(texts[0], texts[1]);
});
