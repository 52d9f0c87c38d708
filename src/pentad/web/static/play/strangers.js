// Games with strangers: the open games that others offer, and one's own offer.

import { saved } from "../dom.js";
import { fetchJson } from "../server.js";
import { makeRoom } from "./requests.js";

/** @import { GameListing } from "../messages.d.ts" */
/** @import { RoomRequest } from "./requests.js" */

const USUAL_TIME = { main: 600, increment: 5, days: 0 };

// The open games of others.
export const openGames = async () => (await fetchJson("/api/lobby")).filter(({ yours }) => !yours.length);

// Takes the first open seat of a game; returns the game's room.
/** @param {Pick<GameListing, "room">} game */
export const join = async ({ room }) =>
  (await fetchJson(/** @type {const} */ (`/api/rooms/${encodeURIComponent(room)}/seats`), { name: saved("name", "") })).room;

// Takes a seat where somebody waits with the same rules, or else offers a game; returns the room.
/** @param {RoomRequest} request */
export async function meetStranger(request) {
  const options = Object.entries(request.options).map(([name, value]) => `${name}=${value}`).sort().join(" ");
  for (const game of await openGames()) {
    if (!game.attended || game.game !== request.game || game.options.split(" ").sort().join(" ") !== options) continue;
    try {
      return await join(game);
    } catch {
      // Somebody else was faster, or has left.
    }
  }
  return makeRoom({ ...request, name: saved("name", ""), time: USUAL_TIME, listed: true });
}
