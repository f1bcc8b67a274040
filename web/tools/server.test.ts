import assert from "node:assert/strict";
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { after, before, test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { createStaticServer, fileFor } from "./server.mjs";

const dir = mkdtempSync(join(tmpdir(), "forgetmenot-"));
const server = createStaticServer(dir, "/sub/path/");
let port = 0;

before(async () => {
  mkdirSync(join(dir, "assets"));
  writeFileSync(join(dir, "index.html"), "<p>page</p>");
  writeFileSync(join(dir, "index.html.br"), brotliCompressSync("<p>page</p>"));
  writeFileSync(join(dir, "assets/a-1.wasm"), "\0asm");
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  port = (server.address() as AddressInfo).port;
});
after(() => {
  server.close();
  rmSync(dir, { recursive: true });
});

function fetched(path: string, headers = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port, path, headers }, (response) => {
      response.resume();
      resolve(response);
    }).on("error", reject);
  });
}

test("serves the page under its base, and wasm as what it is", async () => {
  const page = await fetched("/sub/path/");
  assert.equal(page.statusCode, 200);
  assert.equal(page.headers["content-type"], "text/html; charset=utf-8");
  assert.equal(page.headers["cache-control"], "no-cache");
  const wasm = await fetched("/sub/path/assets/a-1.wasm");
  assert.equal(wasm.headers["content-type"], "application/wasm");
  assert.match(wasm.headers["cache-control"] ?? "", /immutable/);
  assert.equal((await fetched("/sub/path")).headers.location, "/sub/path/");
});

test("serves brotli to who accepts it, and 304 to who has it", async () => {
  const page = await fetched("/sub/path/", { "accept-encoding": "gzip, br" });
  assert.equal(page.headers["content-encoding"], "br");
  assert.equal((await fetched("/sub/path/")).headers["content-encoding"], undefined);
  const again = await fetched("/sub/path/", { "accept-encoding": "br", "if-none-match": page.headers.etag });
  assert.equal(again.statusCode, 304);
});

test("never leaves its folder", async () => {
  for (const path of ["/sub/path/../../etc/passwd", "/sub/path/..%2f..%2fpasswd.html", "/sub/path/%2e%2e/x.html", "/", "/sub/path/none.html", "/sub/path/index.html.br", "/sub/path/assets", "/sub/path/%", "/sub/path/a%00.html"]) {
    assert.equal((await fetched(path)).statusCode, 404, path);
  }
  assert.equal(fileFor("/d", "/", "/..%2fx.html"), undefined);
  assert.equal(fileFor("/d", "/", "//etc/x.html"), ["/d", "x.html"].join(sep), "the host of an address is not a folder");
  assert.equal(fileFor("/d", "/", "/a/../index.html?x#y"), ["/d", "index.html"].join(sep));
});
