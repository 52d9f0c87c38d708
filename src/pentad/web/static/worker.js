// The service worker: caches the pages, so that they open without a network. Games are not cached.
//
// Each page has one cache with all its files, so versions never mix. With a network, nothing is served from a cache.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const PREFIX = "pentad";
/** @type {Map<string, string>} */
const cacheOf = new Map(); // client id → the cache that its page came from

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));

// A page reports its files once all are loaded.
worker.addEventListener("message", (event) => event.waitUntil(cachePage(pageOf(event.data.page), event.data.files)));

/** @param {string} page @param {string[]} files */
async function cachePage(page, files) {
  const before = (await caches.keys()).filter((name) => name.startsWith(`${PREFIX} ${page} `));
  const name = `${PREFIX} ${page} ${Date.now()}`;
  const cache = await caches.open(name);
  try {
    const answer = await fetch(new Request(page, { cache: "no-cache" }));
    const text = await answer.clone().text();
    if (!files.some((file) => text.includes(`"${file}"`))) throw new Error("The server was upgraded after the page was loaded.");
    await cache.addAll(files.map((file) => new Request(file, { cache: "force-cache" }))); // from the HTTP cache
    await cache.put(page, answer); // last: a cache with its page is complete
  } catch {
    await caches.delete(name); // incomplete, or of two versions
    return;
  }
  for (const old of before) await caches.delete(old);
}

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
  const name = cacheOf.get(event.clientId);
  if (request.mode === "navigate") event.respondWith(navigate(request, url, event.resultingClientId));
  else if (name) event.respondWith(fromCache(request, name));
});

/** @param {Request} request @param {URL} url @param {string} client */
async function navigate(request, url, client) {
  try {
    return await fetch(request);
  } catch (error) {
    const page = pageOf(url.pathname);
    const names = (await caches.keys()).filter((each) => each.startsWith(`${PREFIX} ${page} `));
    for (const name of names.sort().reverse()) {
      const cached = await caches.match(page, { cacheName: name }); // none in a cache that is still incomplete
      if (!cached) continue;
      cacheOf.set(client, name);
      return cached;
    }
    throw error;
  }
}

/** @param {Request} request @param {string} name */
async function fromCache(request, name) {
  return (await caches.match(request, { cacheName: name })) ?? fetch(request);
}

// The page of an address: all games share one page, and so do all addresses below another page.
/** @param {string} path */
const pageOf = (path) => `/${path.split("/")[1]}`;
