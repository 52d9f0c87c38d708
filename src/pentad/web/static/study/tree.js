// The game tree: nodes by id, the current node, and their comments and values.

// The comment of a move in a record, with the finding of a review, once.
function commentOf({ comment, missed, best }) {
  const found = missed && best ? `${missed} Better: ${best}` : missed;
  return comment.includes(found) ? comment : `${comment} ${found}`.trim();
}

export class Tree {
  #removed = []; // { nodes, place }: removed subtrees, with the index of the first node among its siblings

  // `data` is the server's answer for a game, or a stored tree.
  constructor(data) {
    this.key = data.key ?? crypto.randomUUID?.() ?? String(Math.random());
    for (const name of ["game", "title", "start", "fresh", "colours", "tags", "result", "reason", "formats", "solved", "source"]) {
      this[name] = data[name];
    }
    this.nodes = new Map();
    for (const node of data.nodes) this.#insert(node);
    this.current = data.current ?? 0;
    this.end = data.end ?? data.told ?? data.main.at(-1); // the node of the game's result; `told` in trees stored by 0.1
    this.next = data.next ?? data.nodes.length; // ids are never reused, since the browser history holds them
  }

  #insert(node) {
    const added = { values: null, proved: false, missed: "", best: "", ...node, children: [] };
    // A record has only the mover's value, from which the other player's follows.
    if (!added.values && added.value !== null && added.value !== undefined && this.colours.length === 2) {
      added.values = added.seat === 0 ? [added.value, -added.value] : [-added.value, added.value];
      added.proved = Boolean(added.exact);
    }
    this.nodes.set(added.id, added);
    this.nodes.get(added.parent)?.children.push(added.id);
    return added;
  }

  // The tree as JSON for the browser's storage.
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

  // The colour of each seat at a node; some openings swap colours.
  coloursAt(node) {
    return node.colours?.length ? node.colours : this.colours;
  }

  child(id, move) {
    return this.nodes.get(id).children.map((each) => this.nodes.get(each)).find((each) => each.move === move);
  }

  // Adds a move to a node unless it exists; returns the child and whether it is new.
  add(parent, { move, words, seat, position, colours }) {
    const existing = this.child(parent, move);
    if (existing) return [existing, false];
    const id = this.next++;
    return [this.#insert({ id, parent, move, words, seat, position, colours, comment: "", clock: null, value: null, exact: false }), true];
  }

  // The nodes from the root to one.
  path(id = this.current) {
    const nodes = [];
    for (let node = this.nodes.get(id); node; node = this.nodes.get(node.parent)) nodes.unshift(node);
    return nodes;
  }

  // The line through a node: from the root, and on along first children to its end.
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

  // The node after these moves; null if it is not in the tree.
  find(moves) {
    let node = this.root;
    for (const move of moves) {
      node = this.child(node.id, move);
      if (!node) return null;
    }
    return node;
  }

  // Adds the main line of another game with the same start; returns its last node.
  merge(game) {
    let node = this.root;
    for (const id of game.main.slice(1)) {
      [node] = this.add(node.id, game.nodes[id]);
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

  // Removes a node and its descendants; returns its parent.
  remove(id) {
    const { parent } = this.nodes.get(id);
    const { children } = this.nodes.get(parent);
    const place = children.indexOf(id);
    children.splice(place, 1);
    const nodes = [];
    const stack = [id];
    while (stack.length) {
      const node = this.nodes.get(stack.pop());
      stack.push(...node.children);
      this.nodes.delete(node.id);
      nodes.push(node);
    }
    this.#removed.push({ nodes, place });
    return this.nodes.get(parent);
  }

  // Restores the removed subtree that contains a node; returns whether there was one.
  restore(id) {
    const number = this.#removed.findLastIndex(({ nodes }) => nodes.some((node) => node.id === id));
    const { nodes, place } = this.#removed[number] ?? { nodes: [] };
    const parent = this.nodes.get(nodes[0]?.parent);
    if (!parent || this.child(parent.id, nodes[0].move)) return false; // the move was played again
    this.#removed.splice(number, 1);
    for (const node of nodes) this.nodes.set(node.id, node);
    parent.children.splice(place, 0, nodes[0].id);
    return true;
  }

  // All nodes in pre-order, the main line first.
  ordered() {
    const found = [];
    const stack = [0];
    while (stack.length) {
      const node = this.nodes.get(stack.pop());
      found.push(node);
      stack.push(...node.children.toReversed());
    }
    return found;
  }

  // The request to write this game, or one line of it, in a format.
  toRequest(format, nodes = this.ordered()) {
    const numbers = new Map(nodes.map((node, number) => [node.id, number]));
    const whole = nodes.length === this.nodes.size;
    return {
      start: this.start,
      format,
      tags: this.tags,
      comment: this.root.comment,
      result: whole && this.#hasOriginalEnd ? this.result : "*",
      reason: whole && this.#hasOriginalEnd ? this.reason : "",
      nodes: nodes.slice(1).map((node) => {
        const row = { parent: numbers.get(node.parent), move: node.move, comment: commentOf(node) };
        if (typeof node.clock === "number") row.clock = node.clock;
        const value = node.values?.[node.seat] ?? node.value; // the mover's
        if (typeof value === "number") [row.value, row.exact] = [value, node.values ? node.proved : Boolean(node.exact)];
        return row;
      }),
    };
  }

  // Whether the main line still ends at the node of the result.
  get #hasOriginalEnd() {
    return this.line(0).at(-1).id === this.end;
  }
}
