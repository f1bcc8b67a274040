// The service worker: keeps one whole version of the page, so that it works offline and never mixes two versions.
//
// The files of a version lie in one cache named by the hash of them all. The page itself comes only from this worker's
// own version (a hashed copy of index.html, so that a deployment half-way through cannot slip in the next one); hashed
// files from whichever cache has them, so that a page opened under the last version still finds its own.
import type { Precache } from "./assets.ts";

declare const self: ServiceWorkerGlobalScope;
declare const PRECACHE: Precache;

const PREFIX = "forgetmenot-";
const CACHE = PREFIX + PRECACHE.version;
const scope = self.registration.scope;
const INDEX = new URL("./", scope).href;

self.addEventListener("install", (event) => {
  event.waitUntil(install());
});

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll(PRECACHE.files.map((file) => new URL(file, scope).href));
  await self.skipWaiting();
}

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOld());
});

async function dropOld(): Promise<void> {
  const ours = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  // The one before may still be needed by a page that is open.
  await Promise.all(ours.slice(0, -1).map((name) => caches.delete(name)));
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(scope)) return;
  event.respondWith(answer(request));
});

async function answer(request: Request): Promise<Response> {
  const url = new URL(request.url);
  url.search = "";
  url.hash = "";
  if (url.href === INDEX || url.href === `${INDEX}index.html`) {
    const own = await (await caches.open(CACHE)).match(new URL(PRECACHE.page, scope).href);
    return own ?? fetch(request);
  }
  return (await caches.match(url.href)) ?? fetch(request);
}

interface ServiceWorkerGlobalScope {
  readonly registration: { readonly scope: string };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: { waitUntil(p: Promise<unknown>): void }) => void): void;
  addEventListener(
    type: "fetch",
    listener: (event: { request: Request; respondWith(r: Promise<Response>): void }) => void,
  ): void;
}
