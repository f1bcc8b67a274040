import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { catalogues, pickLanguage } from "./words.js";

test("the page names no text that a language does not have, and shows the English one until it is filled in", () => {
  const html = readFileSync(resolve(process.cwd(), "../eventlog/agent/page/index.html"), "utf8");
  const named = [...html.matchAll(/data-words(?:-label|-hint)?="([\w.]+)"/g)].map((match) => match[1] ?? "");
  assert.ok(named.length > 15);
  const en: Readonly<Record<string, unknown>> = catalogues.en;
  for (const key of named) {
    assert.equal(typeof en[key], "string", key);
    assert.ok(html.includes(String(en[key]).replaceAll("&", "&amp;")), `index.html says something else than ${key}`);
  }
  assert.deepEqual(Object.keys(catalogues.zh), Object.keys(catalogues.en));
});

test("the language is the first that the browser asks for and we have", () => {
  assert.equal(pickLanguage(["fr-FR", "zh-Hant-TW", "en"]), "zh");
  assert.equal(pickLanguage(["en-GB", "zh"]), "en");
  assert.equal(pickLanguage([]), "en");
});
