// Whatever the code does, the page answers, the hang ends and is named, and the next run works.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { finished, launch, openPage, runCode, serve, setCode, verdictOf, type Site } from "./browser.ts";
import { solution, solutionWith } from "./code.ts";

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

async function thenPasses(page: Page): Promise<void> {
  await setCode(page, solution);
  await runCode(page);
  assert.equal(await page.getByRole("heading", { name: "Passed" }).count(), 1, "the next run works");
}

test("an endless loop ends and says which call it was in", async () => {
  const { page, context, seen } = await openPage(browser, site);
  await setCode(page, solutionWith("replaySession", "for (;;);"));
  await page.locator("#run").click();
  await page.locator('.row[data-state="timeout"]').first().waitFor({ timeout: 10_000 });
  // The page answers meanwhile.
  const started = Date.now();
  await page.getByRole("button", { name: "Menu" }).click();
  await page.keyboard.press("Escape");
  assert.ok(Date.now() - started < 1000);
  await finished(page);
  assert.match(await page.locator(".message").first().innerText(), /replaySession/);
  assert.equal(await verdictOf(page, "sessions"), "pass", "the other properties still ran");
  await thenPasses(page);
  assert.deepEqual(seen.troubles, []);
  await context.close();
});

test("so does a loop that no fuel can stop", async () => {
  const { page, context, seen } = await openPage(browser, site);
  await setCode(page, solutionWith("listSessions", 'new Array(4e9).join("x");'));
  await page.locator("#run").click();
  await page.locator('.row[data-state="timeout"], .row[data-state="crash"]').first().waitFor({ timeout: 15_000 });
  await finished(page);
  assert.match(await page.locator(".message").first().innerText(), /listSessions/);
  await thenPasses(page);
  assert.deepEqual(seen.troubles, []);
  await context.close();
});

test("a top level that does not end", async () => {
  const { page, context } = await openPage(browser, site);
  await setCode(page, `${solution}\nnew Array(4e9).join("x");\n`);
  await runCode(page);
  assert.equal(await page.locator(".summary .notice").count(), 1);
  await thenPasses(page);
  await context.close();
});

test("Stop, and run again at once", async () => {
  const { page, context, seen } = await openPage(browser, site);
  await setCode(page, solutionWith("appendEvent", 'new Array(4e9).join("x");'));
  for (let i = 0; i < 3; i += 1) {
    await page.keyboard.press("ControlOrMeta+Enter");
    const stop = page.getByRole("button", { name: "Stop" });
    await stop.click();
    await page.getByRole("heading", { name: "Stopped" }).waitFor({ timeout: 1000 });
    assert.equal(await page.evaluate(() => document.activeElement?.id), "run", "the focus is not lost");
    await page.locator(".cm-content").focus();
  }
  await thenPasses(page);
  assert.deepEqual(seen.troubles, []);
  await context.close();
});
