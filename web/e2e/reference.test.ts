// The Go reference, as the page has it: its five functions under their JavaScript names, graded through the same properties as one more
// submission. The harness and the programs are those of every sandbox; only the realm is the page itself.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { launch, openPage, serve, web } from "./browser.ts";

interface Graded {
  verdict: string;
  properties: { id: string; verdict: string; cases: number; message: { en: string } }[];
}

test("the reference's five functions, exported to the page, pass all twelve properties", async () => {
  const harness = readFileSync(resolve(web, "../grader/jsrun/harness.js"), "utf8");
  const site = await serve();
  const browser = await launch();
  try {
    const { page, seen } = await openPage(browser, site);
    await page.locator(".live-frame").scrollIntoViewIfNeeded();
    await page.waitForFunction(() => "eventLogMemory" in globalThis && "forgetMeNotGrader" in globalThis, undefined, { timeout: 30_000 });
    const result = await page.evaluate((source) => {
      // A test may evaluate text in the page, where the page's own policy would refuse it.
      const scope = globalThis as unknown as Record<string, (...args: unknown[]) => unknown> & {
        forgetMeNotGrader: { grade(request: string, source: Uint8Array, sandbox: unknown, emit: () => void): string };
      };
      const names = ["createEventLog", "appendEvent", "getEventsForSession", "listSessions", "replaySession"];
      const functions = Object.fromEntries(names.map((name) => [name, scope[name]]));
      const harness = (0, eval)(source)({ memory: scope["eventLogMemory"] });
      const sandbox = {
        load: (wanted: string): string => {
          harness.bind(wanted, functions, undefined);
          return "";
        },
        open: () => ({}),
        run: (_: object, program: Uint8Array) => new TextEncoder().encode(harness.run(new TextDecoder().decode(program))),
        reset: () => "",
        close: () => {},
        spoil: () => {},
      };
      const request = JSON.stringify({ seed: 1, cases: 100, only: null });
      return scope.forgetMeNotGrader.grade(request, new TextEncoder().encode("// the reference"), sandbox, () => {});
    }, harness);
    const { verdict, properties } = JSON.parse(result) as Graded;
    assert.deepEqual(
      properties.filter((property) => property.verdict !== "pass").map((property) => `${property.id}: ${property.message.en}`),
      [],
    );
    assert.equal(properties.length, 12);
    assert.equal(verdict, "pass");
    assert.deepEqual(seen.troubles, []);
  } finally {
    await browser.close();
    await site.close();
  }
});
