import assert from "node:assert/strict";
import { test } from "node:test";
import { highlight, renderLesson } from "./lesson.mjs";

const words = { "lesson.code": "Code", "lesson.table": "Table", "live-example.waiting": "Loading" };
const render = (markdown: string) => renderLesson(markdown, { lang: "en", words });

test("a heading takes its id from its text", () => {
  assert.match(render("## The *rules* {#rules}"), /<h2 id="rules">The <em>rules<\/em><\/h2>/);
});

test("a rule can be led to", () => {
  assert.match(render("- `append` — The new log."), /<li id="law-append">/);
  assert.match(render("- `append` —— 新日志。"), /<li id="law-append">/);
  assert.doesNotMatch(render("- `append` is a function."), /id=/);
});

test("code is coloured, and what it says is escaped", () => {
  const html = render('```js\nconst a = "<b>"; // { x }\n```');
  assert.match(html, /<span class="tok-keyword">const<\/span>/);
  assert.match(html, /&quot;&lt;b&gt;&quot;/);
  assert.equal(highlight("a && b"), '<span class="tok-variableName">a</span> <span class="tok-operator">&amp;&amp;</span> <span class="tok-variableName">b</span>');
});

test("wide things can be scrolled by keyboard", () => {
  assert.match(render("| a |\n|---|\n| b |"), /<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>/);
  assert.match(render("```\nx\n```"), /<pre tabindex="0" role="group" aria-label="Code">/);
});

test("hints and the live example come through", () => {
  assert.match(render('<details class="hint"><summary>Hint</summary>\n\nText\n\n</details>'), /<details class="hint"><summary>Hint<\/summary>\s*<p>Text<\/p>\s*<\/details>/);
  assert.match(render("<!-- live-example -->"), /<div class="live-frame"><p class="waiting">Loading<\/p><\/div>/);
});
