// The terms of a new game besides its rules: the side of the player and the clock.

import { save, saved } from "../dom.js";
import { phrase, plural } from "../words.js";

/** @import { TimeInfo } from "../messages.d.ts" */
/** @typedef {number | "random"} Side the player's seat, from 0 */
/** @typedef {TimeInfo | null} Clock none if it is null */

const MINUTE = 60;
export const RANDOM = "random";
export const NO_CLOCK = "No clock";
/** @type {Clock[]} */ const CLOCKS = [
  null,
  { main: MINUTE },
  { main: 3 * MINUTE, increment: 2 },
  { main: 5 * MINUTE, increment: 3 },
  { main: 10 * MINUTE, increment: 5 },
  { main: 30 * MINUTE },
  { days: 1 },
  { days: 3 },
  { days: 7 },
];

// Whether two clocks are equal; a missing part is 0.
/** @type {Array<keyof TimeInfo>} */ const PARTS = ["main", "increment", "days"];
/** @param {Clock | undefined} one @param {Clock | undefined} other */
export const isSameClock = (one, other) => PARTS.every((part) => (one?.[part] ?? 0) === (other?.[part] ?? 0));

// A clock in words, as the server writes it.
/** @param {Clock} clock */
export function clockText(clock) {
  if (!clock) return NO_CLOCK;
  const { main = 0, increment = 0, days = 0 } = clock;
  if (days) return plural(days, "{count} day per move", "{count} days per move");
  const time = main < MINUTE ? phrase("{seconds} s", { seconds: main }) : phrase("{minutes} min", { minutes: Math.round((100 * main) / MINUTE) / 100 });
  return increment ? phrase("{time} + {seconds} s", { time, seconds: increment }) : time;
}

// A clock in a sentence.
/** @param {TimeInfo} clock */
export function clockSentence({ main = 0, increment = 0, days = 0 }) {
  if (days) return plural(days, "one day a move", "{count} days a move");
  if (!main && !increment) return "without a clock";
  const time = main < MINUTE ? plural(main, "one second each", "{count} seconds each") : plural(main / MINUTE, "one minute each", "{count} minutes each");
  return increment ? plural(increment, "{time} and one second a move", "{time} and {count} seconds a move", { time }) : time;
}

// A clock in an address: `5+3` has minutes and seconds a move, `3d` days a move.
/** @param {Clock} clock */
export const writeClock = (clock) => (clock ? (clock.days ? `${clock.days}d` : `${(clock.main ?? 0) / MINUTE}+${clock.increment ?? 0}`) : "");

/** @param {string | null} text @returns {Clock} */
export function readClock(text) {
  const [, days, minutes, seconds] = /^(?:(\d{1,3})d|(\d{1,3}(?:\.\d{1,4})?)\+(\d{1,3}))$/.exec(text ?? "") ?? [];
  if (days) return { days: Number(days) };
  return minutes ? { main: Number(minutes) * MINUTE, increment: Number(seconds) } : null;
}

// A side in an address: seats count from 1.
/** @param {Side} side */
export const writeSide = (side) => (side === RANDOM ? RANDOM : String(side + 1));

/** @param {string | null} text @returns {Side} */
export function readSide(text) {
  if (text === RANDOM) return RANDOM;
  return /^[1-9]$/.test(text ?? "") ? Number(text) - 1 : 0;
}

// The side and the clock that were chosen last in this browser.
export const chosenSide = () => readSide(saved("side", "1"));
export const chosenClock = () => readClock(saved("clock", ""));

/** @param {{ side?: Side, clock?: Clock }} chosen */
export function keepTerms({ side, clock }) {
  if (side !== undefined) save("side", writeSide(side));
  if (clock !== undefined) save("clock", writeClock(clock));
}

// Fills a list with clocks; one that is not among them is added. Days are for people far apart.
/** @param {HTMLSelectElement} list @param {Clock} clock @param {{ days: boolean }} offered @param {(clock: Clock) => void} changed */
export function fillClocks(list, clock, { days }, changed) {
  const offered = CLOCKS.filter((each) => days || !each?.days);
  const clocks = offered.some((each) => isSameClock(each, clock)) ? offered : [...offered, clock];
  list.replaceChildren(...clocks.map((each, i) => new Option(clockText(each), String(i))));
  list.value = String(clocks.findIndex((each) => isSameClock(each, clock)));
  list.onchange = () => changed(clocks[list.selectedIndex]);
}

// Fills a list with the sides of a game.
/** @param {HTMLSelectElement} list @param {string[]} names of the sides, from the first @param {Side} side @param {(side: Side) => void} changed */
export function fillSides(list, names, side, changed) {
  list.replaceChildren(...names.map((name, i) => new Option(name, writeSide(i))), new Option("Random", RANDOM));
  list.value = writeSide(side);
  list.onchange = () => changed(readSide(list.value));
}

// The seat of a side, among so many.
/** @param {Side} side @param {number} seats */
export const seatOf = (side, seats) => (side === RANDOM ? Math.floor(Math.random() * seats) : Math.min(side, seats - 1));
