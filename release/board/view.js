// The board in a page: shows a game, plays the moves of the people at it, and lets bots answer.

import { Board } from "./board.js";
import { announce, button, keepFocus, make, messageOf } from "./dom.js";

/** @import { Change, Choice, Game } from "./index.js" */

const HUMAN = "human";
let count = 0; // of boards; the ids of their texts differ

/**
 * Shows a game on a board. Each seat has a bot's name or "human"; by default all are people at this screen.
 * Returns the function that removes the board.
 * @param {Element} element
 * @param {Game} game
 * @param {{ seats?: string[], theme?: "light" | "dark" | "contrast" }} [options]
 * @returns {() => void}
 */
export function mount(element, game, { seats = [], theme = "light" } = {}) {
  const view = new View(game, seats);
  view.root.dataset.theme = theme;
  element.append(view.root);
  return () => view.remove();
}

class View {
  #game; #seats; #board; #stop;
  #steps = ""; // of the turn that has begun
  #keys = `pentad-keys-${++count}`;
  #status = make("p", { className: "pentad-status" });
  #prompt = make("p", { className: "pentad-prompt" });
  #announcer = make("p", { className: "pentad-hidden", ariaLive: "polite" });
  #cancel = button("Cancel", () => this.#drop());
  #undo = button("Take back", () => this.#takeBack());
  #squares = make("div", { className: "board" });

  /** @param {Game} game @param {string[]} seats */
  constructor(game, seats) {
    this.#game = game;
    this.#seats = seats;
    const buttons = make("div", { className: "pentad-buttons" }, this.#undo, button("New game", () => game.restart()), this.#cancel);
    const keys = make("p", { className: "pentad-hidden", id: this.#keys }, "Arrow keys move around the board, Enter selects, and Escape cancels a partial move.");
    this.root = make("div", { className: "pentad-board" }, this.#status, this.#squares, buttons, this.#prompt, keys, this.#announcer);
    this.root.addEventListener("keydown", ({ key }) => key === "Escape" && this.#drop());
    this.#board = new Board(this.#squares, {
      chosen: (choice) => this.#choose(choice),
      refused: () => this.#announce("You cannot do that here."),
      begun: () => this.#showTexts(),
      optimistic: true,
      keys: this.#keys,
    });
    this.#stop = game.watch((change) => this.#show(change));
    this.#show("restarted");
  }

  remove() {
    this.#stop();
    this.root.remove();
  }

  /** @param {string} text */
  #announce = (text) => announce(text, this.#announcer);

  /** @param {number | null} seat */
  #isHuman = (seat) => seat !== null && (this.#seats[seat] ?? HUMAN) === HUMAN;

  // Shows the position, and lets a bot play if it is to move.
  /** @param {Change} change */
  async #show(change) {
    const game = this.#game;
    const { moves, turn } = game;
    this.#steps = "";
    this.#showTexts();
    const isPlayed = change === "played";
    this.#announce(isPlayed ? `${moves[moves.length - 1].words} ${game.status}` : game.status);
    await this.#board.show(game.svg, this.#isHuman(turn) ? game.choices : [], { fresh: isPlayed, delay: isPlayed });
    if (turn === null || this.#isHuman(turn) || game.moves !== moves) return;
    try {
      const move = await game.choose(this.#seats[turn]);
      if (game.moves === moves && this.root.isConnected) game.play(move);
    } catch (error) {
      this.#prompt.textContent = messageOf(error);
    }
  }

  #showTexts() {
    const { moves, outcome, prompt, status, turn } = this.#game;
    keepFocus(() => this.#squares.querySelector("[tabindex='0']"), () => {
      this.#status.textContent = status;
      this.#prompt.textContent = outcome || !this.#isHuman(turn) ? "" : (this.#begun?.prompt ?? prompt);
      this.#cancel.hidden = !this.#steps && !this.#board.isBegun;
      this.#undo.disabled = !moves.some(({ seat }) => this.#isHuman(seat));
    });
  }

  // The board in the middle of a turn.
  get #begun() {
    return this.#steps ? this.#game.after(this.#steps) : null;
  }

  // Adds a step to the turn, and plays the turn if it is whole.
  /** @param {Choice} choice */
  #choose({ step }) {
    this.#steps = this.#steps ? `${this.#steps} ${step}` : step;
    const begun = this.#begun;
    if (!begun || begun.isWhole) return this.#game.play(this.#steps);
    this.#showTexts();
    this.#announce(begun.prompt);
    this.#board.show(begun.svg, begun.choices);
    return undefined;
  }

  // Cancels a turn that has begun.
  #drop() {
    if (this.#board.cancel() || !this.#steps) return;
    this.#steps = "";
    this.#showTexts();
    this.#board.show(this.#game.svg, this.#game.choices);
  }

  // Takes moves back, as far as the last turn of a person.
  #takeBack() {
    const game = this.#game;
    do game.undo();
    while (game.moves.length && !this.#isHuman(game.turn));
  }
}
