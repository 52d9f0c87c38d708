// The review of a game: missed chances of each move, with a button to try again from there.

import { announce, byId, capitalize, make, messageOf, notify } from "../dom.js";
import { gameNamed } from "../play/opponents.js";
import { fetchJson, linkTo } from "../server.js";
import { moveText } from "./tree.js";

/** @import { Node, Tree } from "./tree.js" */
/** @import { EngineAnswer, EngineConnection } from "./engine.js" */
/** @typedef {{ tree: Tree, nodes: Node[] }} Running a review, and the line that it reviews */
/** @typedef {{ go: (id: number) => void, play: (id: number, moves: string[]) => void, valued: () => void, marked: () => void }} Listeners */

const WITHIN = 4.5; // seconds for all positions of a game; more where moves missed something
const MOST = 1; // seconds for a position

export class Review {
  /** @type {EngineConnection} */ #engines;
  /** @type {Listeners} */ #on;
  /** @type {Running | null} */ #running = null;

  // `go` is called with the id of a node to show, `play` with that and the moves of a line from there, `valued` when values of nodes are known, `marked` when moves are
  // marked as missed chances.
  /** @param {EngineConnection} engines @param {Listeners} on */
  constructor(engines, on) {
    this.#engines = engines;
    this.#on = on;
  }

  get isRunning() {
    return this.#running !== null;
  }

  stop() {
    if (!this.#running) return;
    this.#running = null;
    this.#engines.stop("review");
    byId("review").textContent = "Review game";
    this.#note("Review stopped. The findings so far are kept.");
  }

  // Reviews the current line.
  /** @param {Tree} tree */
  async start(tree) {
    const nodes = tree.line();
    const seconds = Math.min(MOST, WITHIN / nodes.length);
    const running = { tree, nodes };
    this.#running = running;
    byId("review").textContent = "Stop review";
    this.#note("Preparing the game…");
    let record;
    try {
      record = (await fetchJson("/api/study/write", tree.toRequest("pentad", nodes.map((node) => ({ ...node, comment: "", missed: "" }))))).text;
    } catch (error) {
      return this.#finish(running, messageOf(error));
    }
    if (this.#running !== running) return;
    for (const node of nodes) [node.missed, node.best, node.better] = ["", "", []];
    this.#on.marked();
    this.list(tree);
    this.#engines.send({ type: "review", record, seconds }, (answer) => this.#running === running && this.#receive(running, answer));
  }

  /** @param {Running} running @param {EngineAnswer} answer */
  #receive(running, answer) {
    const { tree, nodes } = running;
    if (answer.type === "waiting") {
      if (answer.place > 0) this.#note(`Waiting for an engine. Place in the queue: ${answer.place}.`);
    } else if (answer.type === "lost") {
      this.#note("The server cannot be reached. The review restarts when it is back.");
    } else if (answer.type === "error") {
      this.#finish(running, answer.error);
    } else if (answer.type === "ply") {
      this.#note(`Reviewing move ${Math.min(answer.ply + 1, nodes.length - 1)} of ${nodes.length - 1}…`);
      const before = nodes[answer.ply];
      [before.values, before.proved] = [answer.values, answer.exact];
      const after = nodes[answer.ply + 1];
      if (after && answer.missed) {
        [after.missed, after.best, after.better] = [answer.missed, answer.best_words ?? "", answer.line ?? []];
        this.list(tree);
        this.#on.marked();
      }
      this.#on.valued();
    } else if (answer.type === "done") {
      const count = nodes.filter((node) => node.missed).length;
      this.#finish(
        running,
        count
          ? `${count === 1 ? "One move" : `${count} moves`} missed a proved result.`
          : "No move missed a proved result.",
      );
    }
  }

  /** @param {Running} running @param {string} text */
  #finish(running, text) {
    if (this.#running !== running) return;
    this.#running = null;
    byId("review").textContent = "Review game";
    this.#note(text);
    announce(text);
    this.#on.valued();
  }

  /** @param {string} text */
  #note(text) {
    byId("review-note").textContent = text;
  }

  // Lists the missed chances in the whole tree.
  /** @param {Tree} tree */
  list(tree) {
    const missed = tree.ordered().filter((node) => node.missed);
    byId("review-list").replaceChildren(...missed.map((node) => this.#item(tree, node, tree.path(node.id).length - 1)));
  }

  /** @param {Tree} tree @param {Node} node @param {number} ply */
  #item(tree, node, ply) {
    const before = tree.parent(node) ?? tree.root;
    /** @param {string} text @param {() => void} act */
    const action = (text, act) =>
      make("button", { type: "button", onclick: act, ariaLabel: `${text}: move ${ply}, ${moveText(node)}` }, text);
    return make(
      "li",
      {},
      make("p", {}, make("strong", {}, `${ply}. ${moveText(node)}`), ` (${capitalize(tree.coloursAt(before)[node.seat ?? 0])}): ${node.missed}`),
      node.best ? make("p", { className: "small" }, `Better: ${node.best}`) : null,
      make(
        "div",
        { className: "bar" },
        action("Show", () => this.#on.go(before.id)),
        node.better?.length ? action("Play the better line", () => this.#on.play(before.id, node.better ?? [])) : null,
        action("Try again from here", () => this.#again(tree, node, before)),
      ),
    );
  }

  // Starts a game from before the move against the default opponent, or shows the position if that fails.
  /** @param {Tree} tree @param {Node} node @param {Node} before */
  async #again(tree, node, before) {
    try {
      const catalogue = await fetchJson("/api/games");
      const { rival } = gameNamed(catalogue, tree.game);
      const seats = tree.colours.map((_, seat) => (seat === node.seat ? catalogue.person : rival));
      const room = await fetchJson("/api/rooms", { game: tree.game, seats, position: before.position });
      location.assign(linkTo(room.page));
    } catch (error) {
      this.#on.go(before.id);
      notify(`Cannot start a game: ${messageOf(error)} Try it on this board.`);
    }
  }
}
