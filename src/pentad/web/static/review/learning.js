// Learning from mistakes: which one is shown, and what became of each. Pure functions of a state.

import { plural } from "../words.js";

/** @import { Mistake } from "../puzzles/mistakes.js" */
/** @typedef {"found" | "helped" | "shown" | "skipped"} Result found at once, after a wrong move or a hint, not without the answer, or not tried */

/**
 * @typedef {object} Learning
 * @property {readonly Mistake[]} mistakes
 * @property {number} at the number of the one shown; their number at the end
 * @property {boolean} isHelped whether a wrong move was made here, or a hint was asked for
 * @property {readonly (Result | null)[]} results by mistake; null for those that are still to come
 */

/** @param {readonly Mistake[]} mistakes @returns {Learning} */
export const begin = (mistakes) => ({ mistakes, at: 0, isHelped: false, results: mistakes.map(() => null) });

/** @param {Learning} state */
export const isOver = ({ at, mistakes }) => at >= mistakes.length;

// The mistake shown; null at the end.
/** @param {Learning} state */
export const current = ({ mistakes, at }) => mistakes[at] ?? null;

/** @param {Learning} state @param {Result} result @returns {Learning} */
function settle(state, result) {
  if (isOver(state) || state.results[state.at] !== null) return state; // the first result counts
  return { ...state, results: state.results.map((each, i) => (i === state.at ? result : each)) };
}

// A wrong move, a hint or the answer.
/** @param {Learning} state @param {"wrong" | "hint" | "solution"} how */
export const missed = (state, how) => (how === "solution" ? settle(state, "shown") : { ...state, isHelped: true });

/** @param {Learning} state */
export const solved = (state) => settle(state, state.isHelped ? "helped" : "found");

// Goes on to the next mistake; one that is not solved is skipped.
/** @param {Learning} state @returns {Learning} */
export function next(state) {
  if (isOver(state)) return state;
  return { ...settle(state, "skipped"), at: state.at + 1, isHelped: false };
}

/** @type {Array<[Result, (count: number) => string]>} */
const TEXTS = [
  ["found", (count) => plural(count, "1 found at once", "{count} found at once")],
  ["helped", (count) => plural(count, "1 found after another try", "{count} found after another try")],
  ["shown", (count) => plural(count, "1 answer shown", "{count} answers shown")],
  ["skipped", (count) => plural(count, "1 skipped", "{count} skipped")],
];

// What became of the mistakes, such as `2 found at once, 1 skipped.`
/** @param {Learning} state */
export function summary({ results }) {
  const counts = TEXTS.map(([result, text]) => ({ text, count: results.filter((each) => each === result).length })).filter(({ count }) => count);
  return `${counts.map(({ text, count }) => text(count)).join(", ")}.`;
}
