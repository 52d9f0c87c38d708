// Without a network the pages still open, and one's own games can be looked at as they stood last.

import { keep, kept } from "/static/dom.js";

const MOST = 20; // games that are remembered

if ("serviceWorker" in navigator) {
  addEventListener("load", () => navigator.serviceWorker.register("/worker.js").catch(() => {}));
}

// Remember how a game stands, in place of the one that was looked at longest ago.
export function remember(room, state) {
  const rooms = [room, ...kept("games", []).filter((each) => each !== room)];
  for (const old of rooms.splice(MOST)) forget(old);
  keep("games", rooms);
  keep(`game ${room}`, state);
}

export const remembered = (room) => kept(`game ${room}`, null);

function forget(room) {
  try {
    localStorage.removeItem(`game ${room}`);
  } catch {
    // then there is nothing to forget
  }
}
