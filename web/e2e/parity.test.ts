// One submission, one verdict, wherever it is graded: every file of the exercise's bank is graded in the page's worker and by the
// command, and the reports are equal, counterexamples and all. Only the times may differ.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { dist, launch, openPage, serve, web } from "./browser.ts";

const exercise = resolve(web, "../exercises/event-log");
const command = process.env["GRADER"] ?? resolve(web, "../bin/grader");

// Fewer cases than a person runs, since both sides grade several hundred files; the one large case of each property is among them.
const cases = 52;
const seed = 1;

interface Report {
  submission: string;
  sha256: string;
  durationMs: number;
  properties: { durationMs: number }[];
}

function bank(): string[] {
  const inFolder = (name: string): string[] => readdirSync(join(exercise, name)).map((file) => join(exercise, name, file));
  return [join(exercise, "starter.js"), join(exercise, "solution.js"), ...inFolder("solutions"), ...inFolder("mutants")];
}

/** What must be equal. */
function essence(report: Report): unknown {
  const { submission: _, durationMs: __, ...rest } = report;
  return { ...rest, properties: report.properties.map(({ durationMs: ___, ...property }) => property) };
}

async function nativeReports(files: string[]): Promise<Map<string, Report>> {
  if (!existsSync(command)) throw new Error(`There is no ${command}. Run \`make build\` first, or name one in GRADER.`);
  const args = ["grade", "--format", "json", "--seed", `${seed}`, "--cases", `${cases}`, "event-log", ...files];
  const { stdout } = await promisify(execFile)(command, args, { maxBuffer: 1 << 30 });
  const { reports } = JSON.parse(stdout) as { reports: Report[] };
  return new Map(reports.map((report) => [report.sha256, report]));
}

function asset(prefix: string): string {
  const name = readdirSync(join(dist, "assets")).find((file) => file.startsWith(prefix) && !file.endsWith(".br"));
  assert.ok(name, `no ${prefix} in the built page`);
  return `assets/${name}`;
}

test("the page and the command agree about the whole bank", async () => {
  const files = bank();
  assert.ok(files.length > 100);
  const sources = files.map((file) => readFileSync(file, "utf8"));
  const native = nativeReports(files);
  native.catch(() => {}); // awaited below, after the page has begun
  const site = await serve();
  const browser = await launch();
  try {
    const { page } = await openPage(browser, site);
    const expected = await native;
    const urls = { worker: asset("worker-"), grader: asset("grader-"), engine: asset("quickjs-") };
    const failures: string[] = [];
    const batch = 20;
    for (let from = 0; from < files.length; from += batch) {
      const reports = await page.evaluate(
        async ({ urls, sources, seed, cases }) => {
          const lane = async (mine: string[]): Promise<string[]> => {
            const worker = new Worker(new URL(urls.worker, document.baseURI));
            const heard = (kind: string): Promise<{ result: { report: string } }> =>
              new Promise((done, fail) => {
                worker.onmessage = ({ data }) => {
                  if (data.kind === kind) done(data);
                  if (data.kind === "failed") fail(new Error(data.message));
                };
                worker.onerror = (event) => fail(new Error(event.message));
              });
            const full = (path: string): string => new URL(path, document.baseURI).href;
            worker.postMessage({ kind: "start", graderUrl: full(urls.grader), engineUrl: full(urls.engine) });
            await heard("ready");
            const out: string[] = [];
            for (const source of mine) {
              worker.postMessage({ kind: "grade", run: 1, source, seed, cases });
              out.push((await heard("done")).result.report);
            }
            worker.terminate();
            return out;
          };
          const half = Math.ceil(sources.length / 2);
          return (await Promise.all([lane(sources.slice(0, half)), lane(sources.slice(half))])).flat();
        },
        { urls, sources: sources.slice(from, from + batch), seed, cases },
      );
      reports.forEach((text, i) => {
        const file = files[from + i]!;
        const inPage = JSON.parse(text) as Report;
        const inCommand = expected.get(createHash("sha256").update(readFileSync(file)).digest("hex"));
        try {
          assert.ok(inCommand, "the command has no report of it");
          assert.deepEqual(essence(inPage), essence(inCommand));
        } catch (error) {
          failures.push(`${file.slice(exercise.length + 1)}: ${(error as Error).message}`);
        }
      });
    }
    assert.equal(failures.length, 0, `${failures.length} of ${files.length} differ:\n${failures.slice(0, 5).join("\n")}`);
  } finally {
    await browser.close();
    await site.close();
  }
});
