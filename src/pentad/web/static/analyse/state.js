// The state of the Analysis page: the tree with its current node, and what the board shows of it.

/** @import { BoardAnswer, GameInfo } from "../messages.d.ts" */
/** @import { Node, Tree } from "./tree.js" */

export class StudyState {
  /** @type {Tree | null} */ #tree = null;
  /** @type {GameInfo[]} */ games = [];
  flip = false;
  /** @type {BoardAnswer | null} */ shown = null; // the server's answer for the position on the board
  /** @type {Node | null} */ analysed = null; // the node in the engine panel
  isMoving = false; // while a move is animated

  get isEmpty() {
    return this.#tree === null;
  }

  get tree() {
    if (!this.#tree) throw new Error("The page shows no game yet.");
    return this.#tree;
  }

  // Whether a tree, given by its key, is the one shown.
  /** @param {string | undefined} key */
  shows(key) {
    return key !== undefined && this.#tree?.key === key;
  }

  // Shows a tree at one of its nodes.
  /** @param {Tree} tree @param {number} node */
  open(tree, node) {
    tree.current = node;
    this.#tree = tree;
  }

  // Goes to another node; returns whether that was one move ahead.
  /** @param {number} id */
  go(id) {
    const isForward = this.tree.at(id).parent === this.tree.current;
    this.tree.current = id;
    return isForward;
  }

  // The node of the current place in each direction.
  get ways() {
    const { here } = this.tree;
    const siblings = this.tree.parent(here)?.children ?? [here.id];
    const place = siblings.indexOf(here.id);
    return {
      first: 0,
      back: here.parent ?? here.id,
      forward: here.children[0] ?? here.id,
      last: this.tree.line().at(-1)?.id ?? here.id,
      above: siblings[Math.max(0, place - 1)],
      below: siblings[Math.min(siblings.length - 1, place + 1)],
    };
  }
}
