// Bundles the tests, which are TypeScript, and runs them with node's own runner.
//
//   node tools/tests.mjs unit|e2e|screens [part of a file's name] [node --test options…]
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const web = dirname(dirname(fileURLToPath(import.meta.url)));
const [what = "unit", ...rest] = process.argv.slice(2);
const options = rest.filter((arg) => arg.startsWith("-"));
const parts = what === "screens" ? [] : rest.filter((arg) => !arg.startsWith("-"));

const all = (folder, ending) =>
  readdirSync(join(web, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));

const kinds = {
  unit: () => ["src", "tools", "../eventlog/agent/page"].flatMap((folder) => all(folder, ".test.ts")),
  e2e: () => all("e2e", ".test.ts"),
  screens: () => ["e2e/screenshots.ts"],
};
const entries = kinds[what]?.().filter((entry) => parts.length === 0 || parts.some((part) => entry.includes(part)));
if (!entries?.length) {
  console.error(`There are no such tests: ${[what, ...parts].join(" ")}. The kinds are ${Object.keys(kinds).join(", ")}.`);
  process.exit(1);
}

const out = join(web, "build/tests", what);
rmSync(out, { recursive: true, force: true });
await esbuild.build({
  absWorkingDir: web,
  entryPoints: entries.map((entry) => ({ in: entry, out: relative(".", entry).replaceAll(/[\\/]/g, "-").replace(/\.ts$/, "") })),
  outdir: out,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  sourcemap: "inline",
  logLevel: "warning",
});

const files = readdirSync(out).filter((name) => name.endsWith(".mjs"));
const flags = what === "screens" ? [] : ["--test", "--test-concurrency=2"];
const { status } = spawnSync(
  process.execPath,
  ["--enable-source-maps", ...flags, ...options, ...files.map((name) => join(out, basename(name))), ...(what === "screens" ? rest : [])],
  { stdio: "inherit", cwd: web },
);
process.exit(status ?? 1);
