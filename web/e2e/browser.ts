// What every browser test needs: a server over the built page, a Chromium, and a page that notes what must not happen.
import { existsSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from "playwright-core";
import { createStaticServer } from "../tools/server.mjs";

export const web = process.cwd();
export const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
export const dist = resolve(web, process.env["DIST"] ?? "dist");

export async function launch(): Promise<Browser> {
  const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) {
    throw new Error(`There is no Chromium at ${executablePath}. Install it (apt-get install chromium), or name one in CHROMIUM.`);
  }
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

export interface Site {
  url: string;
  close(): Promise<void>;
}

export async function serve(base = "/", dir = dist): Promise<Site> {
  if (!existsSync(resolve(dir, "index.html"))) throw new Error("There is no built page. Run `make build` first.");
  const server: Server = createStaticServer(dir, base);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}${base}`,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** Console errors, uncaught exceptions and requests to elsewhere, over a whole context. */
export interface Watch {
  troubles: string[];
}

export function watch(context: BrowserContext, origin: string): Watch {
  const seen: Watch = { troubles: [] };
  context.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") seen.troubles.push(`console: ${message.text()}`);
  });
  context.on("weberror", (error) => seen.troubles.push(`uncaught: ${error.error().message}`));
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http") && url.origin !== new URL(origin).origin) seen.troubles.push(`request: ${request.url()}`);
  });
  return seen;
}

export async function openPage(
  browser: Browser,
  site: Site,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; context: BrowserContext; seen: Watch }> {
  const context = await browser.newContext({ locale: "en-US", viewport: { width: 1440, height: 900 }, reducedMotion: "reduce", ...options });
  const seen = watch(context, site.url);
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  await page.goto(site.url);
  await ready(page);
  return { page, context, seen };
}

/** The grader and the editor are there. */
export async function ready(page: Page): Promise<void> {
  await page.waitForSelector("html[data-ready]", { state: "attached" });
  await page.waitForSelector(".cm-content");
}

/** Puts a text in the place of what the editor holds, as a paste would. */
export async function setCode(page: Page, text: string): Promise<void> {
  await page.locator(".cm-content").focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

/** The code as the editor shows it, long texts too. */
export async function storedCode(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const record = localStorage.getItem("forgetmenot:draft:event-log:javascript");
    return record ? (JSON.parse(record) as { text: string }).text : undefined;
  });
}

/** Waits until this page sees the draft as stored. Pages may live in processes of their own, and one's write reaches the other a little later. */
export async function kept(page: Page, text: string): Promise<void> {
  await page.waitForFunction((want) => {
    const record = localStorage.getItem("forgetmenot:draft:event-log:javascript");
    return record !== null && (JSON.parse(record) as { text: string }).text === want;
  }, text);
}

/** Presses Run and waits for the verdict. */
export async function runCode(page: Page): Promise<void> {
  await page.locator("#run").click();
  await finished(page);
}

export async function finished(page: Page): Promise<void> {
  await page.locator("#run[aria-disabled=true]").waitFor({ timeout: 5000 }).catch(() => {});
  await page.locator("#run[aria-disabled=false]").waitFor({ timeout: 60_000 });
}

export async function verdictOf(page: Page, id: string): Promise<string | null> {
  return page.locator(`#row-${id}`).getAttribute("data-state");
}
