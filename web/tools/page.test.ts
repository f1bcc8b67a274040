import assert from "node:assert/strict";
import { test } from "node:test";
import { policy, renderPage } from "./page.mjs";

test("the policy lets no foreign script in, and no text become one", () => {
  const scripts = policy("1").split("; ").find((part) => part.startsWith("script-src")) ?? "";
  assert.doesNotMatch(scripts, /'unsafe-inline'|'unsafe-eval'/);
  assert.match(scripts, /'wasm-unsafe-eval' 'sha256-[\w+/]+=*'/);
});

test("texts are filled in and escaped; an unknown one stops the build", () => {
  const words = { run: "Run & go", menu: "Menu" };
  assert.equal(renderPage('<b data-words="run"></b>{{x}}', { x: "y" }, words), '<b data-words="run">Run &amp; go</b>y');
  assert.equal(renderPage('<b data-words-label="menu"></b>', {}, words), '<b data-words-label="menu" aria-label="Menu"></b>');
  assert.throws(() => renderPage('<b data-words="gone"></b>', {}, words), /"gone"/);
  assert.throws(() => renderPage("{{gone}}", {}, words), /gone/);
});
