// Builds the page into web/dist: a folder of static files that any host can serve from any path.
//
//   node build.mjs            the page; needs web/build/grader.wasm (`make build` makes it)
//   node build.mjs --fake     the page with a pretended grader, into web/build/fake-dist, to work on its looks
//
// Every file but index.html and sw.js has a hash of its content in its name, and lies beside its brotli form.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import * as esbuild from "esbuild";
import { highlight, renderLesson } from "./tools/lesson.mjs";
import { policy, renderPage } from "./tools/page.mjs";

const web = dirname(fileURLToPath(import.meta.url));
const exercise = resolve(web, "../exercises/event-log");
const fake = process.argv.includes("--fake");
const out = join(web, fake ? "build/fake-dist" : "dist");

/** Files to write, by their name in the site. */
const files = new Map();
/** The files that are needed before the first verdict. */
const first = new Set();

function keep(name, content) {
  files.set(name, Buffer.from(content));
  return name;
}

function keepHashed(name, content) {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 10);
  const extension = extname(name);
  return keep(`assets/${basename(name, extension)}-${hash}${extension}`, content);
}

async function grader() {
  const path = join(web, "build/grader.wasm");
  if (existsSync(path)) return readFile(path);
  if (fake) return Buffer.from("");
  fail(`There is no grader yet: web/build/grader.wasm is missing.\nRun \`make build\` in the project's folder, which makes it first.`);
}

