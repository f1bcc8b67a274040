// For everybody: axe finds nothing, on every kind of page; a phone has Run in reach; a divider obeys the keyboard.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { assertAccessible } from "./axe.ts";
import { launch, openPage, phone, runCode, serve, setCode, type Site } from "./browser.ts";
import { mutant, solution } from "./code.ts";

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

const looks: [string, BrowserContextOptions][] = [
  ["light", {}],
  ["dark", { colorScheme: "dark" }],
  ["phone", phone],
  ["phone, dark, Chinese", { ...phone, colorScheme: "dark", locale: "zh-CN" }],
];

for (const [name, options] of looks) {
  test(`axe finds nothing: ${name}`, async () => {
    const { page, context } = await openPage(browser, site, options);
    await page.locator(".live-frame").scrollIntoViewIfNeeded();
    await page.locator(".live-frame .live").waitFor();
    await setCode(page, mutant("push-on-the-same-array"));
    await runCode(page);
    await assertAccessible(page, "an open counterexample, the live example");
    await setCode(page, solution);
    await runCode(page);
    await assertAccessible(page, "passed");
    await context.close();
  });
}

test("axe finds nothing: whatever opens", async () => {
  const { page, context } = await openPage(browser, site);
  await page.locator(".hint summary").evaluateAll((all) => all.forEach((hint) => (hint as HTMLElement).click()));
  await setCode(page, mutant("array-spread"));
  await runCode(page);
  await page.locator('.row-button[aria-expanded="false"]').evaluateAll((all) => all.forEach((row) => (row as HTMLElement).click()));
  await assertAccessible(page, "all rows and hints open");
  await setCode(page, "const x = ;");
  await runCode(page);
  await page.locator("[popovertarget=menu]").click();
  await assertAccessible(page, "a syntax error, the menu");
  await page.locator("#menu-about").click();
  await assertAccessible(page, "the about text");
  await context.close();
});

test("on a phone Run is always in reach, and nothing sticks out sideways", async () => {
  const { page, context } = await openPage(browser, site, phone);
  const inReach = async () => {
    const box = await page.locator("#run").boundingBox();
    assert.ok(box && box.y > 0 && box.y + box.height <= 844 && box.height >= 44 && box.x + box.width <= 390);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  };
  await inReach();
  await page.getByRole("link", { name: "Code" }).click();
  await inReach();
  await setCode(page, mutant("push-on-the-same-array"));
  await page.locator("#run").tap();
  await page.locator('.row-button[aria-expanded="true"]').waitFor();
  await page.waitForTimeout(300);
  await inReach();
  assert.ok(await page.locator('.row-button[aria-expanded="true"]').evaluate((row) => {
    const { top } = row.getBoundingClientRect();
    return top >= 0 && top < innerHeight;
  }), "the refuted property is in view");
  await context.close();
});

test("the dividers move by keyboard, and stay where they were put", async () => {
  const { page, context } = await openPage(browser, site);
  for (const [name, key] of [["Width of the lesson", "ArrowRight"], ["Height of the editor", "ArrowUp"]] as const) {
    const divider = page.getByRole("separator", { name });
    const before = Number(await divider.getAttribute("aria-valuenow"));
    await divider.press(key);
    const moved = Number(await divider.getAttribute("aria-valuenow"));
    assert.notEqual(moved, before);
    await page.reload();
    assert.equal(Number(await divider.getAttribute("aria-valuenow")), moved);
  }
  await context.close();
});

test("no motion where the person asked for less", async () => {
  const { page, context } = await openPage(browser, site, { reducedMotion: "reduce" });
  const moving = await page.evaluate(() => document.getAnimations().filter((a) => !(a instanceof CSSTransition)).length);
  assert.equal(moving, 0);
  await context.close();
});
