// Makes the README's picture: the page with a mistake refuted. `make screenshot` does it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { exerciseFile, launch, serve, setCode, web } from "./browser.mjs";
import { withPalette } from "./png.mjs";

const out = join(web, "screenshot.png");
const site = await serve();
const browser = await launch();
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1230 }, locale: "en-US", colorScheme: "light", reducedMotion: "reduce" });
  await page.goto(site.url);
  await page.waitForSelector("html[data-ready]", { state: "attached" });
  // The first line of a mutant gives its fault away.
  await setCode(page, exerciseFile("mutants/push-on-the-same-array.js").replace(/^.*\n+/, ""));
  await page.locator("#run").click();
  await page.locator("#run[aria-disabled=true]").waitFor({ timeout: 5000 }).catch(() => {});
  await page.locator("#run[aria-disabled=false]").waitFor({ timeout: 60_000 });
  await page.locator(".cm-content").evaluate((editor) => editor.blur());
  await page.locator(".cm-scroller").evaluate((pane) => pane.scrollTo(0, 0));
  // The refuted property, down to the picture of the log.
  await page.locator('.row:has([aria-expanded="true"])').evaluate((row) => row.scrollIntoView({ block: "start" }));
  await page.waitForTimeout(500);
  const png = withPalette(await page.screenshot());
  writeFileSync(out, png);
  console.log(`web/screenshot.png: ${(png.length / 1000).toFixed(0)} kB`);
} finally {
  await browser.close();
  await site.close();
}
