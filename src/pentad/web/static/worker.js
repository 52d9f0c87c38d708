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
    // The files come from the HTTP cache; only the page itself is requested again.
    await cache.addAll([new Request(page, { cache: "no-cache" }), ...files.map((file) => new Request(file, { cache: "force-cache" }))]);
    const text = await (await cache.match(page))?.text();
    if (!files.some((file) => text?.includes(`"${file}"`))) throw new Error("The server was upgraded after the page was loaded.");
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
    const [name] = (await caches.keys()).filter((each) => each.startsWith(`${PREFIX} ${page} `)).sort().reverse();
    const cached = name && (await (await caches.open(name)).match(page));
    if (!cached) throw error;
    cacheOf.set(client, name);
    return cached;
  }
}

/** @param {Request} request @param {string} name */
async function fromCache(request, name) {
  return (await (await caches.open(name)).match(request)) ?? fetch(request);
}

// The page of an address: all games share one page, and so do all addresses below another page.
/** @param {string} path */
const pageOf = (path) => `/${path.split("/")[1]}`;
