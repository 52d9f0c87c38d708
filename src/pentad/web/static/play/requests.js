// The requests for games: the catalogue of what the server offers, its rules by name, a room, its preview, and the games
// that wait.

import { fetchJson } from "../server.js";
import { opponentIn } from "./opponents.js";
import { seatOf } from "./terms.js";

/** @import { Chosen } from "../options.js" */
/** @import { Catalogue, GameInfo, NewRoom } from "../messages.d.ts" */
/** @import { Opponent } from "./opponents.js" */
/** @import { Clock, Side } from "./terms.js" */
/** @typedef {NewRoom & { options: Chosen, seats: string[] }} RoomRequest */

export const fetchCatalogue = () => fetchJson("/api/games");

// The name of a new room; throws an error with the server's message.
/** @param {NewRoom} request */
export const makeRoom = async (request) => (await fetchJson("/api/rooms", request)).room;

// Takes the first open seat of a room under a name.
/** @param {string} room @param {string} name */
export const takeSeat = (room, name) => fetchJson(/** @type {const} */ (`/api/rooms/${encodeURIComponent(room)}/seats`), { name });

// The state that a room for this request would have; makes none.
/** @param {NewRoom} request @param {boolean} flip */
export const preview = (request, flip) => fetchJson(`/api/preview?flip=${flip}`, request);

// The player's games that wait, in which it is the player's turn against another person; the most urgent first.
export const waitingGames = async () => (await fetchJson("/api/mine")).filter(({ waits }) => waits);

// The number of seats in a game with these options.
/** @param {GameInfo} game @param {Chosen} options */
export const seatsIn = (game, options) => Number(options.players ?? game.players);

// A game of the catalogue; the first one if there is none of this name.
/** @param {Catalogue} catalogue @param {string | null} name */
export const gameOrFirst = ({ games }, name) => games.find((each) => each.name === name) ?? games[0];

// The request for a game in which the player has one side, by default the first, and the opponent all others.
/**
 * @param {Catalogue} catalogue
 * @param {{ game?: string | null, opponent?: Opponent, strength?: string, options?: Chosen, side?: Side, clock?: Clock }} [chosen]
 * @returns {RoomRequest}
 */
export function defaultRequest(catalogue, { game: name = null, opponent = "computer", strength = "medium", options = {}, side = 0, clock = null } = {}) {
  const { person } = catalogue;
  const game = gameOrFirst(catalogue, name);
  const seats = Array(seatsIn(game, options)).fill(opponentIn(opponent, game, person, strength));
  seats[seatOf(side, seats.length)] = person;
  return { game: game.name, options: { ...options }, seats, ...(clock ? { time: clock } : {}) };
}

// The seats with the player at a side, where it has another seat.
/** @param {string[]} seats @param {string} person @param {Side} side */
export function withSide(seats, person, side) {
  const own = seats.indexOf(person);
  const others = seats.filter((_, seat) => seat !== own);
  return own < 0 ? seats : others.toSpliced(seatOf(side, seats.length), 0, person);
}

// Rules by name: options of a game that have a name of their own, such as those of a variant.

const STANDARD = "Standard"; // the game's usual rules

/** @param {GameInfo} game @returns {Array<[string, Chosen]>} */
export const rulesOf = ({ presets }) => [[STANDARD, {}], ...Object.entries(presets)];

// The options of rules, the usual ones if the game has no rules of this name.
/** @param {GameInfo} game @param {string | null} name @returns {Chosen} */
export const optionsOf = (game, name) => ({ ...rulesOf(game).find(([each]) => each === name)?.[1] });

// The name of the rules with these options; null if they have none.
/** @param {GameInfo} game @param {object} options */
export const nameOfRules = (game, options) => rulesOf(game).find(([, those]) => isSame(those, options))?.[0] ?? null;

const OTHER = "Other";

// Fills a list with the rules of a game by name. Options without a name are an entry of their own.
/** @param {HTMLSelectElement} list @param {GameInfo} game @param {Chosen} options */
export function fillRules(list, game, options) {
  const name = nameOfRules(game, options);
  const names = [...rulesOf(game).map(([each]) => each), ...(name ? [] : [OTHER])];
  list.replaceChildren(...names.map((each) => new Option(each)));
  list.value = name ?? OTHER;
}

/** @param {object} options */
const text = (options) => JSON.stringify(Object.entries(options).sort(([one], [other]) => (one < other ? -1 : 1)));
/** @param {object} one @param {object} other */
const isSame = (one, other) => text(one) === text(other);
