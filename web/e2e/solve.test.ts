// A learner solves the exercise, and is shown what is wrong while they have not.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { launch, openPage, runCode, serve, setCode, verdictOf, type Site } from "./browser.ts";
import { mutant, solution, starter, typed } from "./code.ts";

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

test("a right solution, typed by keyboard alone, passes", async () => {
  const { page, context, seen } = await openPage(browser, site);
  // From the top of the page into the editor by the skip link and Tab.
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.className), "skip");
  await page.keyboard.press("Enter");
  for (let i = 0; i < 8; i += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(() => document.activeElement?.classList.contains("cm-content"))) break;
  }
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  for (const line of typed) {
    await page.keyboard.type(line);
    await page.keyboard.press("Enter");
  }
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.getByRole("heading", { name: "Passed" }).waitFor();
  const text = await page.locator(".summary").innerText();
  assert.match(text, /All 9 required properties held, in 100 generated cases each/);
  assert.match(text, /practice/);
  assert.match(text, /Mastery, counted apart: 2 of 3 hold/, "a copied array is not cheap to keep");
  assert.equal(await verdictOf(page, "scale"), "fail");
  assert.match((await page.locator("#announcements").textContent()) ?? "", /^Passed\./);

  // Escape, then Tab, leaves the editor; Tab alone indents.
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "divider-rows");
  assert.deepEqual(seen.troubles, []);
  await context.close();
});

const mutants: [name: string, property: string][] = [
  ["push-on-the-same-array", "immutability"],
  ["asked-id-starts-with-stored-id", "isolation"],
  ["arguments-parsed", "replay"],
  ["append-returns-nothing", "contract"],
  ["array-spread", "scale"],
];

for (const [name, property] of mutants) {
  test(`the mutant ${name} is refuted by ${property}, with a picture`, async () => {
    const { page, context, seen } = await openPage(browser, site);
    await setCode(page, mutant(name));
    await runCode(page);
    assert.equal(await verdictOf(page, property), "fail");
    const row = page.locator(`#row-${property}`);
    const button = row.locator(".row-button");
    if ((await button.getAttribute("aria-expanded")) === "false") await button.click();
    assert.match(await button.innerText(), /refuted/);
    assert.ok((await row.locator(".message").innerText()).length > 20);
    assert.ok(await row.locator(".picture svg").first().isVisible());
    assert.ok(await row.locator(".stepper-code, .stepper ol").first().isVisible());
    assert.ok(await row.getByRole("button", { name: "Copy as a test" }).isVisible());
    assert.deepEqual(seen.troubles, []);
    await context.close();
  });
}

test("the first property that fails opens by itself, the others do not", async () => {
  const { page, context } = await openPage(browser, site);
  await setCode(page, starter + "\n");
  await runCode(page);
  assert.equal(await page.locator('.row-button[aria-expanded="true"]').count(), 1);
  const failing = await page.locator(".row.attention").count();
  assert.ok(failing > 1);
  // A row that holds opens to its law.
  const held = page.locator('.row[data-state="pass"] .row-button').first();
  await held.click();
  assert.match(await page.locator('.row[data-state="pass"] .row-body').first().innerText(), /The law:/);
  await context.close();
});

test("a counterexample is stepped through, and copied as a test", async () => {
  const { page, context } = await openPage(browser, site);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await setCode(page, mutant("push-on-the-same-array"));
  await runCode(page);
  const row = page.locator('.row:has(.row-button[aria-expanded="true"])');
  await row.getByRole("button", { name: "previous step" }).click();
  await row.getByRole("slider").press("End");
  await row.getByRole("button", { name: "Copy as a test" }).click();
  await row.getByText("Copied. Paste it below your functions.").waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /createEventLog\(\)/);
  await context.close();
});

test("what the code prints is shown with its counterexample, as text", async () => {
  const { page, context, seen } = await openPage(browser, site);
  const chatty = mutant("push-on-the-same-array").replace(/function appendEvent\([^)]*\) \{/, '$& console.log("<img src=x onerror=alert(1)>");');
  await setCode(page, chatty);
  await runCode(page);
  assert.match(await page.locator(".printed").first().innerText(), /<img src=x onerror=alert\(1\)>/);
  assert.deepEqual(seen.troubles, []);
  await context.close();
});

test("in Chinese, from the browser's language on, and switched", async () => {
  const { page, context, seen } = await openPage(browser, site, { locale: "zh-CN" });
  assert.equal(await page.locator("html").getAttribute("lang"), "zh");
  assert.equal(await page.locator(".lesson h1").innerText(), "事件日志");
  assert.equal(await page.getByRole("button", { name: "运行" }).count(), 1);
  await setCode(page, mutant("push-on-the-same-array"));
  await runCode(page);
  assert.match(await page.locator('.row-button[aria-expanded="true"]').innerText(), /被推翻/);
  assert.match(await page.locator(".message").first().innerText(), /\p{Script=Han}/u);
  await page.getByRole("button", { name: "English" }).click();
  assert.equal(await page.locator(".lesson h1").innerText(), "The event log");
  assert.match(await page.locator('.row-button[aria-expanded="true"]').innerText(), /refuted/);
  await page.reload();
  assert.equal(await page.locator("html").getAttribute("lang"), "en", "remembered");
  assert.deepEqual(seen.troubles, []);
  await context.close();
});

test("nothing runs on load", async () => {
  const { page, context } = await openPage(browser, site);
  await setCode(page, solution);
  // The draft is kept a moment after the last key; how long a moment is, a busy machine decides.
  await page.waitForFunction(
    (text) => (JSON.parse(localStorage.getItem("forgetmenot:draft:event-log:javascript") ?? "{}") as { text?: string }).text === text,
    solution,
  );
  await page.reload();
  await page.waitForTimeout(1500);
  assert.equal(await page.locator('.row:not([data-state="idle"])').count(), 0);
  await context.close();
});
