// A puzzle on a board: the server checks each move and replies, until the puzzle is solved.

import { announce, messageOf, notify } from "../dom.js";
import { Exercise, wait } from "../learn/exercise.js";
import { fetchJson } from "../server.js";
import { phrase } from "../words.js";

/** @import { PuzzleAnswer, SolutionAnswer, StepHint, TryAnswer } from "../messages.d.ts" */
/** @typedef {"again" | "next" | "hint" | "solution"} Offer what the page offers now */
/** @typedef {StepHint & { isArea?: boolean }} Hint the steps to point out, or with `isArea` only a part of the board around the first target */

/**
 * A puzzle: its position, and where the answers about moves come from. The client's moves so far are without replies.
 * @typedef {object} Task
 * @property {string} position
 * @property {(moves: string[]) => Promise<TryAnswer>} attempt the last move is the attempt
 * @property {(moves: string[]) => Promise<Hint>} hint
 * @property {() => Promise<Pick<SolutionAnswer, "position"> & { moves: Array<Omit<SolutionAnswer["moves"][number], "colour">> }>} solution
 * @property {(verdict: string) => string} solvedText
 * @property {string} [checkingText] shown until an attempt is answered, if that takes long
 */

/**
 * @typedef {object} Listeners
 * @property {(offers: Offer[], main?: Offer) => void} offered called with all offers, and the one that gets the focus
 * @property {(line: string[]) => void} [played] called with the descriptions of all moves played
 * @property {() => void} solved called once all moves are found without the solution
 * @property {(how: "wrong" | "hint" | "solution") => void} [missed] called after a wrong move, and when help was asked for
 */

// A puzzle of the server.
/** @param {Pick<PuzzleAnswer, "id" | "position">} puzzle @returns {Task} */
export const puzzleTask = ({ id, position }) => ({
  position,
  attempt: (moves) => fetchJson(`/api/puzzles/${id}/try`, { moves }),
  hint: (moves) => fetchJson(`/api/puzzles/${id}/hint`, { moves }),
  solution: () => fetchJson(`/api/puzzles/${id}/solution`),
  solvedText: (verdict) => phrase("{verdict} Solved.", { verdict }),
});

export class PuzzleBoard {
  /** @type {Task | null} */ #task = null;
  /** @type {Listeners} */ #on;
  /** @type {Exercise} */ exercise;
  /** @type {string[]} */ #own = []; // correct moves so far
  /** @type {string[]} */ #line = []; // descriptions of all moves played
  #position = "";
  #wasShown = false; // whether the solution was shown
  #isWrong = false; // whether the board shows a wrong move
  #visit = 0; // increases with every change of the board, to drop late answers

  /** @param {Listeners} on @param {{ flip?: boolean }} how */
  constructor(on, { flip = false } = {}) {
    this.#on = on;
    this.exercise = new Exercise({ moved: (answer) => this.#attempt(answer.moved ?? ""), flip });
  }

  get #open() {
    if (!this.#task) throw new Error("No puzzle is open.");
    return this.#task;
  }

  // Shows a puzzle from its beginning.
  /** @param {Task} task */
  open(task) {
    this.#task = task;
    this.#wasShown = false;
    return this.restart();
  }

  // Leaves the puzzle; the board is free for other positions.
  close() {
    this.#visit += 1;
    this.#task = null;
    this.exercise.showFeedback("");
  }

  async restart() {
    this.#own = [];
    this.#line = [];
    this.#position = this.#open.position;
    await this.#showTask();
  }

  // Shows the last position again in which a move is to be found.
  again() {
    return this.#position === this.#open.position ? this.restart() : this.#showTask();
  }

  async #showTask() {
    this.#visit += 1;
    this.#isWrong = false;
    this.exercise.showFeedback("");
    this.#on.offered(["hint", "solution"]);
    this.#on.played?.(this.#line);
    await this.exercise.start(this.#position);
  }

  /** @param {string} move */
  async #attempt(move) {
    const mine = this.#visit;
    try {
      const { checkingText } = this.#open;
      if (checkingText) this.exercise.showFeedback(checkingText);
      const answer = await this.#open.attempt([...this.#own, move]);
      if (mine !== this.#visit) return;
      await this.exercise.showMove(answer.after, answer.move);
      if (mine !== this.#visit) return;
      if (!answer.right) {
        this.#isWrong = true;
        this.#on.missed?.("wrong");
        this.exercise.showFeedback(answer.words, true);
        this.#on.offered(["again", "hint", "solution"], "again");
        return;
      }
      this.#own.push(answer.move);
      this.#add(answer.move_words);
      if (answer.over) return this.#end(answer.words);
      this.exercise.showFeedback(answer.words);
      this.#on.offered([]);
      await wait(700);
      if (mine !== this.#visit) return;
      this.#add(answer.reply_words);
      this.#position = answer.position;
      const reply = answer.reply ?? "";
      await this.exercise.showMove(this.#position, reply);
      if (mine !== this.#visit) return;
      await this.exercise.start(this.#position, { last: reply });
      this.exercise.showFeedback(phrase("{verdict} Reply: {reply}", { verdict: answer.words, reply: answer.reply_words }));
      this.#on.offered(["hint", "solution"]);
    } catch (error) {
      if (mine !== this.#visit) return;
      notify(messageOf(error));
      this.#showTask();
    }
  }

  /** @param {string} words of a move played */
  #add(words) {
    this.#line.push(words);
    this.#on.played?.(this.#line);
  }

  /** @param {string} text */
  #end(text) {
    if (!this.#wasShown) this.#on.solved();
    this.exercise.showFeedback(this.#wasShown ? text : this.#open.solvedText(text));
    this.#position = this.#open.position;
    this.#own = [];
    this.#on.offered(["again", "next"], "next");
  }

  async showHint() {
    const mine = this.#visit;
    try {
      const answer = await this.#open.hint(this.#own);
      if (mine !== this.#visit) return;
      this.#on.missed?.("hint");
      if (this.#isWrong) await this.#showTask();
      if (answer.isArea) this.exercise.pointAround(answer.steps[0].targets[0]);
      else this.exercise.point(answer.steps);
      this.exercise.showFeedback(phrase("Hint: {move}.", { move: answer.words }));
    } catch (error) {
      notify(messageOf(error));
    }
  }

  async showSolution() {
    this.#visit += 1;
    const mine = this.#visit;
    try {
      const answer = await this.#open.solution();
      if (mine !== this.#visit) return;
      this.#wasShown = true;
      this.#on.missed?.("solution");
      [this.#own, this.#line, this.#position] = [[], [], this.#open.position];
      this.#on.played?.(this.#line);
      this.#on.offered(["again"]);
      this.exercise.showFeedback("This is one solution.");
      await this.exercise.start(answer.position, { still: true });
      for (const each of answer.moves) {
        await wait(900);
        if (mine !== this.#visit) return;
        await this.exercise.showMove(each.position, each.move);
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
