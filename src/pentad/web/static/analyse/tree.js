// The game tree: nodes by id, the current node, and their comments and values.

import { capitalize } from "../dom.js";
import { phrase } from "../words.js";

/** @import { NodeInfo, Tree as Answer, TreeNode, TreeRequest } from "../messages.d.ts" */
/** @import { Source } from "./games.js" */
/** @typedef {{ values: number[] | null, proved: boolean, missed: string, best: string, better?: string[] }} Values of engines for each seat, what a move gave away, and the line that begins with the better move */
/** @typedef {Values & { chances?: number[], loss?: number, sentence?: string }} Findings of engines, with the chance of each seat to win, the chance that a move gave away, and a sentence about it */
/** @typedef {NodeInfo & Findings & { children: number[] }} Node */
/** @typedef {{ study: string, number: number }} ChapterKey a chapter of a study */
/** @typedef {Answer & { source?: Source, chapter?: ChapterKey }} Game */

/**
 * A stored tree.
 * @typedef {Omit<Answer, "nodes" | "main" | "count" | "trouble"> & { nodes: Array<NodeInfo & Findings>, source?: Source, chapter?: ChapterKey,
 *   key: string, current: number, next: number, end?: number, accuracies?: Array<number | null> }} Plain
 */

const MAX_STORED_GAMES = 500; // of the text that a tree comes from; a larger one is forgotten when the page is reloaded
const MAX_STORED_TEXT = 64_000; // characters

// What the sign behind a move means.
/** @type {Record<string, string>} */
export const MARKS = { "?!": "inaccuracy", "?": "mistake", "??": "blunder", "!?": "interesting", "!": "good", "!!": "brilliant" };

// The comment of a move in a record, with the finding of a review, once.
/** @param {Pick<Node, "comment" | "missed" | "best">} node */
function commentOf({ comment, missed, best }) {
  const found = missed && best ? phrase("{missed} Better: {move}", { missed, move: best }) : missed;
  return comment.includes(found) ? comment : `${comment} ${found}`.trim();
}

// A move as people write it; `notation` is empty where that is the move's own text.
/** @param {Pick<Node, "move" | "notation">} node */
export const moveText = ({ notation, move }) => notation || move;

// The values of two players by seat, from that of one of them.
/** @param {number | null} seat @param {number} value */
export const valuesOfTwo = (seat, value) => (seat === 0 ? [value, -value] : [-value, value]);

/** @template T @param {T[]} list @returns {T} */
const lastOf = (list) => list[list.length - 1];

// A key for a new tree.
export const newKey = () => globalThis.crypto?.randomUUID?.() ?? String(Math.random());

export class Tree {
  /** @type {Array<{ nodes: Node[], place: number }>} */ #removed = []; // { nodes, place }: removed subtrees, with the index of the first node among its siblings

  // `data` is the server's answer for a game, or a stored tree.
  /** @param {Game | Plain} data */
  constructor(data) {
    const stored = "key" in data ? data : null;
    this.key = stored?.key ?? newKey();
    this.game = data.game;
    this.title = data.title;
    this.start = data.start;
    this.fresh = data.fresh;
    this.colours = data.colours;
    this.tags = data.tags;
    this.players = data.players;
    this.result = data.result;
    this.reason = data.reason;
    this.status = data.status; // how the game ended, as a sentence
    this.formats = data.formats;
    this.solved = data.solved;
    this.source = data.source;
    this.chapter = data.chapter; // of a study, if the tree is one
    this.accuracies = stored?.accuracies ?? []; // of the seats, by the last review
    /** @type {Map<number, Node>} */
    this.nodes = new Map();
    for (const node of data.nodes) this.#insert(node);
    this.current = stored?.current ?? 0;
    this.end = stored ? stored.end : lastOf(/** @type {Game} */ (data).main); // the node of the result
    this.next = stored?.next ?? data.nodes.length; // ids are never reused, since the browser history holds them
  }

