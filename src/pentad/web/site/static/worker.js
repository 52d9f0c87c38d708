// The service worker of a folder without a server: keeps the pages and their files, so that they open without a network.
//
// All files of a version are kept together, so versions never mix. A new version waits until the pages of the old one
// are closed, or until a page asks for it. Python's files are kept by the pages' workers.

/* global VERSION, FILES, PYTHON -- the builder writes them before this script */

const PREFIX = "pentad pages ";
const CACHE_OF_PYTHON = "pentad python";

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const scope = new URL(worker.registration.scope);
const name = `${PREFIX}${VERSION} ${scope.pathname}`;

worker.addEventListener("install", (event) => event.waitUntil(keepAll()));
worker.addEventListener("activate", (event) => event.waitUntil(takeOver()));
worker.addEventListener("message", ({ data }) => data === "take over" && worker.skipWaiting());
worker.addEventListener("fetch", (event) => {
  const { method, url, mode } = event.request;
  if (method !== "GET" || !url.startsWith(scope.href)) return;
  event.respondWith(answer(event.request, mode === "navigate"));
});

async function keepAll() {
  const cache = await caches.open(name);
  await cache.addAll(FILES.map((file) => new Request(new URL(file, scope), { cache: "no-cache" })));
}

async function takeOver() {
  const isOld = (/** @type {string} */ each) => each.startsWith(PREFIX) && each.endsWith(` ${scope.pathname}`) && each !== name;
  for (const each of await caches.keys()) if (isOld(each)) await caches.delete(each);
  const python = await caches.open(CACHE_OF_PYTHON);
  const current = new Set([...PYTHON, `python/snapshot-${VERSION}`].map((each) => new URL(each, scope).href));
  for (const { url } of await python.keys()) if (url.startsWith(scope.href) && !current.has(url)) await python.delete(url);
  await worker.clients.claim();
}

/** @param {Request} request @param {boolean} isPage */
async function answer(request, isPage) {
  return (await caches.match(request, { cacheName: name, ignoreSearch: isPage })) ?? fetch(request);
}
