// Keeps the pages, so that they open without a network; games themselves are only with the server.
//
// Each page is kept as one set, of what was loaded together: an old script never meets a new page. With a network
// nothing comes from here.

const PREFIX = "pentad";
const opened = new Map(); // windows whose page came from a set, and which one that was

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

// A page tells which files it consists of, once all are loaded.
self.addEventListener("message", (event) => event.waitUntil(keep(shell(event.data.page), event.data.files)));

async function keep(page, files) {
  const before = (await caches.keys()).filter((name) => name.startsWith(`${PREFIX} ${page} `));
  const name = `${PREFIX} ${page} ${Date.now()}`;
  const cache = await caches.open(name);
  try {
    // What the page has just loaded is at hand; only the page itself is asked for again.
    await cache.addAll([new Request(page, { cache: "no-cache" }), ...files.map((file) => new Request(file, { cache: "force-cache" }))]);
    const text = await (await cache.match(page)).text();
    if (!files.some((file) => text.includes(`"${file}"`))) throw new Error("the server was upgraded after the page was loaded");
  } catch {
    await caches.delete(name); // half a set is none, nor is one of two versions
    return;
  }
  for (const old of before) await caches.delete(old);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
  if (request.mode === "navigate") event.respondWith(navigate(request, url, event.resultingClientId));
  else if (opened.has(event.clientId)) event.respondWith(fromSet(request, opened.get(event.clientId)));
});

async function navigate(request, url, client) {
  try {
    return await fetch(request);
  } catch (error) {
    const page = shell(url.pathname);
    const [name] = (await caches.keys()).filter((each) => each.startsWith(`${PREFIX} ${page} `)).sort().reverse();
    const kept = name && (await (await caches.open(name)).match(page));
    if (!kept) throw error;
    opened.set(client, name);
    return kept;
  }
}

async function fromSet(request, name) {
  return (await (await caches.open(name)).match(request)) ?? fetch(request);
}

// Every game has the same page around it, and so has whatever lies below another page.
const shell = (path) => (path.startsWith("/play/") ? "/" : `/${path.split("/")[1]}`);