  /** @param {NodeInfo | (NodeInfo & Findings)} node */
  #insert(node) {
    /** @type {Node} */
    const added = { values: null, proved: false, missed: "", best: "", ...node, mark: node.mark ?? "", shapes: node.shapes ?? [], children: [] };
    // A record has only the mover's value, from which the other player's follows.
    if (!added.values && added.value !== null && added.value !== undefined && this.colours.length === 2) {
      added.values = valuesOfTwo(added.seat, added.value);
      added.proved = Boolean(added.exact);
    }
    this.nodes.set(added.id, added);
    if (added.parent !== null) this.at(added.parent).children.push(added.id);
    return added;
  }

  // The tree as JSON for the browser's storage.
  get plain() {
    const { nodes: _nodes, source, ...rest } = this;
    const isSmall = source && source.places.length <= MAX_STORED_GAMES && source.parts.reduce((sum, { text }) => sum + text.length, 0) <= MAX_STORED_TEXT;
    return { ...rest, ...(isSmall ? { source } : {}), nodes: this.ordered().map(({ children: _children, ...node }) => node) };
  }

  // The result with its reason, empty if there is none; the reason `stated` says that the file has only the result.
  get resultText() {
    if (this.result === "*") return "";
    return this.reason === "stated" ? this.result : `${this.result}, ${this.reason}`;
  }

  // The node with an id.
  /** @param {number} id */
  at(id) {
    const node = this.nodes.get(id);
    if (!node) throw new Error(phrase("The tree has no node {id}.", { id }));
    return node;
  }

  get root() {
    return this.at(0);
  }

  get here() {
    return this.at(this.current);
  }

  // The parent of a node, or null for the root.
  /** @param {Node} node */
  parent(node) {
    return node.parent === null ? null : this.at(node.parent);
  }

  // The colour of each seat at a node; some openings swap colours.
  /** @param {Node} node */
  coloursAt(node) {
    return node.colours?.length ? node.colours : this.colours;
  }

  // The players with names, each with the colour that it has at a node, such as `White: Ann`.
  /** @param {Node} node */
  playersAt(node) {
    const texts = this.coloursAt(node).map((colour, seat) => {
      const name = this.players[seat];
      return name ? phrase("{player}: {name}", { player: capitalize(colour), name }) : "";
    });
    return texts.filter(Boolean);
  }

  /** @param {number} id @param {string} move */
  child(id, move) {
    return this.at(id).children.map((each) => this.at(each)).find((each) => each.move === move) ?? null;
  }

  // Adds a move to a node unless it exists; returns the child and whether it is new.
  /**
   * @param {number} parent
   * @param {Pick<NodeInfo, "move" | "notation" | "words" | "seat" | "position" | "colours">} played
   * @returns {[Node, boolean]}
   */
  add(parent, { move, notation, words, seat, position, colours }) {
    const existing = this.child(parent, move);
    if (existing) return [existing, false];
    const id = this.next++;
    return [this.#insert({ id, parent, move, notation, words, seat, position, colours, comment: "", clock: null, value: null, exact: false, mark: "", shapes: [] }), true];
  }

  // The nodes from the root to one.
  path(id = this.current) {
    /** @type {Node[]} */
    const nodes = [];
    for (let node = this.nodes.get(id) ?? null; node; node = this.parent(node)) nodes.unshift(node);
    return nodes;
  }

  // The line through a node: from the root, and on along first children to its end.
  line(id = this.current) {
    const nodes = this.path(id);
    while (lastOf(nodes).children.length) nodes.push(this.at(lastOf(nodes).children[0]));
    return nodes;
  }

  moves(id = this.current) {
    return this.path(id)
      .slice(1)
      .map((node) => node.move);
  }

  // The node after these moves; null if it is not in the tree.
  /** @param {string[]} moves */
  find(moves) {
    /** @type {Node | null} */
    let node = this.root;
    for (const move of moves) node = node && this.child(node.id, move);
    return node;
  }

  // Adds the main line of another game with the same start; returns its last node.
  /** @param {Answer} game */
  merge(game) {
    let node = this.root;
    for (const id of game.main.slice(1)) {
      [node] = this.add(node.id, game.nodes[id]);
    }
    return node;
  }

  /** @param {number} id */
  isMain(id) {
    return this.path(id).every((node) => (this.parent(node)?.children[0] ?? node.id) === node.id);
  }

  /** @param {number} id */
  promote(id) {
    for (const node of this.path(id).slice(1)) {
      const children = this.parent(node)?.children ?? [];
      children.splice(children.indexOf(node.id), 1);
      children.unshift(node.id);
    }
  }

  // Removes a node and its descendants; returns its parent.
  /** @param {number} id */
  remove(id) {
    const parent = this.parent(this.at(id));
    if (!parent) throw new Error("The start of a game cannot be removed.");
    const place = parent.children.indexOf(id);
    parent.children.splice(place, 1);
    const nodes = this.#subtree(id);
    for (const node of nodes) this.nodes.delete(node.id);
    this.#removed.push({ nodes, place });
    return parent;
  }

  // Restores the removed subtree that contains a node; returns whether there was one.
  /** @param {number} id */
  restore(id) {
    const number = this.#removed.findLastIndex(({ nodes }) => nodes.some((node) => node.id === id));
    if (number < 0) return false;
    const { nodes, place } = this.#removed[number];
    const parent = this.nodes.get(nodes[0].parent ?? -1);
    if (!parent || this.child(parent.id, nodes[0].move)) return false; // the move was played again
    this.#removed.splice(number, 1);
    for (const node of nodes) this.nodes.set(node.id, node);
    parent.children.splice(place, 0, nodes[0].id);
    return true;
  }

  // All nodes in pre-order, the main line first.
  ordered() {
    return this.#subtree(0);
  }

  /** @param {number} id */
  #subtree(id) {
    const found = [];
    const stack = [id];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const node = this.at(next);
      found.push(node);
      stack.push(...[...node.children].reverse());
    }
    return found;
  }

  // The request to write this game, or one line of it, in a format.
  /** @param {string} format @param {Node[]} nodes @returns {TreeRequest} */
  toRequest(format, nodes = this.ordered()) {
    const numbers = new Map(nodes.map((node, number) => [node.id, number]));
    const whole = nodes.length === this.nodes.size;
    return {
      start: this.start,
      format,
      tags: this.tags,
      comment: this.root.comment,
      shapes: this.root.shapes,
      result: whole && this.#hasOriginalEnd ? this.result : "*",
      reason: whole && this.#hasOriginalEnd ? this.reason : "",
      nodes: nodes.slice(1).map((node) => {
        /** @type {TreeNode} */
        const row = { parent: numbers.get(node.parent ?? -1) ?? 0, move: node.move, comment: commentOf(node) };
        if (node.shapes.length) row.shapes = node.shapes;
        if (node.mark) row.mark = /** @type {TreeNode["mark"]} */ (node.mark);
        if (typeof node.clock === "number") row.clock = node.clock;
        const value = node.values?.[node.seat ?? -1] ?? node.value; // the value is the mover's
        if (typeof value === "number") [row.value, row.exact] = [value, node.values ? node.proved : Boolean(node.exact)];
        return row;
      }),
    };
  }

  // Whether the main line still ends at the node of the result.
  get #hasOriginalEnd() {
    return lastOf(this.line(0)).id === this.end;
  }
}
