// Games with strangers: the open games that others offer, and one's own offer.

import { saved } from "../dom.js";
import { fetchJson } from "../server.js";
import { makeRoom, takeSeat } from "./requests.js";
import { isSameClock } from "./terms.js";

/** @import { RoomRequest } from "./requests.js" */

const USUAL_TIME = { main: 600, increment: 5 };

// The open games of others.
export const openGames = async () => (await fetchJson("/api/lobby")).filter(({ yours }) => !yours.length);

// Takes a seat where somebody waits with the same rules and clock, or else offers a game; returns the room.
/** @param {RoomRequest} request */
export async function meetStranger(request) {
  const name = saved("name", "");
  const time = request.time ?? USUAL_TIME; // a game with a stranger has a clock
  const options = Object.entries(request.options).map((each) => each.join("=")).sort().join(" ");
  for (const game of await openGames()) {
    if (!game.attended || game.game !== request.game || !isSameClock(game.time, time) || game.options.split(" ").sort().join(" ") !== options) continue;
    try {
      return (await takeSeat(game.room, name)).room;
    } catch {
      // Somebody else was faster, or has left.
    }
  }
  return makeRoom({ ...request, name, time, listed: true });
}
