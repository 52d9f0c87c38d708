// The review of a game: the marks of its moves, with buttons for a better line and to try again, and accuracies.

import { announce, byId, capitalize, make, messageOf, notify } from "../dom.js";
import { gameNamed } from "../play/opponents.js";
import { fetchJson, linkTo } from "../server.js";
import { MARKS, moveText } from "./tree.js";
import { phrase, plural } from "../words.js";

/** @import { Node, Tree } from "./tree.js" */
/** @import { EngineAnswer, EngineConnection } from "./connection.js" */
/** @typedef {{ tree: Tree, nodes: Node[] }} Running a review, and the line that it reviews */
/**
 * `go` is called with the id of a node to show and the line that is better than its next move, `play` with the id and the moves of a line to play
 * from there, `valued` when values of nodes are known, `marked` when moves are marked, `listed` with the number of marked moves, and `ended` after a whole review. `nameOf` is the name of a seat.
 * @typedef {object} Listeners
 * @property {(id: number, better: string[]) => void} go
 * @property {(id: number, moves: string[]) => void} [play]
 * @property {() => void} valued
 * @property {() => void} marked
 * @property {() => void} [ended]
 * @property {(count: number) => void} [listed]
 * @property {(tree: Tree, seat: number) => string} [nameOf]
 */

const WITHIN = 3; // seconds for all positions of a game; more where other moves are compared
const MOST = 0.7; // seconds for a position
/** @type {Array<[string, (count: number) => string]>} */ const FAULTS = [ // the marks of a review: sign, and how many there are
  ["?!", (count) => plural(count, "1 inaccuracy", "{count} inaccuracies")],
  ["?", (count) => plural(count, "1 mistake", "{count} mistakes")],
  ["??", (count) => plural(count, "1 blunder", "{count} blunders")],
];

// The marked move that decided a game: the one by which a player who did not win gave away most. Null without marks.
/** @param {Node[]} nodes of the line */
export function turningPoint(nodes) {
  const end = nodes[nodes.length - 1].chances ?? [];
  const marked = nodes.filter((node) => node.mark && node.sentence);
  const lost = marked.filter((node) => end[node.seat ?? 0] < Math.max(...end));
  /** @type {Node | null} */ let worst = null;
  for (const node of lost.length ? lost : marked) if (!worst || (node.loss ?? 0) >= (worst.loss ?? 0)) worst = node;
  return worst;
}

// What a whole review has found: the move that decided the game, and how many moves have each mark.
/** @param {Node[]} nodes */
export const summaryText = (nodes) => [turningPoint(nodes)?.sentence, countText(nodes)].filter(Boolean).join(" ") || "No move gave away a chance to win.";

// How many moves have each mark, as a sentence; empty if none has one.
/** @param {Node[]} nodes */
export function countText(nodes) {
  const counts = FAULTS.map(([mark, text]) => ({ text, count: nodes.filter((node) => node.mark === mark).length })).filter(({ count }) => count);
  return counts.length ? phrase("{counts}.", { counts: counts.map(({ text, count }) => text(count)).join(", ") }) : "";
}

