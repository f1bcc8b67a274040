// The built folder: from any path, without a connection after the first visit, and to nobody but its own origin.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { dist, launch, openPage, ready, runCode, serve, setCode } from "./browser.ts";
import { solution } from "./code.ts";

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser?.close();
});

/** The service worker has kept everything, and answers from now on. */
async function keptOffline(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    while (active && active.state !== "activated") await new Promise((resolve) => setTimeout(resolve, 50));
  });
}

test("works from a sub-path, and offline after the first visit", async () => {
  const site = await serve("/some/sub-path/");
  const { page, context, seen } = await openPage(browser, site);
  await setCode(page, solution);
  await runCode(page);
  assert.equal(await page.getByRole("heading", { name: "Passed" }).count(), 1);
  await keptOffline(page);
  await site.close(); // harder than pretending: there is nobody to answer

  await page.reload();
  await ready(page);
  await runCode(page);
  assert.equal(await page.getByRole("heading", { name: "Passed" }).count(), 1);
  await page.getByRole("button", { name: "Solution" }).click();
  await page.locator("dialog pre .tok-keyword").first().waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  await page.locator(".live-frame").scrollIntoViewIfNeeded();
  await page.locator(".live-frame .live").waitFor();
  assert.deepEqual(seen.troubles, []);
  await context.close();
});

test("a new version is there at the next load, and never mixes with the old one", async () => {
  const dir = mkdtempSync(join(tmpdir(), "forgetmenot-"));
  cpSync(dist, dir, { recursive: true });
  const site = await serve("/", dir);
  const { page, context } = await openPage(browser, site);
  await keptOffline(page);

  // The next version differs in its title. Its index.html is also broken on the server, as in the middle of an upload:
  // a page that the worker serves must not show it.
  const worker = readFileSync(join(dir, "sw.js"), "utf8");
  const copy = /assets\/page-\w+\.html/.exec(worker)?.[0] ?? "";
  writeFileSync(join(dir, "assets/page-next.html"), readFileSync(join(dir, copy), "utf8").replace("<h1>The event log</h1>", "<h1>The next version</h1>"));
  writeFileSync(join(dir, "sw.js"), worker.replaceAll(copy, "assets/page-next.html").replace(/version:"\w+"/, 'version:"next"'));
  writeFileSync(join(dir, "index.html"), "half an upload");
  for (const name of ["sw.js.br", "index.html.br"]) rmSync(join(dir, name));

  await page.reload();
  await ready(page);
  assert.equal(await page.locator(".lesson h1").innerText(), "The event log");
  // The worker of the next version installs itself meanwhile, and takes over.
  await page.evaluate(async () => {
    while (!(await caches.keys()).includes("forgetmenot-next")) await new Promise((resolve) => setTimeout(resolve, 50));
    const registration = await navigator.serviceWorker.ready;
    while (registration.installing || registration.waiting || registration.active?.state !== "activated") {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  await page.reload();
  await ready(page);
  assert.equal(await page.locator(".lesson h1").innerText(), "The next version");
  await context.close();
  await site.close();
  rmSync(dir, { recursive: true });
});

test("an address with a query is the same page", async () => {
  const site = await serve();
  const { page, context } = await openPage(browser, site);
  await page.goto(`${site.url}?from=somewhere#rules`);
  await ready(page);
  await context.close();
  await site.close();
});

test("the policy forbids a foreign script, an inline one and eval", async () => {
  const site = await serve();
  const { page, context } = await openPage(browser, site);
  const blocked = await page.evaluate(async () => {
    const tried: string[] = [];
    document.addEventListener("securitypolicyviolation", (event) => tried.push(event.effectiveDirective));
    const inline = document.createElement("script");
    inline.textContent = "window.inlineRan = true";
    document.body.append(inline);
    const button = document.createElement("button");
    button.setAttribute("onclick", "window.attributeRan = true");
    document.body.append(button);
    button.click();
    await fetch("https://example.com/").catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { tried: tried.sort(), ran: "inlineRan" in window || "attributeRan" in window };
  });
  assert.equal(blocked.ran, false);
  assert.deepEqual(blocked.tried, ["connect-src", "script-src-attr", "script-src-elem"]);
  await context.close();
  await site.close();
});
