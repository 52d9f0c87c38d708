// A board without a game room: every legal move can be played, and the server returns the next choices.

import { Board } from "./board.js";
import { LruCache } from "./lru.js";
import { fetchJson } from "./server.js";

/** @import { Arrow } from "./board.js" */
/** @import { BoardAnswer, BoardQuery, ChoiceInfo } from "./messages.d.ts" */

/**
 * @typedef {object} Listeners
 * @property {(answer: BoardAnswer) => void} moved called with the server's answer to a whole move
 * @property {(answer: BoardAnswer) => void} prompted called with every other answer
 * @property {() => void} refused called on a touch without effect
 * @property {(error: unknown) => void} failed
 * @property {(marks: Arrow[]) => void} [drawn] called with the user's circles and arrows, which the caller keeps
 */

const CACHED = 200; // positions; stepping through a game needs no server

export class FreePlayBoard {
  /** @type {Board} */ #board;
  /** @type {Listeners} */ #on;
  /** @type {BoardAnswer | null} */ #shown = null; // the server's answer for the position
  #steps = "";
  #flip = false;
  #requests = 0; // the number of the latest request, to drop late answers
  /** @type {LruCache<BoardAnswer>} */ #cache = new LruCache(CACHED); // each query has its answer

  // The board is turned by `flip`, or by that of a later `set`.
  /** @param {HTMLElement} root @param {Partial<Listeners> & Pick<Listeners, "moved"> & { flip?: boolean }} listeners */
  constructor(root, { moved, prompted = () => {}, refused = () => {}, failed = () => {}, drawn, flip = false }) {
    this.#on = { moved, prompted, refused, failed };
    this.#flip = flip;
    this.#board = new Board(root, { chosen: (choice) => this.choose(choice), refused, drawn, optimistic: true });
  }

  get board() {
    return this.#board;
  }

  get shown() {
    return this.#shown;
  }

  get steps() {
    return this.#steps;
  }

  // Shows a position, given as text; `last` is the move that led there. A `locked` board has no choices.
  /** @param {string} position @param {{ last?: string, flip?: boolean, fresh?: boolean, locked?: boolean }} how */
  async set(position, { last = "", flip = this.#flip, fresh = false, locked = false } = {}) {
    this.#flip = flip;
    this.#steps = "";
    const answer = await this.#request({ position, last, flip });
    if (!answer) return null;
    this.#shown = answer;
    this.#on.prompted(answer);
    await this.#board.show(answer.svg, locked ? [] : answer.choices, { fresh, delay: fresh });
    return answer;
  }

  // Draws a whole turn from this position: the targets of its first step, and those of the later ones as they will be. Returns it in words, or an
  // empty text if the board has changed meanwhile.
  /** @param {string} move */
  async showTurn(move) {
    const [shown, number] = [this.#shown, this.#requests];
    if (!shown) return "";
    const { steps: [first, ...later], svg, words } = await fetchJson("/api/board/turn", { position: shown.position, move, flip: this.#flip });
    if (number !== this.#requests) return "";
    this.#board.point(first.targets, later.flatMap(({ targets }) => targets), svg);
    return words;
  }

  // Cancels a partial turn; returns whether there was one.
  cancel() {
    if (this.#board.cancel()) return true;
    if (!this.#steps || !this.#shown) return false;
    this.#steps = "";
    this.#on.prompted(this.#shown);
    this.#board.show(this.#shown.svg, this.#shown.choices);
    return true;
  }

  // Ends a turn that could continue.
  end() {
    return this.#play(this.#steps, true);
  }

  /** @param {ChoiceInfo} choice */
  choose(choice) {
    return this.#play(this.#steps ? `${this.#steps} ${choice.step}` : choice.step, false);
  }

  /** @param {string} steps @param {boolean} end */
  async #play(steps, end) {
    if (!this.#shown) return;
    const answer = await this.#request({ position: this.#shown.position, steps, end, flip: this.#flip });
    if (!answer) return;
    if (answer.moved) {
      this.#on.moved(answer);
      return;
    }
    this.#steps = answer.steps;
    this.#on.prompted(answer);
    await this.#board.show(answer.svg, answer.choices);
  }

  /** @param {BoardQuery} query */
  async #request(query) {
    const number = ++this.#requests;
    const key = JSON.stringify(query);
    try {
      const answer = this.#cache.get(key) ?? (await fetchJson("/api/board", query));
      this.#cache.set(key, answer);
      return number === this.#requests ? answer : null;
    } catch (error) {
      if (number !== this.#requests) return null;
      this.#board.revertChoice();
      this.#on.failed(error);
      return null;
    }
  }
}
