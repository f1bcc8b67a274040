// What a machine can find of what a screen reader or a keyboard cannot use.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { web } from "./browser.ts";

const axe = readFileSync(resolve(web, "node_modules/axe-core/axe.min.js"), "utf8");

export async function assertAccessible(page: Page, where: string): Promise<void> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(
    () => (window as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  const found = violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.target.join(" ")}: ${n.failureSummary ?? ""}`));
  assert.deepEqual(found, [], where);
}
