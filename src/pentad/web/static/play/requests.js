// The requests for new games: the catalogue of what the server offers, a room, and its preview.

import { fetchJson } from "../server.js";
import { opponentIn } from "./opponents.js";

/** @import { Chosen } from "../options.js" */
/** @import { Catalogue, NewRoom } from "../messages.d.ts" */
/** @import { Opponent } from "./opponents.js" */
/** @typedef {NewRoom & { options: Chosen, seats: string[] }} RoomRequest */

export const fetchCatalogue = () => fetchJson("/api/games");

// The name of a new room; throws an error with the server's message.
/** @param {NewRoom} request */
export const makeRoom = async (request) => (await fetchJson("/api/rooms", request)).room;

// The state that a room for this request would have; makes none.
/** @param {NewRoom} request @param {boolean} flip */
export const preview = (request, flip) => fetchJson(`/api/preview?flip=${flip}`, request);

// The request for a game with default options: the player has the first seat, the opponent all others.
/** @param {Catalogue} catalogue @returns {RoomRequest} */
export function defaultRequest({ games, person }, name = games[0].name, against = /** @type {Opponent} */ ("computer"), strength = "medium") {
  const game = games.find((each) => each.name === name) ?? games[0];
  const opponent = opponentIn(against, game, person, strength);
  return { game: game.name, options: {}, seats: [person, ...Array(game.players - 1).fill(opponent)] };
}
