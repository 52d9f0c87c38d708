// Mistakes of games as puzzles: the marked moves of a reviewed game, and the board's answers about them.

import { fetchJson } from "../server.js";
import { moveText } from "../analyse/tree.js";

/** @import { Node, Tree } from "../analyse/tree.js" */
/** @import { Task } from "./solving.js" */

/**
 * A marked move of a game: the position before it, the move with the text that people read, and a better one. `ply` is its number.
 * @typedef {{ position: string, colour: string, ply: number, played: string, text: string, mark: string, best: string }} Mistake
 */

// The marked moves of a seat in the main line that a better move is known for.
/** @param {Tree} tree @param {number} seat @returns {Mistake[]} */
export function mistakesOf(tree, seat) {
  return tree.line(0).flatMap((node, ply) => {
    const before = tree.parent(node);
    const [best] = node.better ?? [];
    if (!before || node.seat !== seat || !node.mark || !best) return [];
    return [mistakeOf(tree, before, node, ply, best)];
  });
}

/** @param {Tree} tree @param {Node} before @param {Node} node @param {number} ply @param {string} best @returns {Mistake} */
const mistakeOf = (tree, before, node, ply, best) => ({
  position: before.position,
  colour: tree.coloursAt(before)[node.seat ?? 0],
  ply,
  played: node.move,
  text: `${moveText(node)}${node.mark}`,
  mark: node.mark,
  best,
});

// A mistake as a puzzle of one move. The engine judges it by the measure of reviews.
/** @param {Pick<Mistake, "position" | "played" | "best">} mistake @returns {Task} */
export function mistakeTask({ position, played, best }) {
  const turn = () => fetchJson("/api/board/turn", { position, move: best });
  return {
    position,
    checkingText: "Checking the move…",
    solvedText: (verdict) => verdict,
    attempt: async ([move]) => {
      const found = await fetchJson("/api/mistakes/try", { position, move, best, played });
      return { ...found, after: found.position, reply: null, reply_words: "", over: found.right };
    },
    // Where a piece moves, the piece; else the part of the board in which the turn begins.
    hint: async () => {
      const [first] = (await turn()).steps;
      if (!first.targets.length) return { words: first.label, steps: [first] };
      if (first.targets.length > 1) return { words: "Move the marked piece", steps: [{ ...first, targets: first.targets.slice(0, 1) }] };
      return { words: "Look at the marked area", steps: [first], isArea: true };
    },
    solution: async () => {
      const found = await turn();
      return { position, moves: [{ move: best, words: found.words, position: found.position }] };
    },
  };
}
