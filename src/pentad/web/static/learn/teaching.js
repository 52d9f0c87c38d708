// What lessons and puzzles share: a board, the buttons of a half-made turn, and what is said of a move.

import { announce, byId, tell } from "/static/dom.js";
import { FreeBoard } from "/static/free.js";

export const still = matchMedia("(prefers-reduced-motion: reduce)");
export const wait = (time) => new Promise((done) => setTimeout(done, still.matches ? time / 3 : time));

export class Teaching {
  #steps = 0; // of the turn that has been begun
  #quiet = false; // while there is nothing to choose
  #pointed = null; // the touches of a move that is being shown, step by step

  // `moved` gets a whole move in notation.
  constructor({ moved }) {
    this.free = new FreeBoard(byId("board"), {
      moved: (told) => {
        this.#begun(null);
        moved(told);
      },
      prompted: (told) => this.#prompted(told),
      refused: () => announce("Nothing can be done there now"),
      failed: (error) => tell(error.message),
    });
    byId("cancel").onclick = () => this.cancel();
    byId("end").onclick = () => this.free.end();
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.cancel();
    });
  }

  cancel() {
    return this.free.cancel();
  }

  // A position to play on; or one only to look at.
  async start(position, more = {}) {
    this.#pointed = null;
    this.#begun(null);
    this.#quiet = Boolean(more.still);
    tell("");
    return this.free.set(position, more);
  }

  // A position after a move, to look at; the board moves as the pieces did.
  async look(position, last) {
    this.#pointed = null;
    this.#begun(null);
    this.#quiet = true;
    return this.free.set(position, { last, fresh: true, still: true });
  }

  // Point at what is touched for a move, from the beginning of the turn on.
  point(touches) {
    this.cancel();
    this.#pointed = touches;
    this.#steps = 0;
    this.#mark();
  }

  say(words, bad = false) {
    const line = byId("verdict");
    line.textContent = words && `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?…]$/.test(words) ? "" : "."}`;
    line.className = bad ? "bad" : "";
    line.hidden = !words;
    // On a phone this may be below what is seen.
    if (words) requestAnimationFrame(() => byId("foot").scrollIntoView({ block: "nearest" }));
  }

  #prompted(told) {
    byId("prompt").textContent = told.outcome || this.#quiet ? "" : told.prompt;
    this.#begun(told);
    if (this.#pointed) requestAnimationFrame(() => this.#mark());
  }

  #begun(told) {
    const begun = Boolean(told?.steps);
    this.#steps = begun ? this.#steps + 1 : 0;
    byId("cancel").hidden = !begun;
    byId("end").hidden = !(begun && told.may_end);
  }

  #mark() {
    const touch = this.#pointed?.[this.#steps];
    if (touch) this.free.board.point(touch.targets);
  }
}
