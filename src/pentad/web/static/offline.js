// Offline support: pages open without a network, and the player's games are shown as last seen.

import { save, saved } from "./dom.js";
import { registerOffline } from "./server.js";

/** @import { StateMessage } from "./messages.d.ts" */

const MAX_SAVED_GAMES = 20;

registerOffline();

// Saves the state of a game and drops the game seen longest ago.
/** @param {string} room @param {StateMessage} state */
export function saveGame(room, state) {
  const rooms = [room, ...savedRooms().filter((each) => each !== room)];
  for (const old of rooms.splice(MAX_SAVED_GAMES)) dropGame(old);
  save("games", rooms);
  save(`game ${room}`, state);
}

const savedRooms = () => saved("games", /** @type {string[]} */ ([]));

export const lastSavedGame = () => savedRooms()[0] ?? null;

/** @param {string} room */
export const savedGame = (room) => saved(`game ${room}`, /** @type {StateMessage | null} */ (null));

/** @param {string} room */
function dropGame(room) {
  try {
    localStorage.removeItem(`game ${room}`);
  } catch {
    // Nothing was stored.
  }
}
