// What the page's benchmark and the README's picture need: the built page, served, in a Chromium.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { createStaticServer } from "../tools/server.mjs";

export const web = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(web, "dist");

/** A file of the exercise. */
export const exerciseFile = (name) => readFileSync(join(web, "../exercises/event-log", name), "utf8");

/** A browser with nothing in its caches. */
export async function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--no-first-run"],
  });
}

/** The built page on a free port. `sent` counts every byte that left, headers too. */
export async function serve() {
  if (!existsSync(join(dist, "index.html"))) throw new Error("There is no built page. Run `make build` first.");
  const server = createStaticServer(dist);
  const sockets = new Set();
  let gone = 0;
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => {
      gone += socket.bytesWritten;
      sockets.delete(socket);
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://localhost:${server.address().port}/`,
    sent: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, gone),
    close: () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  };
}

/** Puts a text in the place of what the editor holds, as a paste would. */
export async function setCode(page, text) {
  await page.locator(".cm-content").focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}
