// What a learner wrote is not lost.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { kept, launch, openPage, ready, runCode, serve, setCode, storedCode, type Site } from "./browser.ts";
import { solution, starter } from "./code.ts";

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

test("a reload keeps the draft, also when it comes at once, and a closed tab does", async () => {
  const { page, context } = await openPage(browser, site);
  await setCode(page, "// mine, just typed");
  await page.reload();
  await ready(page);
  assert.equal(await page.locator(".cm-content").innerText(), "// mine, just typed");
  await setCode(page, "// mine, later");
  await page.close({ runBeforeUnload: true });
  const again = await context.newPage();
  await again.goto(site.url);
  await ready(again);
  assert.equal(await again.locator(".cm-content").innerText(), "// mine, later");
  await context.close();
});

test("two tabs do not write over each other", async () => {
  const { page: one, context } = await openPage(browser, site);
  const two = await context.newPage();
  await two.goto(site.url);
  await ready(two);
  await setCode(one, "// from one");
  const banner = two.locator("#banner");
  await banner.waitFor();
  assert.match(await banner.innerText(), /changed in another tab/);
  assert.notEqual(await two.locator(".cm-content").innerText(), "// from one", "not silently");

  // Typing on does not write over it either.
  await setCode(two, "// from two");
  await two.waitForTimeout(500);
  assert.equal(await storedCode(two), "// from one");
  await two.getByRole("button", { name: "Keep mine" }).click();
  await kept(one, "// from two");

  // Now it is the first tab that is asked, and it takes the other version; undo brings its own back.
  await one.locator("#banner").waitFor();
  await one.getByRole("button", { name: "Take that version" }).click();
  assert.equal(await one.locator(".cm-content").innerText(), "// from two");
  assert.ok(await one.locator("#banner").isHidden());
  await one.locator(".cm-content").focus();
  await one.keyboard.press("ControlOrMeta+z");
  assert.equal(await one.locator(".cm-content").innerText(), "// from one");
  await context.close();
});

test("a tab that closes undecided leaves its version to be taken", async () => {
  const { page: one, context } = await openPage(browser, site);
  const two = await context.newPage();
  await two.goto(site.url);
  await ready(two);
  await setCode(one, "// from one");
  await two.locator("#banner").waitFor();
  await setCode(two, "// from two");
  await two.close({ runBeforeUnload: true });
  await one.waitForFunction(() => localStorage.getItem("forgetmenot:draft:event-log:javascript:aside") !== null);
  await one.reload();
  await ready(one);
  assert.equal(await one.locator(".cm-content").innerText(), "// from one");
  await one.getByRole("button", { name: "Take that version" }).click();
  assert.equal(await one.locator(".cm-content").innerText(), "// from two");
  await context.close();
});

test("reset asks first, and undo takes it back", async () => {
  const { page, context } = await openPage(browser, site);
  await setCode(page, "// mine");
  await page.getByRole("button", { name: "Reset" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  assert.equal(await page.locator(".cm-content").innerText(), "// mine");
  await page.getByRole("button", { name: "Reset" }).click();
  await page.getByRole("button", { name: "Replace it" }).click();
  await kept(page, starter);
  await page.locator(".cm-content").focus();
  await page.keyboard.press("ControlOrMeta+z");
  assert.equal(await page.locator(".cm-content").innerText(), "// mine");
  await context.close();
});

test("the solution is shown after a second thought, and the draft is not touched", async () => {
  const { page, context } = await openPage(browser, site);
  await setCode(page, "// mine");
  await page.getByRole("button", { name: "Solution" }).click();
  await page.getByRole("button", { name: "Show the solution" }).click();
  assert.equal((await page.locator("dialog pre").innerText()).trim(), solution.trim());
  await page.getByRole("button", { name: "Close" }).click();
  assert.equal(await page.locator(".cm-content").innerText(), "// mine");
  await context.close();
});

test("all progress goes out as a file and comes in elsewhere", async () => {
  const { page, context } = await openPage(browser, site);
  await setCode(page, solution);
  await runCode(page);
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name: "Export my progress" }).click();
  const file = await (await downloading).path();
  assert.match(readFileSync(file, "utf8"), /"forgetmenot-progress"/);

  const { page: other, context: elsewhere } = await openPage(browser, site);
  await setCode(other, "// to be replaced");
  await other.locator("#import-file").setInputFiles(file);
  await other.getByRole("button", { name: "Cancel" }).click();
  assert.equal(await other.locator(".cm-content").innerText(), "// to be replaced");
  await other.locator("#import-file").setInputFiles(file);
  await other.getByRole("button", { name: "Replace it" }).click();
  await kept(other, solution);
  assert.match(await other.locator(".summary").innerText(), /You passed this exercise/);

  await other.locator("#import-file").setInputFiles({ name: "x.json", mimeType: "application/json", buffer: Buffer.from("{}") });
  await other.getByText("not a progress file").waitFor();
  await other.getByRole("button", { name: "Close" }).click();
  await context.close();
  await elsewhere.close();
});

test("a browser that keeps nothing says so, and the page works", async () => {
  const context = await browser.newContext({ locale: "en-US" });
  await context.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  const page = await context.newPage();
  await page.goto(site.url);
  await ready(page);
  await setCode(page, solution);
  await page.getByText("Not saved: this browser keeps nothing").waitFor();
  await runCode(page);
  assert.equal(await page.getByRole("heading", { name: "Passed" }).count(), 1);
  await context.close();
});
