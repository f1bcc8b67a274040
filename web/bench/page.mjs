// Measures the built page in headless Chromium, from a server on this machine that sends brotli.
//
//   node web/bench/page.mjs [ROUNDS]      make bench does it
//
// Times are taken inside the page, by its own clock, when the change that a person would see is made. Every round has a new browser with empty
// caches; the median of the rounds counts. A missed target is printed and is no failure: the exit status is 0 unless the page does not work.
import { cpus, type } from "node:os";
import { exerciseFile, launch, serve, setCode } from "./browser.mjs";

const rounds = Number(process.argv[2] ?? 5);
const warmRuns = 3;
const solution = exerciseFile("solution.js");
// Refuted early, by nearly every property, and by one alone and late.
const mutants = ["push-on-the-same-array", "ids-per-session", "array-spread"].map((name) => ({ name, code: exerciseFile(`mutants/${name}.js`) }));

/** In the page: notes when it is ready, and when a run shows its first verdict and its last. */
function note() {
  const seen = { ready: 0, run: 0, first: 0, end: 0 };
  Object.assign(window, { benchSeen: seen });
  const verdict = /^(pass|fail|timeout|crash|nondeterministic|error)$/;
  const look = () => {
    const now = performance.now();
    const root = document.documentElement;
    if (!seen.ready && root?.hasAttribute("data-ready") && document.querySelector(".cm-content")) seen.ready = now;
    const busy = document.querySelector("#run")?.getAttribute("aria-disabled") === "true";
    if (!seen.run || seen.end) return;
    if (busy) seen.began = true;
    if (!seen.began) return;
    if (!seen.first && [...document.querySelectorAll(".row")].some((row) => verdict.test(row.dataset.state ?? ""))) seen.first = now;
    if (!busy) seen.end = now;
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-ready", "data-state", "aria-disabled"] });
}

async function run(page, code, wanted) {
  await setCode(page, code);
  await page.evaluate(() => {
    Object.assign(window.benchSeen, { first: 0, end: 0, began: false, run: performance.now() });
    document.querySelector("#run").click();
  });
  await page.waitForFunction(() => window.benchSeen.end > 0, undefined, { timeout: 60_000 });
  const states = await page.locator(".row").evaluateAll((rows) => rows.map((row) => row.dataset.state));
  const passed = states.length > 0 && states.every((state) => state === "pass");
  if (passed !== wanted) throw new Error(`graded otherwise than it should be: ${states.join(" ")}`);
  const { run, first, end } = await page.evaluate(() => window.benchSeen);
  return { first: first - run, whole: end - run, properties: states.length };
}

async function round() {
  const site = await serve();
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
    await page.addInitScript(note);
    await page.goto(site.url);
    await page.waitForFunction(() => window.benchSeen.ready > 0, undefined, { timeout: 60_000 });
    const ready = await page.evaluate(() => window.benchSeen.ready);
    const cold = await run(page, solution, true);
    const bytes = site.sent();
    const warm = [];
    const failing = mutants.map(() => []);
    for (let i = 0; i < warmRuns; i += 1) {
      warm.push(await run(page, solution, true));
      for (const [m, { code }] of mutants.entries()) failing[m].push((await run(page, code, false)).whole);
    }
    return { ready, cold, bytes, warm, failing, version: browser.version() };
  } finally {
    await browser.close();
    await site.close();
  }
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows) console.log(row.map((cell, column) => cell.padEnd(widths[column])).join("  ").trimEnd());
}

const all = [];
for (let i = 0; i < rounds; i += 1) all.push(await round());

const passing = median(all.flatMap(({ warm }) => warm.map(({ whole }) => whole)));
const late = mutants.map((_, m) => median(all.flatMap(({ failing }) => failing[m])) - passing);
const slowest = late.indexOf(Math.max(...late));
const ms = (value) => `${Math.round(value)} ms`;
const row = (what, value, target, show = ms) => [what, show(value), target ? `<= ${show(target)}` : "", target ? (value <= target ? "yes" : "MISSED") : ""];

const { properties } = all[0].cold;
console.log(`\nPage: median of ${rounds} cold starts and ${rounds * warmRuns} warm runs; Chromium ${all[0].version}, ${type()}, ${cpus()[0]?.model.trim() ?? "unknown processor"}, ${cpus().length} cores\n`);
table([
  ["what", "measured", "target", "met"],
  row("navigation to ready to run, cold", median(all.map(({ ready }) => ready)), 1500),
  row("first property's line after the first Run", median(all.map(({ cold }) => cold.first)), 200),
  row("first property's line after a later Run", median(all.flatMap(({ warm }) => warm.map(({ first }) => first))), 200),
  row(`the first passing grade, ${properties} properties, 100 cases`, median(all.map(({ cold }) => cold.whole))),
  row(`a passing grade, warm, ${properties} properties, 100 cases`, passing, 1000),
  row(`a failing one, shrunk, beyond that (${mutants[slowest].name})`, late[slowest], 1500),
  row("sent up to the end of the first grade, brotli", median(all.map(({ bytes }) => bytes)), 1_600_000, (bytes) => `${(bytes / 1e6).toFixed(3)} MB`),
]);
