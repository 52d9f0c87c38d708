// Texts for values. With two players, all numbers are from the point of view of the colour that begins, no matter who is
// to move: positive is good for it, negative for the other. With more players, each has a number.

import { capitalize } from "../dom.js";
import { phrase } from "../words.js";

/** @import { Node, Tree } from "./tree.js" */

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

/**
 * What a graph shows of a node: levels from −1 to 1 of the shown colours, null where they are unknown.
 * @typedef {{ title: string, column: string, levels: (tree: Tree, node: Node) => number[] | null, text: (tree: Tree, node: Node) => string }} Reading
 */
/** @type {Reading} */
export const EVALUATIONS = {
  title: "Evaluation graph",
  column: "Value",
  levels: (tree, node) => node.values && shownValues(tree, node).map(({ value }) => value),
  text: (tree, node) => valueText(tree, node),
};
/** @type {Reading} */
export const CHANCES = {
  title: "Chances to win",
  column: "Chance",
  levels: (tree, node) => (node.chances ? shownValues(tree, node, node.chances).map(({ value }) => 2 * value - 1) : null),
  text: (tree, node) =>
    shownValues(tree, node, node.chances).map(({ colour, value }) => phrase("{colour} {percent}%", { colour, percent: Math.round(100 * value) })).join(", "),
};

// The legend of the numbers.
/** @param {Pick<Tree, "colours">} tree */
export function meaning({ colours }) {
  if (colours.length === 2) return phrase("+ is good for {first}, − for {second}.", { first: capitalize(colours[0]), second: capitalize(colours[1]) });
  return phrase("Values of {colours}: +1 is a win, −1 a loss.", { colours: colours.map(capitalize).join(", ") });
}

// The text for an exact value of the player to move; a win names the winner.
/** @param {Tree} tree @param {Node} node @param {number} mover @param {number} value */
export function exactText(tree, node, mover, value) {
  const colours = tree.coloursAt(node);
  const wins = (/** @type {number} */ seat) => phrase("{colour} wins", { colour: colours[seat] });
  if (value > 0) return wins(mover);
  if (value === 0) return "draw";
  return colours.length === 2 ? wins(1 - mover) : phrase("{colour} loses", { colour: colours[mover] });
}
