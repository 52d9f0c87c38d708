// A board of a notebook without a kernel: it answers touches and buttons as `widget.py` and `turn.py` do.
//
// `standalone.py` joins this script with those that it imports.

import { complete, continuing, fits } from "../static/board/choices.js";
import { gameByRules } from "../static/instant/game.js";
import { Room } from "../static/instant/room.js";

/** @import { View } from "./board.js" */

export class Standalone {
  #room; #moves;
  #steps = "";
  /** @type {string[]} */ #touched = [];

  // A game after some moves, by its rules; they have the drawing from one side alone.
  /** @param {Parameters<typeof gameByRules>[0]} rules @param {string[]} moves */
  static async load(rules, moves) {
    const room = new Room(await gameByRules(rules, () => Promise.resolve(rules.room)), rules.room, []);
    return new Standalone(room, moves);
  }

  /** @param {Room} room @param {string[]} moves */
  constructor(room, moves) {
    this.#room = room;
    this.#moves = [...moves];
    room.follow(this.#moves);
  }

  get #begun() {
    return /** @type {NonNullable<ReturnType<Room["begun"]>>} */ (this.#room.begun(this.#steps));
  }

  // What the board shows.
  /** @returns {Omit<View, "position">} */
  get view() {
    const [begun, touched] = [this.#begun, this.#touched];
    const { svg, status } = (this.#steps ? null : this.#room.earlier(this.#moves.length)) ?? begun; // it marks the last move
    const open = continuing(begun.choices, touched).map(({ targets }) => targets[touched.length]);
    return {
      svg, status, detail: begun.restriction, open: [...new Set(open)], touched, mayEnd: false,
      hasBegun: Boolean(this.#steps || touched.length), moves: this.#moves.length,
    };
  }

  // Follows a touch or a button.
  /** @param {{ touch?: string, act?: string }} message */
  receive({ touch, act }) {
    if (touch) return this.#touch(touch);
    if (act === "undo") this.#moves.pop();
    return this.#show();
  }

  // Shows the position after the moves.
  #show() {
    this.#room.follow(this.#moves);
    [this.#steps, this.#touched] = ["", []];
  }

  /** @param {string} name */
  #touch(name) {
    const [{ choices }, before] = [this.#begun, this.#touched];
    const isAgain = before.at(-1) === name;
    let touched = [...before, name];
    if (!fits(choices, touched)) {
      const [chosen] = complete(choices, before);
      if (isAgain && chosen) return this.#choose(chosen.step);
      touched = isAgain ? before.slice(0, -1) : [name]; // taken back, or another first target
      if (!isAgain && !fits(choices, touched)) return undefined;
    }
    this.#touched = touched;
    const [chosen] = complete(choices, touched);
    return chosen && !continuing(choices, touched).length ? this.#choose(chosen.step) : undefined;
  }

  /** @param {string} step */
  #choose(step) {
    this.#touched = [];
    this.#steps = `${this.#steps} ${step}`.trim();
    if (!this.#begun.whole) return;
    this.#moves.push(this.#steps);
    this.#show();
  }
}
