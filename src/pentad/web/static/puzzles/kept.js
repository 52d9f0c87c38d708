// The puzzles from the user's own games, kept in this browser, and when each of them is due again.

/** @import { Mistake } from "./mistakes.js" */

/**
 * A kept mistake. `link` leads to the review of its game, which was played on `date`; `stage` is how often it was solved when it was due, and `due`
 * when it is due next, in milliseconds; null once it is learned.
 * @typedef {Mistake & { number: number, game: string, title: string, link: string, date: string, stage: number, due: number | null }} Kept
 */
/** @typedef {{ puzzles: Kept[], trouble: string }} Stored the trouble is a sentence if the storage cannot be read */

const DATE = /^\d{4}-\d\d-\d\d$/;
const NAME = "mistakes"; // in the browser's storage
const DAY = 24 * 60 * 60 * 1000;
export const DAYS = [1, 3, 7, 21]; // until a solved puzzle is due again, by its stage
export const MOST = 300; // puzzles
const LONGEST = 1_000_000; // characters in the storage
const UNREADABLE = "The puzzles from your games cannot be read. Remove them to start anew.";
const TOO_LARGE = "The puzzles from your games take too much room. Remove them to start anew.";
const NO_ROOM = "This browser has no room for the puzzles from your games.";

const TEXTS = /** @type {const} */ (["position", "colour", "played", "text", "mark", "best", "game", "title", "link", "date"]);
const NUMBERS = /** @type {const} */ (["number", "ply", "stage"]);

/** @param {any} each @returns {each is Kept} */
function isKept(each) {
  if (typeof each !== "object" || each === null) return false;
  if (!TEXTS.every((name) => typeof each[name] === "string")) return false;
  if (!each.link.startsWith("/review?") || !DATE.test(each.date)) return false;
  return NUMBERS.every((name) => Number.isSafeInteger(each[name]) && each[name] >= 0) && (each.due === null || Number.isFinite(each.due));
}

// The puzzles in a stored text; the trouble says why there are none.
/** @param {string | null} text @returns {Stored} */
export function read(text) {
  if (text === null) return { puzzles: [], trouble: "" };
  if (text.length > LONGEST) return { puzzles: [], trouble: TOO_LARGE };
  try {
    const found = JSON.parse(text);
    const isWhole = Array.isArray(found) && found.every(isKept) && new Set(found.map(({ number }) => number)).size === found.length;
    return isWhole ? { puzzles: found, trouble: "" } : { puzzles: [], trouble: UNREADABLE };
  } catch {
    return { puzzles: [], trouble: UNREADABLE };
  }
}

// Whether a kept puzzle is that of a mistake.
/** @param {Kept} one @param {Mistake} other */
export const isSame = (one, other) => one.position === other.position && one.played === other.played;

// The puzzles with the mistakes of another game, which are due at once. Those that are there already stay as they are; of too many, the learned
// and the oldest are dropped.
/** @param {readonly Kept[]} puzzles @param {readonly Mistake[]} mistakes @param {Pick<Kept, "game" | "title" | "link" | "date">} game @param {number} now */
export function withMistakes(puzzles, mistakes, game, now) {
  const first = Math.max(0, ...puzzles.map(({ number }) => number)) + 1;
  const fresh = mistakes.filter((each) => !puzzles.some((kept) => isSame(kept, each)));
  const all = [...puzzles, ...fresh.map((each, i) => ({ ...each, ...game, number: first + i, stage: 0, due: now }))];
  const least = [...all].sort((one, other) => Number(one.due !== null) - Number(other.due !== null) || one.number - other.number);
  const dropped = new Set(least.slice(0, Math.max(0, all.length - MOST)));
  return all.filter((each) => !dropped.has(each));
}

// The puzzles after one was solved or not. A solution before it is due changes nothing.
/** @param {readonly Kept[]} puzzles @param {number} number @param {boolean} isSolved @param {number} now @returns {Kept[]} */
export function answered(puzzles, number, isSolved, now) {
  return puzzles.map((each) => (each.number === number ? next(each, isSolved, now) : each));
}

/** @param {Kept} puzzle @param {boolean} isSolved @param {number} now @returns {Kept} */
function next(puzzle, isSolved, now) {
  if (!isSolved) return { ...puzzle, stage: 0, due: now + DAYS[0] * DAY };
  if (!isDue(puzzle, now)) return puzzle;
  const { stage } = puzzle;
  return { ...puzzle, stage: stage + 1, due: stage < DAYS.length ? now + DAYS[stage] * DAY : null };
}

/** @param {readonly Kept[]} puzzles @param {number} number */
export const without = (puzzles, number) => puzzles.filter((each) => each.number !== number);

/** @param {Kept} puzzle @param {number} now */
export const isDue = ({ due }, now) => due !== null && due <= now;

// The puzzles in the order in which they are due; learned ones come last.
/** @param {readonly Kept[]} puzzles */
export const inOrder = (puzzles) => [...puzzles].sort((one, other) => (one.due ?? Infinity) - (other.due ?? Infinity) || one.number - other.number);

// The whole days until a puzzle is due, at least one.
/** @param {number} due @param {number} now */
export const daysUntil = (due, now) => Math.max(1, Math.ceil((due - now) / DAY));

/** @param {readonly Kept[]} puzzles @param {number} now */
export const counts = (puzzles, now) => ({
  due: puzzles.filter((each) => isDue(each, now)).length,
  later: puzzles.filter((each) => each.due !== null && each.due > now).length,
  learned: puzzles.filter((each) => each.due === null).length,
});

// ── the storage ──

// The kept puzzles of this browser.
export function load() {
  try {
    return read(localStorage.getItem(NAME));
  } catch {
    return { puzzles: [], trouble: "" }; // the browser stores nothing
  }
}

// Keeps the puzzles; returns why that is not possible, or an empty text.
/** @param {readonly Kept[]} puzzles */
export function store(puzzles) {
  try {
    const text = JSON.stringify(puzzles);
    if (text.length > LONGEST) return NO_ROOM;
    localStorage.setItem(NAME, text);
    return "";
  } catch {
    return NO_ROOM;
  }
}

// Changes the kept puzzles; returns why that is not possible. What cannot be read stays as it is.
/** @param {(puzzles: Kept[]) => readonly Kept[]} change */
export function update(change) {
  const { puzzles, trouble } = load();
  return trouble || store(change(puzzles));
}

// Removes all kept puzzles, readable or not.
export function clear() {
  try {
    localStorage.removeItem(NAME);
  } catch {
    // The browser stores nothing.
  }
}
