// A real bin/eventlog serve on a file of its own, which can be killed and started again, and a client of it that speaks plain HTTP.
import assert from "node:assert/strict";
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { after, before } from "node:test";
import { isDeepStrictEqual } from "node:util";
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core";
import { launch, watch, web, type Watch } from "./browser.ts";

const command = resolve(web, "../bin/eventlog");

const pathOf = (id: string) => `/sessions/${encodeURIComponent(id)}`;

export interface StoredEvent {
  eventId: number;
  sessionId: string;
  type: string;
  payload: unknown;
}

/** What a list of events has that the log does not, and the other way round. */
export function differences(shown: readonly Omit<StoredEvent, "sessionId">[], stored: readonly Omit<StoredEvent, "sessionId">[]): string[] {
  const found: string[] = [];
  const seen = new Set<number>();
  let last = 0;
  for (const { eventId, type, payload } of shown) {
    const original = stored.find((e) => e.eventId === eventId);
    if (seen.has(eventId)) found.push(`event ${eventId} is there twice`);
    else if (eventId < last) found.push(`event ${eventId} comes after event ${last}`);
    if (!original) found.push(`event ${eventId} is not in the log`);
    else if (!isDeepStrictEqual([type, payload], [original.type, original.payload])) found.push(`event ${eventId} is not as it is in the log`);
    seen.add(eventId);
    last = Math.max(last, eventId);
  }
  for (const { eventId } of stored) if (!seen.has(eventId)) found.push(`event ${eventId} is missing`);
  return found;
}

export class Service {
  readonly dir = mkdtempSync(join(tmpdir(), "forgetmenot-service-"));
  url = "";
  #process: ChildProcess | undefined;

  /** Resolves when it listens: on a port that the system picks, and after that on the same one again. */
  async start(): Promise<void> {
    if (!existsSync(command)) throw new Error(`There is no ${command}. Run \`make bin/eventlog\` first.`);
    const address = this.url === "" ? "127.0.0.1:0" : new URL(this.url).host;
    const child = spawn(command, ["serve", "--json", "--address", address, "--db", join(this.dir, "eventlog.db")], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#process = child;
    process.once("exit", () => child.kill("SIGKILL")); // a test that dies leaves nothing behind
    let said = "";
    child.stderr.on("data", (text) => (said += String(text)));
    for await (const line of createInterface(child.stdout)) {
      this.url = (JSON.parse(line) as { url: string }).url;
      return;
    }
    throw new Error(`bin/eventlog serve ended: ${said}`);
  }

  /** SIGKILL: nothing is finished, nothing is said. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.dir, { recursive: true, force: true });
  }

  async post<T = unknown>(path: string, body: unknown): Promise<T> {
    const answer = await fetch(new URL(path, this.url), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  async session(id: string, title = ""): Promise<void> {
    await this.post("/sessions", { id, title });
  }

  async say(id: string, content: string): Promise<void> {
    await this.post(`${pathOf(id)}/messages`, { content });
  }

  /** All of a session's events, as GET tells them. */
  async events(id: string): Promise<StoredEvent[]> {
    const all: StoredEvent[] = [];
    for (let more = true; more; ) {
      const after = all.at(-1)?.eventId ?? 0;
      const answer = await fetch(new URL(`${pathOf(id)}/events?limit=1000&after=${after}`, this.url));
      const page = (await answer.json()) as { events: StoredEvent[]; more: boolean };
      all.push(...page.events);
      more = page.more;
    }
    return all;
  }

  /** Appends to the file itself, as another program: the service need not run. */
  append(id: string, type: string, payload: unknown, ...flags: string[]): void {
    execFileSync(command, ["append", id, "--type", type, "--payload", JSON.stringify(payload), "--db", join(this.dir, "eventlog.db"), ...flags]);
  }
}

/** What a file of tests needs: one browser, and services of which none is left. */
export function rig(): { launched(): Browser; start(): Promise<Service> } {
  let browser: Browser;
  const services: Service[] = [];
  before(async () => {
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    for (const service of services) await service.close();
  });
  return {
    launched: () => browser,
    async start() {
      const service = new Service();
      services.push(service);
      await service.start();
      return service;
    },
  };
}

/** Stands between a service and its page, and changes the cursors that pass. */
export async function between(service: Service, change: (cursor: number) => number): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const headers = { ...request.headers };
    const cursor = headers["last-event-id"];
    if (cursor !== undefined) headers["last-event-id"] = String(change(Number(cursor)));
    const onward = forward(new URL(request.url ?? "/", service.url), { method: request.method ?? "GET", headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.on("error", () => response.destroy()).pipe(response);
    });
    onward.on("error", () => response.destroy());
    request.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A service's page, when it is live, at a session or at none. */
export async function openService(
  browser: Browser,
  service: { url: string },
  options: BrowserContextOptions = {},
  session = "",
): Promise<{ page: Page; context: BrowserContext; seen: Watch }> {
  const context = await browser.newContext({ locale: "en-US", viewport: { width: 1440, height: 900 }, reducedMotion: "reduce", ...options });
  const seen = watch(context, service.url);
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  await page.goto(`${service.url}#${encodeURIComponent(session)}`);
  await page.locator("#link").filter({ hasText: /live|实时/ }).waitFor();
  return { page, context, seen };
}

/** What the page shows of a message that has this text. */
export const message = (page: Page, text: string): Locator => page.locator("#messages .said", { hasText: text });

/** The events that the page lists, each payload as it is laid out when its line is opened. */
export async function shownEvents(page: Page): Promise<Omit<StoredEvent, "sessionId">[]> {
  const rows = page.locator("#events > .event");
  await rows.evaluateAll((all) => all.forEach((row) => ((row.querySelector("details") as HTMLDetailsElement).open = true)));
  await rows.locator("details:not(:has(pre))").first().waitFor({ state: "detached" });
  const listed = await rows.evaluateAll((all) =>
    all.map((row) => ({
      id: (row as HTMLElement).dataset["event"],
      type: row.querySelector(".type")?.textContent ?? "",
      payload: row.querySelector(".payload")?.textContent ?? "",
    })),
  );
  return listed.map(({ id, type, payload }) => ({ eventId: Number(id), type, payload: JSON.parse(payload) as unknown }));
}

/** Waits for the newest event of a session, and holds what the page shows of it against the log. */
export async function assertTrue(page: Page, service: Service, session: string): Promise<void> {
  const stored = await service.events(session);
  await page.locator(`#events > [data-event="${stored.at(-1)?.eventId}"]`).waitFor();
  assert.deepEqual(differences(await shownEvents(page), stored), []);
}
