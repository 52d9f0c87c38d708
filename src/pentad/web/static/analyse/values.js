// Texts for values. With two players, all numbers are from the point of view of the colour that begins, no matter who is
// to move: positive is good for it, negative for the other. With more players, each has a number.

import { capitalize } from "../dom.js";

/** @import { Node, Tree } from "./tree.js" */
/** @import { Values } from "./connection.js" */

// A value with a sign and two decimals.
/** @param {number} value */
export function formatValue(value) {
  const text = Math.abs(value).toFixed(2);
  return Number(text) === 0 ? "0.00" : `${value > 0 ? "+" : "−"}${text}`;
}

// The colours whose values are shown.
/** @param {Pick<Tree, "colours">} tree */
export const shownColours = ({ colours }) => (colours.length === 2 ? colours.slice(0, 1) : colours);

// The values to show: { colour, value } for each shown colour.
/** @param {Tree} tree @param {Node} node @param {number[] | null} values */
export function shownValues(tree, node, values = node.values) {
  const seats = tree.coloursAt(node);
  return shownColours(tree).map((colour) => ({ colour, value: values?.[seats.indexOf(colour)] ?? 0 }));
}

// The values as text.
/** @param {Tree} tree @param {Node} node @param {number[]} [values] */
export const valueText = (tree, node, values) =>
  shownValues(tree, node, values).map(({ colour, value }) => `${colour} ${formatValue(value)}`).join(", ");

// The legend of the numbers.
/** @param {Pick<Tree, "colours">} tree */
export function meaning({ colours }) {
  if (colours.length === 2) return `+ is good for ${capitalize(colours[0])}, − for ${capitalize(colours[1])}.`;
  return `Values of ${colours.map(capitalize).join(", ")}: +1 is a win, −1 a loss.`;
}

// The text for an exact value of the player to move; a win names the winner.
/** @param {Tree} tree @param {Node} node @param {number} mover @param {number} value */
export function exactText(tree, node, mover, value) {
  const colours = tree.coloursAt(node);
  if (value > 0) return `${colours[mover]} wins`;
  if (value === 0) return "draw";
  return colours.length === 2 ? `${colours[1 - mover]} wins` : `${colours[mover]} loses`;
}

/** @type {Array<[number, string, string]>} */ const VERBS = [[1, "wins", "win"], [0, "draws", "draw"], [-1, "loses", "lose"]]; // value, singular, plural

// The numbers of moves that win, draw and lose, and of those whose values are not known, as a sentence.
/** @param {Pick<Values, "moves" | "unknown">} values @param {string} colour */
export function summary({ moves, unknown }, colour) {
  const all = moves.length + unknown;
  const found = VERBS.map(([value, singular, plural]) => {
    const count = moves.filter((each) => each.value === value).length;
    return { count, verb: count === 1 ? singular : plural };
  }).filter(({ count }) => count);
  if (unknown) found.push({ count: unknown, verb: unknown === 1 ? "is not known" : "are not known" });
  const counts = found.map(({ count, verb }, i) => `${count}${i ? "" : ` of ${all} moves`} ${verb}`);
  const whole = all === 1 ? "the only move" : `all ${all} moves`;
  return `Exact values. ${capitalize(colour)} to move: ${found.length === 1 ? `${whole} ${found[0].verb}` : counts.join(", ")}.`;
}
