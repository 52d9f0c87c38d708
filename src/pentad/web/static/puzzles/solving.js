// A puzzle on a board: the server checks each move and replies, until the puzzle is solved.

import { announce, messageOf, notify } from "../dom.js";
import { Exercise, wait } from "../learn/exercise.js";
import { fetchJson } from "../server.js";
import { phrase } from "../words.js";

/** @import { PuzzleAnswer } from "../messages.d.ts" */
/** @typedef {"again" | "next" | "hint" | "solution"} Offer what the page offers now */

/**
 * @typedef {object} Listeners
 * @property {(offers: Offer[], main?: Offer) => void} offered called with all offers, and the one that gets the focus
 * @property {(line: string[]) => void} played called with the descriptions of all moves played
 * @property {() => void} solved called once all moves are found without the solution
 */

export class PuzzleBoard {
  /** @type {PuzzleAnswer} */ #puzzle;
  /** @type {Listeners} */ #on;
  /** @type {Exercise} */ #exercise;
  /** @type {string[]} */ #own = []; // correct moves so far
  /** @type {string[]} */ #line = []; // descriptions of all moves played
  #position;
  #wasShown = false; // whether the solution was shown
  #isWrong = false; // whether the board shows a wrong move
  #visit = 0; // increases with every change of the board, to drop late answers

  /** @param {PuzzleAnswer} puzzle @param {Listeners} on @param {{ flip?: boolean }} how */
  constructor(puzzle, on, { flip = false } = {}) {
    this.#puzzle = puzzle;
    this.#on = on;
    this.#position = puzzle.position;
    this.#exercise = new Exercise({ moved: (answer) => this.#attempt(answer.moved ?? ""), flip });
  }

  async restart() {
    this.#own = [];
    this.#line = [];
    this.#position = this.#puzzle.position;
    await this.#showTask();
  }

  // Shows the last position again in which a move is to be found.
  again() {
    return this.#position === this.#puzzle.position ? this.restart() : this.#showTask();
  }

  async #showTask() {
    this.#visit += 1;
    this.#isWrong = false;
    this.#exercise.showFeedback("");
    this.#on.offered(["hint", "solution"]);
    this.#on.played(this.#line);
    await this.#exercise.start(this.#position);
  }

  /** @param {string} move */
  async #attempt(move) {
    const mine = this.#visit;
    try {
      const answer = await fetchJson(`/api/puzzles/${this.#puzzle.id}/try`, { moves: [...this.#own, move] });
      await this.#exercise.showMove(answer.after, answer.move);
      if (mine !== this.#visit) return;
      if (!answer.right) {
        this.#isWrong = true;
        this.#exercise.showFeedback(answer.words, true);
        this.#on.offered(["again", "hint", "solution"], "again");
        return;
      }
      this.#own.push(answer.move);
      this.#add(answer.move_words);
      if (answer.over) return this.#end(answer.words);
      this.#exercise.showFeedback(answer.words);
      this.#on.offered([]);
      await wait(700);
      if (mine !== this.#visit) return;
      this.#add(answer.reply_words);
      this.#position = answer.position;
      const reply = answer.reply ?? "";
      await this.#exercise.showMove(this.#position, reply);
      if (mine !== this.#visit) return;
      await this.#exercise.start(this.#position, { last: reply });
      this.#exercise.showFeedback(phrase("{verdict} Reply: {reply}", { verdict: answer.words, reply: answer.reply_words }));
      this.#on.offered(["hint", "solution"]);
    } catch (error) {
      notify(messageOf(error));
      this.#showTask();
    }
  }

  /** @param {string} words of a move played */
  #add(words) {
    this.#line.push(words);
    this.#on.played(this.#line);
  }

  /** @param {string} text */
  #end(text) {
    if (!this.#wasShown) this.#on.solved();
    this.#exercise.showFeedback(this.#wasShown ? text : phrase("{verdict} Solved.", { verdict: text }));
    this.#position = this.#puzzle.position;
    this.#own = [];
    this.#on.offered(["again", "next"], "next");
  }

  async showHint() {
    const mine = this.#visit;
    try {
      const answer = await fetchJson(`/api/puzzles/${this.#puzzle.id}/hint`, { moves: this.#own });
      if (mine !== this.#visit) return;
      if (this.#isWrong) await this.#showTask();
      this.#exercise.point(answer.steps);
      this.#exercise.showFeedback(phrase("Hint: {move}.", { move: answer.words }));
    } catch (error) {
      notify(messageOf(error));
    }
  }

  async showSolution() {
    this.#visit += 1;
    const mine = this.#visit;
    try {
      const answer = await fetchJson(`/api/puzzles/${this.#puzzle.id}/solution`);
      this.#wasShown = true;
      [this.#own, this.#line, this.#position] = [[], [], this.#puzzle.position];
      this.#on.played(this.#line);
      this.#on.offered(["again"]);
      this.#exercise.showFeedback("This is one solution.");
      await this.#exercise.start(answer.position, { still: true });
      for (const each of answer.moves) {
        await wait(900);
        if (mine !== this.#visit) return;
        await this.#exercise.showMove(each.position, each.move);
        if (mine !== this.#visit) return;
        this.#add(each.words);
        announce(each.words);
      }
      this.#on.offered(["again", "next"]);
    } catch (error) {
      notify(messageOf(error));
    }
  }
}
