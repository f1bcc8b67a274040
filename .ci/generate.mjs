// Writes the parts of README.md that are taken from the program, each between two comments that name it.
//
//   node .ci/generate.mjs            make generate
//   node .ci/generate.mjs --check    make check: fails when one is not as it would be written now
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const grader = (...args) => execFileSync(join(root, "bin/grader"), args, { cwd: root, encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } });

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
};

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

// Every package says in the README what it is for.
const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, "web/package.json"), "utf8"));
const unnamed = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !after.includes(`\`${name}\``));
if (unnamed.length > 0) fail(`README.md does not say what these packages of web/package.json are for: ${unnamed.join(", ")}`);

function fail(message) {
  console.error(message);
  process.exit(1);
}
