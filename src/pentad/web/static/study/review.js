// A game looked through move by move: what was missed, in words, and a way to try again from there.

import { announce, ask, byId, capital, make, tell } from "/static/dom.js";

export class Review {
  #line;
  #on;
  #running = null;

  // `go` gets the number of a node to look at, `valued` is told when values of nodes became known,
  // `marked` when moves were found to have missed something.
  constructor(line, on) {
    this.#line = line;
    this.#on = on;
  }

  get isRunning() {
    return this.#running !== null;
  }

  stop() {
    if (!this.#running) return;
    this.#running = null;
    this.#line.stop("review");
    byId("review").textContent = "Review the game";
    this.#note("The review was ended; what it has found stays.");
  }

  // Look through the line on which one stands.
  async start(tree, seconds) {
    const nodes = tree.line();
    const running = { tree, nodes };
    this.#running = running;
    byId("review").textContent = "End the review";
    this.#note("The game is made ready …");
    let record;
    try {
      record = (await ask("/api/study/write", tree.wish("pentad", nodes.map((node) => ({ ...node, comment: "", missed: "" }))))).text;
    } catch (error) {
      return this.#over(running, capital(error.message));
    }
    if (this.#running !== running) return;
    for (const node of nodes) [node.missed, node.best] = ["", ""];
    this.#on.marked();
    this.list(tree);
    this.#line.ask({ type: "review", record, seconds }, (told) => this.#running === running && this.#hear(running, told));
  }

  #hear(running, told) {
    const { tree, nodes } = running;
    if (told.type === "waiting") {
      if (told.place > 0) this.#note(`Waiting for a free engine: place ${told.place} in the queue.`);
    } else if (told.type === "lost") {
      this.#note("The server cannot be reached; the review begins again when it is there.");
    } else if (told.type === "error") {
      this.#over(running, capital(told.error));
    } else if (told.type === "ply") {
      this.#note(`Move ${Math.min(told.ply + 1, nodes.length - 1)} of ${nodes.length - 1} …`);
      const before = nodes[told.ply];
      [before.values, before.proved] = [told.values, told.exact];
      const after = nodes[told.ply + 1];
      if (after && told.missed) {
        [after.missed, after.best] = [told.missed, told.best_words ?? ""];
        this.list(tree);
        this.#on.marked();
      }
      this.#on.valued();
    } else if (told.type === "done") {
      const count = nodes.filter((node) => node.missed).length;
      this.#over(
        running,
        count
          ? `${count === 1 ? "One move" : `${count} moves`} missed something that can be proved.`
          : "No move missed anything that can be proved.",
      );
    }
  }

  #over(running, text) {
    if (this.#running !== running) return;
    this.#running = null;
    byId("review").textContent = "Review the game";
    this.#note(text);
    announce(text);
    this.#on.valued();
  }

  #note(text) {
    byId("review-note").textContent = text;
  }

  // What is known to have been missed, wherever in the tree.
  list(tree) {
    const missed = tree.ordered().filter((node) => node.missed);
    byId("review-list").replaceChildren(...missed.map((node) => this.#item(tree, node, tree.path(node.id).length - 1)));
  }

  #item(tree, node, ply) {
    const before = tree.nodes.get(node.parent);
    const act = (text, does) =>
      make("button", { type: "button", onclick: does, ariaLabel: `${text}: move ${ply}, ${node.move}` }, text);
    return make(
      "li",
      {},
      make("p", {}, make("strong", {}, `${ply}. ${node.move}`), ` (${tree.coloursAt(before)[node.seat]}): ${node.missed}.`),
      node.best ? make("p", { className: "small" }, `Better: ${node.best}.`) : null,
      make(
        "div",
        { className: "bar" },
        act("Look at it", () => this.#on.go(before.id)),
        act("Try again from here", () => this.#again(tree, node, before)),
      ),
    );
  }

  // A new game from before the move, against the game's usual rival; where none can be had, here.
  async #again(tree, node, before) {
    try {
      const { games, person } = await ask("/api/games");
      const { rival } = games.find((each) => each.name === tree.game);
      const seats = tree.colours.map((_, seat) => (seat === node.seat ? person : rival));
      const made = await ask("/api/rooms", { game: tree.game, seats, position: before.position });
      location.assign(made.page);
    } catch (error) {
      this.#on.go(before.id);
      tell(`No new game: ${error.message}. Try it on this board.`);
    }
  }
}
