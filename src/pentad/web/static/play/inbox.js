// The messages of a room, shown one after the other: showing one may take as long as an animation.

/** @import { ToClient } from "../messages.d.ts" */

export class Inbox {
  /** @type {ToClient[]} */ #waiting = [];
  #isShowing = false;
  #show;

  // `show` is called with each message; the next one waits for its promise.
  /** @param {(message: ToClient) => unknown} show */
  constructor(show) {
    this.#show = show;
  }

  get length() {
    return this.#waiting.length;
  }

  clear() {
    this.#waiting.length = 0;
  }

  // Shows a message after those that wait.
  /** @param {ToClient} message */
  async add(message) {
    this.#waiting.push(message);
    if (this.#isShowing) return;
    this.#isShowing = true;
    try {
      for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) await this.#show(next);
    } finally {
      this.#isShowing = false;
    }
  }
}
