// The player's games that wait, or that go on when the page opens.

import { isMoving } from "../games/rows.js";
import { fetchJson } from "../server.js";

/** @import { GameListing } from "../messages.d.ts" */

const RECENT = 24 * 3600; // seconds in which a game against the computer is resumed

// The number of games, except that of `room`, in which it is the player's turn against another person.
/** @param {string | null} room */
export async function countWaitingGames(room) {
  const games = await fetchJson("/api/mine");
  return games.filter((game) => game.waits && game.room !== room).length;
}

// The room of the game to resume: the most urgent one that waits for the player, else a recent one against the
// computer, else null.
export async function gameToResume() {
  const games = await fetchJson("/api/mine");
  /** @param {GameListing} game */
  const isRecent = (game) => game.moves > 0 && game.touched > Date.now() / 1000 - RECENT;
  const next = games.find((game) => game.waits) ?? games.find((game) => isMoving(game) && isRecent(game));
  return next?.room ?? null;
}