export class Review {
  /** @type {EngineConnection} */ #engines;
  /** @type {Listeners} */ #on;
  /** @type {Running | null} */ #running = null;

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
      record = (await fetchJson("/api/study/write", tree.toRequest("pentad", nodes.map((node) => ({ ...node, comment: "", missed: "", mark: "" }))))).text;
    } catch (error) {
      return this.#finish(running, messageOf(error));
    }
    if (this.#running !== running) return;
    for (const node of nodes) [node.mark, node.missed, node.best, node.better, node.sentence] = ["", "", "", [], ""];
    tree.accuracies = [];
    this.#on.marked();
    this.list(tree);
    this.#engines.send({ type: "review", record, seconds }, (answer) => this.#running === running && this.#receive(running, answer));
  }

  /** @param {Running} running @param {EngineAnswer} answer */
  #receive(running, answer) {
    const { tree, nodes } = running;
    if (answer.type === "waiting") {
      if (answer.place > 0) this.#note(phrase("Waiting for an engine. Place in the queue: {place}.", { place: answer.place }));
    } else if (answer.type === "lost") {
      this.#note("The server cannot be reached. The review will resume when it is back.");
    } else if (answer.type === "error") {
      this.#finish(running, answer.error);
    } else if (answer.type === "ply") {
      const last = nodes.length - 1;
      this.#note(phrase("Reviewing move {move} of {last}…", { move: Math.min(answer.ply + 1, last), last }));
      const before = nodes[answer.ply];
      [before.values, before.chances, before.proved] = [answer.values, answer.chances, answer.exact];
      const after = nodes[answer.ply + 1];
      tree.accuracies = answer.accuracies ?? tree.accuracies;
      if (after && answer.mark) {
        [after.mark, after.missed, after.best, after.better] = [answer.mark, answer.missed ?? "", answer.better ?? "", answer.line ?? []];
        [after.loss, after.sentence] = [answer.loss, answer.sentence];
        this.list(tree);
        this.#on.marked();
      }
      this.#on.valued();
    } else if (answer.type === "done") {
      this.list(tree);
      this.#finish(running, summaryText(nodes));
      this.#on.ended?.();
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

  // Lists the accuracies, and the marked moves of the whole tree.
  /** @param {Tree} tree */
  list(tree) {
    const marked = tree.ordered().filter((node) => node.mark && node.missed);
    byId("review-list").replaceChildren(...marked.map((node) => this.#item(tree, node, tree.path(node.id).length - 1)));
    this.#on.listed?.(marked.length);
    byId("accuracies").hidden = !tree.accuracies.length;
    if (tree.accuracies.length) byId("accuracies").tBodies[0].replaceChildren(...tree.colours.map((colour, seat) => this.#row(tree, colour, seat)));
  }

  /** @param {Tree} tree @param {string} colour @param {number} seat */
  #row(tree, colour, seat) {
    const marks = tree.line(0).filter((node) => node.seat === seat).map((node) => node.mark);
    const accuracy = tree.accuracies[seat];
    return make(
      "tr",
      {},
      make("th", { scope: "row" }, this.#on.nameOf?.(tree, seat) ?? capitalize(colour)),
      make("td", {}, typeof accuracy === "number" ? `${Math.round(accuracy)}%` : "–"),
      ...FAULTS.map(([mark]) => make("td", {}, String(marks.filter((each) => each === mark).length))),
    );
  }

  /** @param {Tree} tree @param {Node} node @param {number} ply */
  #item(tree, node, ply) {
    const before = tree.parent(node) ?? tree.root;
    const { play } = this.#on;
    /** @param {string} text @param {() => void} act */
    const action = (text, act) =>
      make("button", { type: "button", onclick: act, ariaLabel: phrase("{action}: move {ply}, {move}", { action: text, ply, move: moveText(node) }) }, text);
    return make(
      "li",
      {},
      make("p", {}, make("strong", { className: MARKS[node.mark] }, `${ply}. ${moveText(node)}${node.mark}`), ` (${capitalize(tree.coloursAt(before)[node.seat ?? 0])}): ${node.missed}`),
      node.best ? make("p", { className: "small" }, phrase("Better: {move}", { move: node.best })) : null,
      make(
        "div",
        { className: "bar" },
        action("Show", () => this.#on.go(before.id, node.better ?? [])),
        play && node.better?.length ? action("Play the better line", () => play(before.id, node.better ?? [])) : null,
        action("Try again from here", () => this.again(tree, node)),
      ),
    );
  }

  // Starts a game from before the move against the default opponent, or shows the position if that fails.
  /** @param {Tree} tree @param {Node} node */
  async again(tree, node) {
    const before = tree.parent(node) ?? tree.root;
    try {
      const catalogue = await fetchJson("/api/games");
      const { default_opponent: opponent } = gameNamed(catalogue, tree.game);
      const seats = tree.colours.map((_, seat) => (seat === node.seat ? catalogue.person : opponent));
      const room = await fetchJson("/api/rooms", { game: tree.game, seats, position: before.position });
      location.assign(linkTo(room.page));
    } catch (error) {
      this.#on.go(before.id, []);
      notify(phrase("Cannot start a game: {reason} Try it on this board.", { reason: messageOf(error) }));
    }
  }
}
