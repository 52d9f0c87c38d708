// The exercise board of lessons and puzzles: a board, the buttons of a partial turn, and feedback on a move.

import { announce, byId, messageOf, notify } from "../dom.js";
import { FreePlayBoard } from "../freeplay.js";

/** @import { BoardAnswer, ChoiceInfo } from "../messages.d.ts" */

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
/** @param {number} time */
export const wait = (time) => new Promise((done) => setTimeout(done, reducedMotion.matches ? time / 3 : time));

/** @param {BoardAnswer} answer @param {boolean} isLocked */
function showPrompt(answer, isLocked) {
  byId("prompt").textContent = answer.outcome || isLocked ? "" : answer.prompt;
}

export class Exercise {
  #steps = 0; // of the partial turn
  #isLocked = false; // while there is nothing to choose
  /** @type {(answer: BoardAnswer, isLocked: boolean) => void} */ #prompted;
  /** @type {ChoiceInfo[] | null} */ #hint = null; // the touches of a move that is pointed out step by step

  // `moved` is called with the server's answer to a whole move, `prompted` with every other answer, and with whether
  // the board is locked; `flip` turns the board.
  /** @param {{ moved: (answer: BoardAnswer) => void, prompted?: (answer: BoardAnswer, isLocked: boolean) => void, flip?: boolean }} on */
  constructor({ moved, prompted = showPrompt, flip = false }) {
    this.#prompted = prompted;
    this.free = new FreePlayBoard(byId("board"), {
      moved: (answer) => {
        this.#showButtons(null);
        moved(answer);
      },
      prompted: (answer) => this.#receive(answer),
      refused: () => announce("You cannot do that here."),
      failed: (error) => notify(messageOf(error)),
      flip,
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

  // Shows a position to play from, or with `locked` only to look at; returns the server's answer.
  /** @param {string} position @param {{ last?: string, locked?: boolean, still?: boolean, fresh?: boolean }} options */
  async start(position, options = {}) {
    this.#hint = null;
    this.#showButtons(null);
    this.#isLocked = Boolean(options.locked);
    notify("");
    return this.free.set(position, options);
  }

  // Shows the position after a move, animated and locked.
  /** @param {string} position @param {string} last */
  async showMove(position, last) {
    this.#hint = null;
    this.#showButtons(null);
    this.#isLocked = true;
    return this.free.set(position, { last, fresh: true, locked: true });
  }

  // Points out the touches of a move, from the start of the turn.
  /** @param {ChoiceInfo[]} touches */
  point(touches) {
    this.cancel();
    this.#hint = touches;
    this.#steps = 0;
    this.#mark();
  }

  // Points out the part of the board around a target, from the start of the turn.
  /** @param {string} target */
  pointAround(target) {
    this.cancel();
    this.#hint = null;
    const { board } = this.free;
    board.point(board.around(target));
  }

  /** @param {string} text */
  showFeedback(text, bad = false) {
    const line = byId("verdict");
    line.textContent = text;
    line.className = bad ? "bad" : "";
    line.hidden = !text;
    // On a phone the line may be out of view.
    if (text) requestAnimationFrame(() => byId("foot").scrollIntoView({ block: "nearest" }));
  }

  /** @param {BoardAnswer} answer */
  #receive(answer) {
    this.#prompted(answer, this.#isLocked);
    this.#showButtons(answer);
    if (this.#hint) requestAnimationFrame(() => this.#mark());
  }

  /** @param {BoardAnswer | null} answer */
  #showButtons(answer) {
    const begun = Boolean(answer?.steps);
    this.#steps = begun ? this.#steps + 1 : 0;
    byId("cancel").hidden = !begun;
    byId("end").hidden = !(begun && answer?.may_end);
  }

  #mark() {
    const touch = this.#hint?.[this.#steps];
    if (touch) this.free.board.point(touch.targets);
  }
}
