// Keeps the shell of the pages, so that they open without a network; games themselves are only with the server.

const CACHE = "pentad-shell";
const SHELL = ["/", "/static/icon.svg", "/static/style.css", "/static/board.css", "/static/theme.js", "/manifest.webmanifest"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(SHELL)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

// From the network, so that nothing old is ever mixed with what is new; from what is kept where there is none.
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
  event.respondWith(fromNetwork(request, url));
});

async function fromNetwork(request, url) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok && (url.pathname.startsWith("/static/") || request.mode === "navigate")) {
      await cache.put(shellOf(request, url), answer.clone());
    }
    return answer;
  } catch (error) {
    const kept = await cache.match(shellOf(request, url));
    if (kept) return kept;
    throw error;
  }
}

// Every game has the same page around it.
const shellOf = (request, url) =>
  request.mode === "navigate" ? new Request(url.pathname.startsWith("/play/") ? "/" : `/${url.pathname.split("/")[1]}`) : request;