function wasmExec() {
  let root;
  try {
    root = execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim();
  } catch {
    fail("`go env GOROOT` did not work. Go must be installed and on the PATH: its loader, wasm_exec.js, goes into the page.");
  }
  return join(root, "lib/wasm/wasm_exec.js");
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

/** Modules that the build makes; see src/generated.d.ts. */
const generated = {
  name: "generated",
  setup(build) {
    build.onResolve({ filter: /^exercise:/ }, ({ path }) => ({ path, namespace: "exercise" }));
    build.onLoad({ filter: /.*/, namespace: "exercise" }, async ({ path }) => {
      const file = join(exercise, `${path.slice("exercise:".length)}.js`);
      const text = await readFile(file, "utf8");
      const value = path === "exercise:solution" ? highlight(text) : text;
      return { contents: `export default ${JSON.stringify(value)};`, watchFiles: [file] };
    });
    if (fake) build.onResolve({ filter: /\/reference\.ts$/ }, () => ({ path: join(web, "e2e/fake/reference.ts") }));
    // The harness is a script for the sandbox's own engine: it travels as text.
    build.onLoad({ filter: /jsrun\/harness\.js$/ }, async ({ path }) => ({ contents: await readFile(path, "utf8"), loader: "text" }));
    build.onResolve({ filter: /^wasm_exec$/ }, () => ({ path: wasmExec(), sideEffects: true }));
  },
};

const common = {
  bundle: true,
  write: false,
  minify: true,
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
  absWorkingDir: web,
  outdir: out,
  plugins: [generated],
};

async function bundleOne(entry, options = {}) {
  const result = await esbuild.build({ ...common, format: "iife", entryPoints: [entry], ...options });
  return result.outputFiles[0].text;
}

async function loadWords(lang) {
  const { outputFiles } = await esbuild.build({ ...common, format: "esm", entryPoints: [`src/words/${lang}.ts`] });
  const module = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
  return module[lang];
}

async function build() {
  const [en, zh] = [await loadWords("en"), await loadWords("zh")];
  const icon = keepHashed("icon.svg", await readFile(join(web, "src/icon.svg")));
  const worker = keepHashed("worker.js", await bundleOne(fake ? "e2e/fake/worker.ts" : "src/worker.ts"));
  const assets = {
    icon,
    worker,
    grader: keepHashed("grader.wasm", await grader()),
    engine: keepHashed("quickjs.wasm", await readFile(join(web, "node_modules/quickjs-wasi/quickjs.wasm"))),
    serviceWorker: "sw.js",
  };

  const page = await esbuild.build({
    ...common,
    format: "esm",
    splitting: true,
    metafile: true,
    entryPoints: [{ in: "src/main.ts", out: "main" }],
    entryNames: "assets/[name]-[hash]",
    chunkNames: "assets/[name]-[hash]",
    define: { ASSETS: JSON.stringify(assets) },
  });
  const inSite = (path) => path.slice(out.length + 1).replaceAll("\\", "/");
  for (const { path, contents } of page.outputFiles) keep(inSite(path), contents);

  // What main.js needs at once, and the editor, are fetched side by side instead of one after the other.
  const outputs = Object.entries(page.metafile.outputs).map(([path, meta]) => [inSite(resolve(web, path)), meta]);
  const byName = new Map(outputs);
  const entry = (source) => outputs.find(([, meta]) => meta.entryPoint === source)?.[0] ?? fail(`no bundle for ${source}`);
  const withImports = (name, seen = new Set()) => {
    if (seen.has(name)) return seen;
    seen.add(name);
    for (const { path, kind } of byName.get(name)?.imports ?? []) {
      if (kind === "import-statement") withImports(inSite(resolve(web, path)), seen);
    }
    return seen;
  };
  const main = entry("src/main.ts");
  const early = withImports(entry("src/editor.ts"), withImports(main));

  const styles = keepHashed("page.css", (await esbuild.build({ ...common, entryPoints: ["src/styles/page.css"] })).outputFiles[0].contents);
  const manifest = keepHashed(
    "manifest.webmanifest",
    JSON.stringify({
      name: en.product,
      short_name: en.product,
      description: en.description,
      id: "../",
      start_url: "../",
      scope: "../",
      display: "standalone",
      background_color: "#fbfbf8",
      theme_color: "#ffffff",
      icons: [{ src: basename(icon), type: "image/svg+xml", sizes: "any" }],
    }),
  );
  const boot = (await bundleOne("src/boot.ts")).trim();
  const lesson = async (lang, words) =>
    renderLesson(await readFile(join(exercise, `lesson.${lang}.md`), "utf8"), { lang, words });

  const index = renderPage(
    await readFile(join(web, "index.html"), "utf8"),
    {
      csp: policy(boot),
      boot,
      icon,
      manifest,
      styles,
      main,
      preloads: [...early].map((name) => `<link rel="modulepreload" href="${name}" />`).join("\n    "),
      "lesson:en": await lesson("en", en),
      "lesson:zh": await lesson("zh", zh),
    },
    en,
  );
  for (const name of [...early, styles, icon, manifest, ...Object.values(assets), "index.html"]) first.add(name);

  // The service worker last: it names all the others, and its version is the hash of their names.
  const copy = keepHashed("page.html", index);
  const names = [...files.keys()].sort();
  const version = createHash("sha256").update(names.join("\n")).digest("hex").slice(0, 12);
  keep("index.html", index);
  keep("sw.js", await bundleOne("src/sw.ts", { define: { PRECACHE: JSON.stringify({ version, page: copy, files: names }) } }));
}

async function write() {
  const compress = promisify(brotliCompress);
  await rm(out, { recursive: true, force: true });
  await mkdir(join(out, "assets"), { recursive: true });
  const rows = await Promise.all(
    [...files].map(async ([name, content]) => {
      const small = await compress(content, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
      });
      await writeFile(join(out, name), content);
      await writeFile(join(out, `${name}.br`), small);
      return { name, raw: content.length, brotli: small.length };
    }),
  );
  return rows.sort((a, b) => b.brotli - a.brotli);
}

await build();
const rows = await write();
const kb = (bytes) => `${(bytes / 1000).toFixed(1)} kB`.padStart(11);
for (const { name, raw, brotli } of rows) console.log(`${kb(raw)}${kb(brotli)}  ${first.has(name) ? "*" : " "} ${name}`);
const total = rows.filter(({ name }) => first.has(name)).reduce((sum, { brotli }) => sum + brotli, 0);
console.log(`${kb(total).padStart(22)}  * sent before the first verdict (brotli)`);
const LIMIT = 1_600_000;
if (total > LIMIT) fail(`That is more than the ${LIMIT / 1e6} MB that the page allows itself.`);
