// Pictures of the page, to be looked at: web/build/screens/*.png.
import { mkdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { BrowserContextOptions } from "playwright-core";
import { launch, openPage, runCode, serve, setCode, web } from "./browser.ts";

const out = join(web, "build/screens");
await mkdir(out, { recursive: true });
const exercise = resolve(web, "../exercises/event-log");
const solution = await readFile(join(exercise, "solution.js"), "utf8");
// The first mistake of all: push() on the log that was handed in.
const mutant = await readFile(join(exercise, "mutants/push-on-the-same-array.js"), "utf8");

const desktop: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };
const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const dark: BrowserContextOptions = { colorScheme: "dark" };
const chinese: BrowserContextOptions = { locale: "zh-CN" };

const looks: [name: string, options: BrowserContextOptions][] = [
  ["desktop", desktop],
  ["desktop-dark", { ...desktop, ...dark }],
  ["desktop-zh", { ...desktop, ...chinese }],
  ["phone", phone],
  ["phone-dark-zh", { ...phone, ...dark, ...chinese }],
];

const browser = await launch();
const site = await serve();
const only = process.argv[2];
try {
  for (const [name, options] of looks) {
    if (only && !name.startsWith(only)) continue;
    const { page, context } = await openPage(browser, site, options);
    const shoot = (state: string, fullPage = false) => page.screenshot({ path: join(out, `${name}-${state}.png`), fullPage });
    await shoot("1-start");
    await setCode(page, mutant);
    await runCode(page);
    await page.waitForTimeout(400);
    await shoot("2-refuted");
    if (name !== "desktop-zh") {
      // The whole counterexample, which is longer than the pane.
      const size = page.viewportSize();
      if (size) await page.setViewportSize({ ...size, height: 2400 });
      await page.locator('.row:has(.row-button[aria-expanded="true"])').screenshot({ path: join(out, `${name}-2b-counterexample.png`) });
      if (size) await page.setViewportSize(size);
    }
    await setCode(page, solution);
    await runCode(page);
    await page.waitForTimeout(200);
    await shoot("3-passed");
    if (name === "desktop") {
      await page.getByRole("button", { name: "Menu" }).click();
      await shoot("4-menu");
      await page.getByRole("button", { name: "About" }).click();
      await shoot("5-about");
      await page.getByRole("button", { name: "Close" }).click();
      await page.getByRole("button", { name: "Solution" }).click();
      await page.waitForTimeout(300);
      await shoot("6-solution");
      await page.getByRole("button", { name: "Close" }).click();
      await page.locator(".live-frame").scrollIntoViewIfNeeded();
      await page.waitForTimeout(1500);
      await shoot("7-live");
    }
    await context.close();
    console.log(name);
  }
} finally {
  await browser.close();
  await site.close();
}
