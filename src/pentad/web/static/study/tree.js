// A game as a tree: its nodes by their numbers, where one stands in it, and what was said of them.

import { capital } from "/static/dom.js";

// What is written behind a move: its comment, and what a review has found, once.
function said({ comment, missed, best }) {
  const found = missed ? `${capital(missed)}${best ? `; better: ${best}` : ""}.` : "";
  return comment.includes(found) ? comment : `${comment} ${found}`.trim();
}

export class Tree {
  #taken = []; // what was taken away: the nodes, and which child of its parent the first of them was

  // `told` is what the server says of a game.
  constructor(told) {
    this.key = told.key ?? crypto.randomUUID?.() ?? String(Math.random());
    for (const name of ["game", "title", "start", "fresh", "colours", "tags", "result", "reason", "formats", "solved", "source"]) {
      this[name] = told[name];
    }
    this.nodes = new Map();
    for (const node of told.nodes) this.#take(node);
    this.current = told.current ?? 0;
    this.told = told.told ?? told.main.at(-1); // the end whose result was told
    this.next = told.next ?? told.nodes.length; // no number is ever given twice, since the browser's history has them
  }

  #take(node) {
    const kept = { values: null, proved: false, missed: "", best: "", ...node, children: [] };
    // A record tells the mover's value alone; of two players the other's follows.
    if (!kept.values && kept.value !== null && kept.value !== undefined && this.colours.length === 2) {
      kept.values = kept.seat === 0 ? [kept.value, -kept.value] : [-kept.value, kept.value];
      kept.proved = Boolean(kept.exact);
    }
    this.nodes.set(kept.id, kept);
    this.nodes.get(kept.parent)?.children.push(kept.id);
    return kept;
  }

  // What is kept in the browser, and makes the same tree again.
  get plain() {
    const { nodes, ...rest } = this;
    return { ...rest, nodes: this.ordered().map(({ children, ...node }) => node) };
  }

  get root() {
    return this.nodes.get(0);
  }

  get here() {
    return this.nodes.get(this.current);
  }

  // The colour of each seat at a node; in some openings the players change theirs.
  coloursAt(node) {
    return node.colours?.length ? node.colours : this.colours;
  }

  child(id, move) {
    return this.nodes.get(id).children.map((each) => this.nodes.get(each)).find((each) => each.move === move);
  }

  // A move from a node: the child that has it, or a new one; and whether it is new.
  add(parent, { move, words, seat, position, colours }) {
    const known = this.child(parent, move);
    if (known) return [known, false];
    const id = this.next++;
    return [this.#take({ id, parent, move, words, seat, position, colours, comment: "", clock: null, value: null, exact: false }), true];
  }

  // The nodes from the root to one.
  path(id = this.current) {
    const nodes = [];
    for (let node = this.nodes.get(id); node; node = this.nodes.get(node.parent)) nodes.unshift(node);
    return nodes;
  }

  // The line through a node: from the root to it, and on along first moves to its end.
  line(id = this.current) {
    const nodes = this.path(id);
    while (nodes.at(-1).children.length) nodes.push(this.nodes.get(nodes.at(-1).children[0]));
    return nodes;
  }

  moves(id = this.current) {
    return this.path(id)
      .slice(1)
      .map((node) => node.move);
  }

  // The node at which moves end; null where they leave the tree.
  find(moves) {
    let node = this.root;
    for (const move of moves) {
      node = this.child(node.id, move);
      if (!node) return null;
    }
    return node;
  }

  // Another game's line, which begins alike, taken over; the node where it ends.
  merge(told) {
    let node = this.root;
    for (const id of told.main.slice(1)) {
      [node] = this.add(node.id, told.nodes[id]);
    }
    return node;
  }

  isMain(id) {
    return this.path(id).every((node) => node.parent === null || this.nodes.get(node.parent).children[0] === node.id);
  }

  promote(id) {
    for (const node of this.path(id).slice(1)) {
      const { children } = this.nodes.get(node.parent);
      children.splice(children.indexOf(node.id), 1);
      children.unshift(node.id);
    }
  }

  // Takes a node and all that follows it away; the node before it.
  remove(id) {
    const { parent } = this.nodes.get(id);
    const { children } = this.nodes.get(parent);
    const place = children.indexOf(id);
    children.splice(place, 1);
    const nodes = [];
    const going = [id];
    while (going.length) {
      const node = this.nodes.get(going.pop());
      going.push(...node.children);
      this.nodes.delete(node.id);
      nodes.push(node);
    }
    this.#taken.push({ nodes, place });
    return this.nodes.get(parent);
  }

  // Puts back what was taken away together with a node, as it was; whether there was such a node.
  putBack(id) {
    const number = this.#taken.findLastIndex(({ nodes }) => nodes.some((node) => node.id === id));
    const { nodes, place } = this.#taken[number] ?? { nodes: [] };
    const parent = this.nodes.get(nodes[0]?.parent);
    if (!parent || this.child(parent.id, nodes[0].move)) return false; // played again meanwhile
    this.#taken.splice(number, 1);
    for (const node of nodes) this.nodes.set(node.id, node);
    parent.children.splice(place, 0, nodes[0].id);
    return true;
  }

  // Every node, each before those that follow it, the main line first.
  ordered() {
    const found = [];
    const waiting = [0];
    while (waiting.length) {
      const node = this.nodes.get(waiting.pop());
      found.push(node);
      waiting.push(...node.children.toReversed());
    }
    return found;
  }

  // The wish that has the server write this game, or only one line of it.
  wish(format, nodes = this.ordered()) {
    const numbers = new Map(nodes.map((node, number) => [node.id, number]));
    const whole = nodes.length === this.nodes.size;
    return {
      start: this.start,
      format,
      tags: this.tags,
      comment: this.root.comment,
      result: whole && this.#endsAsTold ? this.result : "*",
      reason: whole && this.#endsAsTold ? this.reason : "",
      nodes: nodes.slice(1).map((node) => {
        const told = { parent: numbers.get(node.parent), move: node.move, comment: said(node) };
        if (typeof node.clock === "number") told.clock = node.clock;
        const value = node.values?.[node.seat] ?? node.value; // the mover's
        if (typeof value === "number") [told.value, told.exact] = [value, node.values ? node.proved : Boolean(node.exact)];
        return told;
      }),
    };
  }

  // Whether the main line is still the one whose result was told.
  get #endsAsTold() {
    return this.line(0).at(-1).id === this.told;
  }
}
