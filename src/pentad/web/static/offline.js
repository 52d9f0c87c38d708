// Without a network the pages still open, and one's own games can be looked at as they stood last.

import { keep, kept } from "/static/dom.js";

const MOST = 20; // games that are remembered

if ("serviceWorker" in navigator) addEventListener("load", keepPage);

// Let what this page consists of be kept, all of it as it was loaded together.
async function keepPage() {
  try {
    await navigator.serviceWorker.register("/worker.js");
    const { active } = await navigator.serviceWorker.ready;
    const files = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
    const own = files.filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith("/static/"));
    active.postMessage({ page: location.pathname, files: [...new Set(own.map(({ pathname }) => pathname))] });
  } catch {
    // a browser that keeps nothing: the pages are only there with a network
  }
}

// Remember how a game stands, in place of the one that was looked at longest ago.
export function remember(room, state) {
  const rooms = [room, ...kept("games", []).filter((each) => each !== room)];
  for (const old of rooms.splice(MOST)) forget(old);
  keep("games", rooms);
  keep(`game ${room}`, state);
}

export const lastRemembered = () => kept("games", [])[0] ?? null;

export const remembered = (room) => kept(`game ${room}`, null);

function forget(room) {
  try {
    localStorage.removeItem(`game ${room}`);
  } catch {
    // then there is nothing to forget
  }
}
