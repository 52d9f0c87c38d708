// The texts of a game in a list: its players, how it ended, its progress, its date.

import { capitalize } from "../dom.js";
import { formatTime } from "../play/clocks.js";
import { PERSON } from "../play/sidebar.js";
import { clockText } from "../play/terms.js";
import { listed, phrase, plural } from "../words.js";

/** @import { GameListing } from "../messages.d.ts" */

const DAYS = 2 * 3600; // seconds; more time left is shown in days and hours
const LOCALE = "en-GB"; // that of the page's texts: 3 November, 14:05

// Whether it is the player's turn.
/** @param {GameListing} game */
export const isMoving = ({ yours, turn }) => turn !== null && yours.includes(turn);

// Whether the player is to move against others who are there.
/** @param {GameListing} game */
export const isAwaited = (game) => isMoving(game) && game.yours.length < game.seats.length && game.seats.every(Boolean);

// The name of a game and its players, such as `Pente` and `against Computer (hard)`; or `Pente:` and how it ended for the player.
/** @param {GameListing} game @returns {[string, string]} */
export function titleOf(game) {
  const { seats, yours } = game;
  if (yours.length === seats.length) return [game.title, "on one screen"];
  const others = seats.map((_, seat) => seat).filter((seat) => !yours.includes(seat));
  const named = others.filter((seat) => seats[seat]);
  const isOpen = named.length < others.length;
  if (!named.length) return [game.title, yours.length ? "waiting for an opponent" : "with open seats"];
  const players = listed(named.map((seat) => nameOf(game, seat)));
  if (game.standing && !isOpen) {
    const ended = {
      won: phrase("you beat {players}", { players }),
      lost: phrase("you lost to {players}", { players }),
      draw: phrase("you drew with {players}", { players }),
    };
    return [phrase("{game}:", { game: game.title }), ended[game.standing]];
  }
  if (!yours.length) return [game.title, isOpen ? phrase("against {players}", { players }) : phrase("with {players}", { players })];
  return [game.title, isOpen ? phrase("against {players}, waiting for players", { players }) : phrase("against {players}", { players })];
}

/** @param {GameListing} game @param {number} seat */
const nameOf = ({ seats, bots }, seat) => (seats[seat] === PERSON && !bots.includes(seat) ? "another player" : seats[seat]);

// The path of the picture of a game's position; another one once the game has gone on.
/** @param {GameListing} game */
export const pathOfPicture = ({ room, moves, touched }) => `/api/rooms/${encodeURIComponent(room)}/picture.svg?at=${moves}-${touched}`;

// How a game ended for the player; without a side of the player's own, the score.
/** @param {GameListing} game */
export function resultOf({ standing, result }) {
  if (standing) return { won: "Won", lost: "Lost", draw: "Draw" }[standing];
  return result?.replaceAll("-", "–") ?? "";
}

// The side of the player in a game that is over, and how it ended: `You, White, lost on time`.
/** @param {GameListing} game */
export function endOf(game) {
  const { yours, seats, colours, end, result } = game;
  if (result === null) return "";
  /** @param {number} seat */
  const sideOf = (seat) => {
    const colour = capitalize(colours[seat]);
    if (yours.length === seats.length) return colour;
    return yours.includes(seat) ? phrase("You, {colour},", { colour }) : phrase("{player}, {colour},", { player: capitalize(nameOf(game, seat)), colour });
  };
  const own = yours.length && yours.length < seats.length ? phrase("You played {colours}", { colours: listed(yours.map((seat) => capitalize(colours[seat]))) }) : "";
  if (end === null) return own;
  const { kind, seats: named, words } = end;
  if (!named.length) return [own, kind === "agreed" ? "Draw by agreement" : phrase("Draw: {reason}", { reason: words })].filter(Boolean).join(" · ");
  const player = listed(named.map(sideOf));
  if (kind === "board") return phrase("{player} won {how}", { player, how: words });
  return kind === "time" ? phrase("{player} lost on time", { player }) : phrase("{player} resigned", { player });
}

// The details of a game in the order of their weight.
/** @param {GameListing} game @param {Date} now */
export function detailsOf(game, now) {
  const moves = game.moves ? plural(game.moves, "1 move", "{count} moves") : "no moves";
  return [leftOf(game), endOf(game), moves, ...optionTexts(game), game.time ? clockText(game.time) : "", dateOf(game.touched, now)].filter(Boolean);
}

// The options of a game: `size: 13`.
/** @param {GameListing} game */
export const optionTexts = ({ options }) => options.split(" ").filter(Boolean).map((each) => each.replaceAll("_", " ").split("=").join(": "));

// The time left for the player to move.
/** @param {GameListing} game */
export function leftOf(game) {
  if (game.left === null) return "";
  const time = formatTime(Math.max(10, game.left), game.left > DAYS);
  return isMoving(game) ? phrase("{time} left", { time }) : phrase("opponent has {time} left", { time });
}

// A date as people say it: `today, 14:05`, `3 November`, with the year if it is not this one.
/** @param {number} seconds of the Unix clock @param {Date} now */
export function dateOf(seconds, now) {
  const date = new Date(seconds * 1000);
  const time = date.toLocaleTimeString(LOCALE, { hour: "2-digit", minute: "2-digit" });
  if (isSameDay(date, now)) return phrase("today, {time}", { time });
  if (isSameDay(date, dayBefore(now))) return phrase("yesterday, {time}", { time });
  const year = date.getFullYear() === now.getFullYear() ? undefined : "numeric";
  return date.toLocaleDateString(LOCALE, { day: "numeric", month: "long", year });
}

// The heading for a date: `Today`, `Yesterday`, or its month, such as `November 2026`.
/** @param {number} seconds of the Unix clock @param {Date} now */
export function headingOf(seconds, now) {
  const date = new Date(seconds * 1000);
  if (isSameDay(date, now)) return "Today";
  if (isSameDay(date, dayBefore(now))) return "Yesterday";
  return date.toLocaleDateString(LOCALE, { month: "long", year: "numeric" });
}

/** @param {Date} one @param {Date} other */
const isSameDay = (one, other) => one.toDateString() === other.toDateString();

/** @param {Date} date */
const dayBefore = (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate() - 1);

// The number of games found, all of the player's or those of a search.
/** @param {number} count @param {boolean} isSearch */
export function countText(count, isSearch) {
  if (!count) return isSearch ? "No games match." : "No games yet.";
  return plural(count, "1 game", "{count} games");
}

// Whether an open game of others fits a search, as the server finds the player's own.
/** @param {GameListing} game @param {{ opponent: string, game: string, result: string }} search */
export function isToJoin(game, { opponent, game: name, result }) {
  const part = opponent.toLowerCase().trim();
  const fits = game.seats.some((seat) => seat.toLowerCase().includes(part));
  return !game.yours.length && result === "all" && (!name || name === game.game) && fits;
}
