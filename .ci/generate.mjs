// Writes what is taken from elsewhere: the parts of README.md that come from the program, each between two comments that name it, and the files of
// the service's page that are copies.
//
//   node .ci/generate.mjs            make generate
//   node .ci/generate.mjs --check    make check: fails when one is not as it would be written now
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { transcript } from "./transcript.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const run = (command, args) => execFileSync(join(root, "bin", command), args, { cwd: root, encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } });
const grader = (...args) => run("grader", args);

const parts = {
  properties() {
    const { reports } = JSON.parse(grader("grade", "--format", "json", "event-log", "exercises/event-log/solution.js"));
    const rows = reports[0].properties.map(({ id, tier, title }) => `| \`${id}\` | ${tier} | ${title.replaceAll("_", "\\_")} |`);
    return ["| id | tier | the law in short |", "|---|---|---|", ...rows].join("\n");
  },
  counterexample() {
    const text = grader("grade", "event-log", "exercises/event-log/mutants/object-keys-order.js");
    // The refuted property alone: from its line to the next property's.
    const lines = text.split("\n");
    const from = lines.findIndex((line) => line.startsWith("  ✗ sessions"));
    const to = lines.findIndex((line, i) => i > from && /^ {2}[✓✗]/.test(line));
    if (from < 0 || to < 0) throw new Error(`the mutant is not refuted as the README tells it:\n${text}`);
    return ["```text", lines.slice(from, to).join("\n").trimEnd(), "```"].join("\n");
  },
  demo() {
    const text = run("eventlog", ["demo"]);
    // The crash and what comes after it. Processes have other numbers in each run, and the line of the crash is as long as it is without one.
    const [from, to] = [/^3 {2}/m, /^5 {2}/m].map((chapter) => text.search(chapter));
    if (from < 0 || to < from) throw new Error(`the demo does not tell what the README expects:\n${text}`);
    const numbers = [];
    const number = (pid) => String(4711 + (numbers.includes(pid) ? numbers.indexOf(pid) : numbers.push(pid) - 1));
    const chapters = text
      .slice(from, to)
      .replace(/(kill -9 )(\d+)( ─+)/g, (_, kill, pid, line) => kill + (number(pid) + line).padEnd((pid + line).length, "─").slice(0, (pid + line).length))
      .replace(/(process: )(\d+)/g, (_, process, pid) => process + number(pid));
    return ["```text", chapters.trimEnd(), "```"].join("\n");
  },
};

for (const [name, text] of Object.entries(await transcript(root))) parts[name] = () => text;

const file = join(root, "README.md");
const before = readFileSync(file, "utf8");
let after = before;
for (const [name, make] of Object.entries(parts)) {
  const place = new RegExp(`(<!-- generated: ${name} -->\n)[^]*?(<!-- end: ${name} -->)`);
  if (!place.test(after)) fail(`README.md has no place for "${name}": the comments <!-- generated: ${name} --> and <!-- end: ${name} -->.`);
  after = after.replace(place, (_, begin, end) => `${begin}${make()}\n${end}`);
}

if (!process.argv.includes("--check")) {
  writeFileSync(file, after);
} else if (after !== before) {
  fail("README.md is not up to date with the program. Run make generate, and look at what changed.");
}

// The service's page is plain files that Go embeds, so it has copies of what it shares with the page that is built.
for (const [from, to] of [
  ["web/src/styles/tokens.css", "eventlog/agent/page/tokens.css"],
  ["web/src/icon.svg", "eventlog/agent/page/icon.svg"],
]) {
  const original = readFileSync(join(root, from));
  if (readFileSync(join(root, to)).equals(original)) continue;
  if (process.argv.includes("--check")) fail(`${to} is no longer a copy of ${from}. Change ${from}, and run make generate.`);
  writeFileSync(join(root, to), original);
}

// Every package says in the README what it is for.
const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, "web/package.json"), "utf8"));
const unnamed = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !after.includes(`\`${name}\``));
if (unnamed.length > 0) fail(`README.md does not say what these packages of web/package.json are for: ${unnamed.join(", ")}`);

function fail(message) {
  console.error(message);
  process.exit(1);
}
