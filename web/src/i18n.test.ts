import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { words } from "./i18n.ts";
import { pickLanguage } from "./lang.ts";

const keysOf = (lang: "en" | "zh") => Object.keys(words(lang)).sort();

test("both catalogues say the same things, and say something", () => {
  assert.deepEqual(keysOf("zh"), keysOf("en"));
  for (const lang of ["en", "zh"] as const) {
    for (const [key, text] of Object.entries(words(lang))) {
      if (key === "verdict.idle") continue; // before the first run a row says nothing
      const said: unknown = typeof text === "function" ? (text as (...args: never[]) => string)(...([1, 2] as never[])) : text;
      assert.ok(typeof said === "string" && said.trim() !== "", `${lang}: ${key}`);
      if (lang === "zh" && !/^(product|language\.en|run\.keys.*|.*\.file)$/.test(key)) assert.match(said, /\p{Script=Han}/u, key);
    }
  }
});

const own = readdirSync("src").filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
// The picture's own modules keep their words beside what they draw.
const source = own
  .filter((name) => !["stepper.ts", "diff.ts", "live.ts"].includes(name))
  .map((name) => [name, readFileSync(join("src", name), "utf8")] as const);

test("every text is used", () => {
  const used = [...source.map(([, text]) => text), readFileSync("index.html", "utf8"), readFileSync("tools/lesson.mjs", "utf8"), readFileSync("build.mjs", "utf8")].join("\n");
  const built = /^(verdict|tier|import|theme)\./; // put together from a value of a type
  for (const key of keysOf("en")) {
    if (built.test(key)) continue;
    assert.ok(used.includes(`"${key}"`) || used.includes(`words:${key}`) || used.includes(`en.${key}`), `"${key}" is used nowhere`);
  }
});

test("no text stands in the code itself", () => {
  for (const [name, text] of source) {
    const code = text.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, "");
    assert.doesNotMatch(code, /\p{Script=Han}/u, name);
    // A sentence handed to an element, to the screen reader, or as a label.
    assert.doesNotMatch(code, /(?:textContent =|say\(|title:|body:|"aria-label":)\s*"[A-Z][a-z]+ /, name);
  }
});

test("the language is the remembered one, else the browser's first that we have, else English", () => {
  assert.equal(pickLanguage(null, ["fr-FR", "zh-Hans-CN", "en"]), "zh");
  assert.equal(pickLanguage("en", ["zh"]), "en");
  assert.equal(pickLanguage("klingon", ["zh-TW"]), "zh");
  assert.equal(pickLanguage(undefined, ["fr", "de"]), "en");
  assert.equal(pickLanguage(null, []), "en");
});
