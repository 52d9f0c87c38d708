// A board without a room: anything legal can be played on it, and the server is asked what can follow.

import { Board } from "/static/board.js";
import { ask } from "/static/dom.js";

const KEPT = 200; // positions that need not be asked for again: going through a game is quick, and needs no server

export class FreeBoard {
  #board;
  #on;
  #shown = null; // what the server said of the position
  #steps = "";
  #flip = false;
  #asked = 0; // so that an answer that comes too late is known as such
  #known = new Map(); // answers to what was asked before, the latest last

  // `moved` gets what the server says after a whole move was chosen, `prompted` whenever something else is asked
  // for, `refused` when a touch means nothing, `failed` an error.
  constructor(root, { moved, prompted = () => {}, refused = () => {}, failed = () => {} }) {
    this.#on = { moved, prompted, refused, failed };
    this.#board = new Board(root, { chosen: (choice) => this.#chosen(choice), refused, foresees: true });
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

  // Show a position, by its text; `last` is the move that led there. Nothing can be chosen where `still`.
  async set(position, { last = "", flip = this.#flip, fresh = false, still = false } = {}) {
    this.#flip = flip;
    this.#steps = "";
    const told = await this.#ask({ position, last, flip });
    if (!told) return null;
    this.#shown = told;
    this.#on.prompted(told);
    await this.#board.show(told.svg, still ? [] : told.choices, { fresh, delay: fresh });
    return told;
  }

  // Back to the beginning of a half-made turn; whether there was one.
  cancel() {
    if (this.#board.cancel()) return true;
    if (!this.#steps) return false;
    this.#steps = "";
    this.#on.prompted(this.#shown);
    this.#board.show(this.#shown.svg, this.#shown.choices);
    return true;
  }

  // The end of a turn that might go on.
  end() {
    return this.#go(this.#steps, true);
  }

  choose(choice) {
    return this.#chosen(choice);
  }

  #chosen(choice) {
    return this.#go(this.#steps ? `${this.#steps} ${choice.step}` : choice.step, false);
  }

  async #go(steps, end) {
    const told = await this.#ask({ position: this.#shown.position, steps, end, flip: this.#flip });
    if (!told) return;
    if (told.moved) {
      this.#on.moved(told);
      return;
    }
    this.#steps = told.steps;
    this.#on.prompted(told);
    await this.#board.show(told.svg, told.choices);
  }

  async #ask(query) {
    const number = ++this.#asked;
    const key = JSON.stringify(query);
    try {
      const told = this.#known.get(key) ?? (await ask("/api/board", query));
      this.#known.delete(key);
      this.#known.set(key, told);
      if (this.#known.size > KEPT) this.#known.delete(this.#known.keys().next().value);
      return number === this.#asked ? told : null;
    } catch (error) {
      if (number !== this.#asked) return null;
      this.#board.answered();
      this.#on.failed(error);
      return null;
    }
  }
}
