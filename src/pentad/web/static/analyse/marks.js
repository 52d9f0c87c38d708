// What the engine panel draws on the board, and how much of a line it lists.

/** @import { Arrow, Mark } from "../board.js" */
/** @import { ChoiceInfo } from "../messages.d.ts" */
/** @import { Values } from "./connection.js" */

/** @type {Record<number, string>} */
export const KINDS = { 1: "win", 0: "draw", [-1]: "loss" };
const MAX_LINE_LENGTH = 70;

// Circles and arrows as records have them: Ga2, Ra2>c3.
/** @param {string} text @returns {Arrow} */
export function arrowOf(text) {
  const [from, to] = text.slice(1).split(">");
  return { from, to, colour: text[0] };
}

/** @param {Arrow} arrow */
export const arrowText = ({ from, to, colour }) => `${colour || "G"}${from}${to ? `>${to}` : ""}`;

// The first moves of a line that fit, at least two.
/** @param {string[]} moves */
export function short(moves) {
  let left = MAX_LINE_LENGTH;
  return moves.filter((move, i) => (left -= move.length + 2) > 0 || i < 2);
}

// For each target that can be touched next, the value of the best move through it.
/** @param {Values["moves"]} moves @param {string} steps */
export function exactMarks(moves, steps) {
  const best = new Map();
  for (const { steps: all, value } of moves) {
    const next = nextStep(all, steps);
    if (!next || (best.get(next.step)?.value ?? -2) >= value) continue;
    best.set(next.step, { target: next.targets[0], value });
  }
  return [...best.values()].map(({ target, value }) => ({ target, kind: KINDS[value] }));
}

// The step of a move after the given ones; null if the move begins differently.
/** @param {ChoiceInfo[]} all @param {string} steps */
function nextStep(all, steps) {
  let begun = "";
  for (const next of all) {
    if (begun === steps) return next;
    begun = begun ? `${begun} ${next.step}` : next.step;
  }
  return null;
}

// Marks for the next step of the best move.
/** @param {string} move @param {string} steps @param {ChoiceInfo[]} choices @returns {Mark[]} */
export function bestMarks(move, steps, choices) {
  const begun = steps ? `${steps} ` : "";
  if (!`${move} `.startsWith(begun)) return [];
  const rest = `${move.slice(begun.length)} `;
  const fitting = choices.filter((each) => each.targets.length && rest.startsWith(`${each.step} `));
  const [choice] = fitting.sort((one, other) => other.step.length - one.step.length);
  if (!choice) return [];
  const [target, to] = choice.targets;
  const best = { target, kind: "best" };
  return to ? [best, { target, to, kind: "arrow" }] : [best];
}
