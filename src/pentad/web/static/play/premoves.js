// Premoves: a turn that is entered before it comes. The server tells what the touches can mean and what can follow; when the
// turn comes, it is played whole or not at all.

import { announce, notify } from "../dom.js";
import { setting } from "../settings/preferences.js";
import { redrawn } from "./state.js";

/** @import { Board } from "../board.js" */
/** @import { ChoiceInfo, FromClient, PremoveAnswer } from "../messages.d.ts" */
/** @import { PageState, Step } from "./state.js" */

/** @param {readonly string[]} one @param {readonly string[]} other */
const isSame = (one, other) => one.length === other.length && one.every((name, i) => name === other[i]);

// The touches that an answer leaves; null if they stay as they are. A touch that cannot follow begins another turn; the
// first one stays even if nothing is possible there now, as the others' moves may change that.
/** @param {Pick<PremoveAnswer, "targets" | "used">} answer @returns {string[] | null} */
export function touchesAfter({ targets, used }) {
  return used < targets.length && targets.length > 1 ? targets.slice(-1) : null;
}

// The steps of a whole turn that these touches have entered; null if it is not known to be whole.
/** @param {Pick<PremoveAnswer, "targets" | "steps" | "whole"> | null} premove @param {string[]} touches */
export const wholeTurn = (premove, touches) => (premove?.whole && isSame(premove.targets, touches) ? premove.steps : null);

// What is shown about a premove, in a line: the turn, or what it needs; nothing before its first step is complete.
/** @param {Pick<PremoveAnswer, "steps" | "prompt" | "whole"> | null} premove */
export const premoveText = (premove) => (premove?.steps ? `Premove: ${premove.whole ? premove.steps : premove.prompt}` : "");

/**
 * What premoves need of the page.
 * @typedef {{
 *   send: (message: FromClient) => unknown, step: (step: Step) => void, choose: (choice: ChoiceInfo) => void,
 *   back: () => void, headline: () => void,
 * }} Page
 */

export class Premoves {
  /** @type {Board} */ #board;
  /** @type {PageState} */ #state;
  /** @type {Page} */ #page;
  #lines = "[]"; // those that were added to the drawing, as JSON

  /** @param {Board} board @param {PageState} state @param {Page} page */
  constructor(board, state, page) {
    this.#board = board;
    this.#state = state;
    this.#page = page;
  }

  get isEmpty() {
    return this.#board.planned.length === 0;
  }

  // Plays the premove on the user's turn, and allows premoves otherwise; after a new drawing, or a change of the settings.
  update({ isDrawn = true } = {}) {
    const { game, connection } = this.#state;
    if (!game) return;
    if (isDrawn) this.#lines = "[]";
    if (game.can.play && !this.isEmpty) this.#play();
    const isPlayer = game.seats.some((seat) => seat.yours);
    this.#board.setPremoves(isPlayer && !game.can.play && !game.outcome && Boolean(connection?.isOpen) && setting("premove"));
    if (this.isEmpty) {
      this.#state.premove = null;
      if (!game.can.play) this.#draw([]);
    } else if (!game.can.play) {
      this.#ask();
    }
  }

  // Plays a whole turn at once; one that is not known to be whole, or is to be confirmed, step by step.
  #play() {
    const [board, state, page] = [this.#board, this.#state, this.#page];
    const steps = setting("confirm") ? null : wholeTurn(state.premove, board.planned);
    const choice = board.takePremove(state.turn.choices);
    state.premove = null;
    if (!choice) {
      if (!board.isBegun) this.#drop();
      return page.headline();
    }
    state.turn.isOwn = state.turn.isPremove = true;
    board.expect(choice);
    if (steps === null) return page.choose(choice);
    board.plan([]);
    notify("");
    return page.step({ steps });
  }

  #drop() {
    if (this.#state.turn.steps) this.#page.back();
    notify("Your premove is no longer possible.");
  }

  // The user has changed the touches.
  /** @param {string[]} targets */
  changed(targets) {
    const { game } = this.#state;
    this.#state.premove = null;
    if (targets.length) this.#ask();
    else if (game && !game.can.play) {
      this.#draw([]);
      announce("Premove cancelled.");
    }
    this.#page.headline();
  }

  #ask() {
    const { game } = this.#state;
    if (game) this.#page.send({ type: "premove", at: game.at, targets: this.#board.planned });
  }

  // Shows what can follow the touches so far.
  /** @param {PremoveAnswer} answer */
  show(answer) {
    const { game } = this.#state;
    if (!game || game.can.play || !isSame(answer.targets, this.#board.planned)) return;
    const restart = touchesAfter(answer);
    if (restart) {
      this.#board.plan(restart);
      this.#ask();
      return;
    }
    this.#state.premove = answer;
    if (answer.whole) this.#board.endPlan();
    else this.#draw(answer.lines);
    this.#page.headline();
    announce(answer.whole ? `Premove: ${answer.prompt} It is played when your turn comes.` : premoveText(answer));
  }

  // Adds targets to the drawing of the game.
  /** @param {PremoveAnswer["lines"]} lines */
  #draw(lines) {
    const { game } = this.#state;
    const text = JSON.stringify(lines);
    if (!game || text === this.#lines) return;
    this.#lines = text;
    this.#board.show(redrawn(game.svg, lines), []);
  }
}
