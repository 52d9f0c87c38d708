// The player's games that wait.

import { fetchJson } from "../server.js";

// The number of games, except that of `room`, in which it is the player's turn against another person.
/** @param {string | null} room */
export async function countWaitingGames(room) {
  const games = await fetchJson("/api/mine");
  return games.filter((game) => game.waits && game.room !== room).length;
}
