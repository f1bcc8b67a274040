// A small server for a built folder: the right types, brotli where it is accepted, long caching for hashed names.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/** The file that a request's path names, or undefined for one that leaves the folder or names none. */
export function fileFor(dir, base, url) {
  let path;
  try {
    path = decodeURIComponent(new URL(url, "http://localhost").pathname);
  } catch {
    return undefined;
  }
  if (!path.startsWith(base) || path.includes("\0") || path.includes("\\")) return undefined;
  const inside = normalize(path.slice(base.length) || "index.html");
  if (inside.startsWith("..") || inside.startsWith(sep) || inside.endsWith(".br")) return undefined;
  return extname(inside) in TYPES ? join(dir, inside) : undefined;
}

/** A server over a built folder; `base` begins and ends with a slash. */
export function createStaticServer(dir, base = "/") {
  return createServer((request, response) => {
    answer(dir, base, request, response).catch(() => refuse(response, 500, "The file could not be read."));
  });
}

async function answer(dir, base, request, response) {
  if (request.method !== "GET" && request.method !== "HEAD") return refuse(response, 405, "Only GET and HEAD.");
  if (base !== "/" && request.url === base.slice(0, -1)) {
    response.writeHead(308, { location: base }).end();
    return;
  }
  const file = fileFor(dir, base, request.url);
  const plain = file && (await stat(file).catch(() => undefined));
  if (!plain?.isFile()) return refuse(response, 404, "There is no such file.");

  const accepts = /\bbr\b/.test(String(request.headers["accept-encoding"] ?? ""));
  const small = accepts ? await stat(`${file}.br`).catch(() => undefined) : undefined;
  const size = (small ?? plain).size;
  // Names in assets/ hold a hash of the content; the others must be asked for again.
  const hashed = file.includes(`${sep}assets${sep}`);
  const etag = `"${plain.size.toString(36)}-${Math.trunc(plain.mtimeMs).toString(36)}${small ? "-br" : ""}"`;
  const headers = {
    "content-type": TYPES[extname(file)],
    "cache-control": hashed ? "public, max-age=31536000, immutable" : "no-cache",
    "x-content-type-options": "nosniff",
    vary: "accept-encoding",
    etag,
  };
  if (request.headers["if-none-match"] === etag) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(200, { ...headers, "content-length": size, ...(small && { "content-encoding": "br" }) });
  if (request.method === "HEAD") return response.end();
  createReadStream(small ? `${file}.br` : file).on("error", () => response.destroy()).pipe(response);
}

function refuse(response, status, text) {
  if (response.headersSent) return response.destroy();
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${text}\n`);
}
