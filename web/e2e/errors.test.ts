// What goes wrong is said in words, and where it can be tried again there is a button.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { launch, openPage, runCode, serve, setCode, verdictOf, type Site } from "./browser.ts";
import { solution } from "./code.ts";

let browser: Browser;
let site: Site;
before(async () => {
  browser = await launch();
  site = await serve();
});
after(async () => {
  await browser?.close();
  await site?.close();
});

test("a syntax error is marked at its line, and the mark goes with the next change", async () => {
  const { page, context } = await openPage(browser, site);
  await setCode(page, "export function createEventLog() {\n  return [];\n}\nconst broken = ;\n");
  await runCode(page);
  assert.match(await page.locator(".summary .notice").innerText(), /Line 4/);
  assert.equal(await page.locator(".cm-lintRange-error").count(), 1);
  assert.equal(await page.locator(".cm-lint-marker").count(), 1);
  await page.getByRole("button", { name: "Go to the line" }).click();
  assert.match(await page.locator(".cm-activeLine").innerText(), /broken/);
  await page.keyboard.type("1");
  await page.locator(".cm-lintRange-error").first().waitFor({ state: "detached" });
  await context.close();
});

test("a missing function is said by name", async () => {
  const { page, context } = await openPage(browser, site);
  await setCode(page, solution.replace("export function listSessions", "function otherName"));
  await runCode(page);
  assert.equal(await verdictOf(page, "contract"), "fail");
  assert.match(await page.locator(".message").first().innerText(), /listSessions/);
  await context.close();
});

test("a grader that does not load can be tried again", async () => {
  const context = await browser.newContext({ locale: "en-US", serviceWorkers: "block" });
  let blocked = true;
  await context.route(/grader-.*\.wasm/, (route) => (blocked ? route.abort() : route.continue()));
  const page = await context.newPage();
  await page.goto(site.url);
  await page.getByRole("heading", { name: "The grader could not be loaded" }).waitFor();
  blocked = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Nothing has run yet" }).waitFor();
  await page.locator(".row").nth(11).waitFor();
  await context.close();
});

test("a browser without WebAssembly is told so, and can read and write", async () => {
  const context = await browser.newContext({ locale: "en-US" });
  await context.addInitScript(() => {
    Reflect.deleteProperty(globalThis, "WebAssembly");
  });
  const page = await context.newPage();
  await page.goto(site.url);
  await page.getByRole("heading", { name: "This browser cannot run the grader" }).waitFor();
  await setCode(page, "// still writing");
  await page.locator("#run").click();
  assert.equal(await page.locator(".lesson h1").innerText(), "The event log");
  await context.close();
});
