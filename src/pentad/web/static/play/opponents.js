// Who plays the other seats of a new game: the computer at a strength, a friend, or people at this screen.

import { every, make, save, saved } from "../dom.js";
import { OPEN } from "./sidebar.js";
import { phrase, phraseNodes } from "../words.js";

/** @import { BotInfo, Catalogue, GameInfo } from "../messages.d.ts" */
/** @typedef {"computer" | "friend" | "stranger" | "here"} Opponent */
/** @typedef {"easy" | "medium" | "hard" | "best" | "adaptive"} Strength */

/** @type {Opponent[]} */ export const BY_LINK = ["friend", "stranger"]; // those who need a server
/** @type {Opponent[]} */ export const OPPONENTS = ["computer", "friend", "stranger", "here"];
/** @type {Strength[]} */ const STRENGTHS = ["easy", "medium", "hard", "best", "adaptive"];
export const ADAPTIVE = "adaptive"; // the name of the bot that adapts to the player

// A game of the catalogue.
/** @param {Catalogue} catalogue @param {string} name */
export function gameNamed({ games }, name) {
  const found = games.find((each) => each.name === name);
  if (!found) throw new Error(phrase("This server has no game named {name}.", { name }));
  return found;
}

// The levels of a bot: the names of its strengths, or the numbers of its levels.
/** @param {BotInfo} bot @returns {string[]} */
export function levelsOf({ levels, rungs = [] }) {
  if (rungs.length || !levels) return rungs;
  const [lowest, highest] = levels;
  return Array.from({ length: highest - lowest + 1 }, (_, i) => String(lowest + i));
}

// A level is a number, or a strength such as "medium".
/** @param {string} level */
export const levelName = (level) => (/^\d/.test(level) ? phrase("level {number}", { number: level }) : level);

// The bot of a strength; a game without levels has one bot.
/** @param {GameInfo} game @param {string} strength */
const botOf = (game, strength) => (strength === ADAPTIVE ? ADAPTIVE : (game.strengths[strength] ?? game.default_opponent));

// The occupant of all other seats: the bot of a strength, an open seat, or a person at this screen.
/** @param {Opponent} kind @param {GameInfo} game @param {string} person @param {string} [strength] */
export function opponentIn(kind, game, person, strength = "medium") {
  return { computer: botOf(game, strength), friend: OPEN, stranger: OPEN, here: person }[kind];
}

// The kind of opponent in a list of seats, and the strength of a computer; both null if they are mixed.
/** @param {string[]} seats @param {GameInfo} game @param {string} person @returns {{ opponent: Opponent | null, strength: string | null }} */
export function opponentKind(seats, game, person) {
  const own = seats.indexOf(person);
  const others = seats.filter((_, seat) => seat !== own);
  /** @param {string} who */
  const isAll = (who) => own >= 0 && others.every((each) => each === who);
  if (isAll(OPEN)) return { opponent: "friend", strength: null };
  if (isAll(person)) return { opponent: "here", strength: null };
  const strength = STRENGTHS.find((each) => isAll(botOf(game, each)) && (each === ADAPTIVE || each in game.strengths)) ?? null;
  return { opponent: strength || isAll(game.default_opponent) ? "computer" : null, strength };
}

// The opponent and the strength that were chosen last in this browser.
export const chosenOpponent = () => known(OPPONENTS, saved("opponent", ""), "computer");
export const chosenStrength = () => known(STRENGTHS, saved("strength", ""), "medium");

/** @param {{ opponent?: string, strength?: string }} chosen */
export function keepChosen({ opponent, strength }) {
  if (opponent) save("opponent", opponent);
  if (strength) save("strength", strength);
}

/** @template {string} T @param {T[]} all @param {unknown} given @param {T} fallback */
export const known = (all, given, fallback) => all.find((each) => each === given) ?? fallback;

/** @param {string | null} text @returns {Opponent} */
export const readOpponent = (text) => known(OPPONENTS, text, chosenOpponent());
/** @param {string | null} text @returns {Strength} */
export const readStrength = (text) => known(STRENGTHS, text, chosenStrength());

// Presses the button of a value among the buttons with a data attribute.
/** @param {string} name @param {string | null} value @param {ParentNode} [root] */
export function press(name, value, root) {
  for (const each of every(`[data-${name}]`, root)) each.ariaPressed = String(each.dataset[name] === value);
}

// Offers games with other people, or a link to a server for them if there is one.
/** @param {Catalogue} catalogue */
export function offerFriends({ friends, friends_server }) {
  document.body.classList.toggle("alone", !friends);
  for (const line of every("[data-alone]")) {
    line.hidden = !friends_server;
    const link = make("a", { href: friends_server }, friends_server.replace(/^https?:\/\/|\/$/g, ""));
    line.replaceChildren(...phraseNodes("To play other people, go to {link}.", { link }));
  }
}
