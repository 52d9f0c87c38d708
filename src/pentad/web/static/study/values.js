// Values as a person reads them. Of two players all numbers on the page are those of one colour, the one that begins,
// whoever is to move: more than 0 is good for it, less is good for the other. Of more players each has a number.

import { capital } from "/static/dom.js";

// A value as people write it.
export function written(value) {
  const text = Math.abs(value).toFixed(2);
  return Number(text) === 0 ? "0.00" : `${value > 0 ? "+" : "−"}${text}`;
}

// The colours whose values are shown.
export const shownColours = ({ colours }) => (colours.length === 2 ? colours.slice(0, 1) : colours);

// Values of a position by seats, as they are shown: a colour and its value each.
export function shownValues(tree, node, values = node.values) {
  const seats = tree.coloursAt(node);
  return shownColours(tree).map((colour) => ({ colour, value: values[seats.indexOf(colour)] }));
}

// The same in words.
export const inWords = (tree, node, values) =>
  shownValues(tree, node, values).map(({ colour, value }) => `${colour} ${written(value)}`).join(", ");

// What the numbers mean.
export function meaning({ colours }) {
  if (colours.length === 2) return `+ is good for ${colours[0]}, − for ${colours[1]}.`;
  return `Values of ${colours.map(capital).join(", ")}: +1 is a win, −1 a loss.`;
}

// What a proved value of the mover's is called: a win names whose it is.
export function proved(tree, node, mover, value) {
  const colours = tree.coloursAt(node);
  if (value > 0) return `${colours[mover]} wins`;
  if (value === 0) return "a draw";
  return colours.length === 2 ? `${colours[1 - mover]} wins` : `${colours[mover]} loses`;
}

const VERBS = [[1, "wins", "win"], [0, "draws", "draw"], [-1, "loses", "lose"]]; // of one move and of several

// How many of the mover's moves win, draw and lose.
export function summary(moves, colour) {
  const all = moves.length;
  const found = VERBS.map(([value, one, several]) => {
    const count = moves.filter((each) => each.value === value).length;
    return { count, verb: count === 1 ? one : several };
  }).filter(({ count }) => count);
  const counts = found.map(({ count, verb }, i) => `${count}${i ? "" : ` of ${all} moves`} ${verb}`);
  const whole = all === 1 ? "the only move" : `all ${all} moves`;
  return `Exact values. ${capital(colour)} to move: ${found.length === 1 ? `${whole} ${found[0].verb}` : counts.join(", ")}.`;
}
