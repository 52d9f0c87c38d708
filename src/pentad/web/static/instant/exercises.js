// Lessons and puzzles in the page: the same verdicts on moves as those of the server, from data with all answers.

import { NotCovered } from "./turns.js";

/** @import { CheckAnswer, CheckQuery, LessonAnswer, PuzzleAnswer, SolutionAnswer, StepHint, TryAnswer, TryQuery } from "../messages.d.ts" */
/** @import { Boards } from "./boards.js" */
/** @import { Turn } from "./turns.js" */
/** @typedef {{ lesson: LessonAnswer, checks: Array<{ right: string[], words: [right: string, wrong: string] }> }} Lesson for each step the correct moves */
/** @typedef {[reply: string, words: string, next: PuzzleNode]} Then what follows a correct move */
/**
 * A node of a puzzle's tree. The letter of a legal move selects its words in `wrong`; without `letters` all have the same.
 * @typedef {{ right: Record<string, Then | null>, letters: string, wrong: Record<string, string>, done: string, hint: StepHint }} PuzzleNode
 */
/** @typedef {{ puzzle: PuzzleAnswer, solution: SolutionAnswer, tree: PuzzleNode }} Puzzle */

const ANY = "*"; // ends the text of a move that any steps may follow

/** @param {string} move @param {string} wanted */
const fits = (move, wanted) => (wanted.endsWith(ANY) ? move.startsWith(wanted.slice(0, -ANY.length)) : move === wanted);

export class Exercises {
  #boards;

  /** @param {Boards} boards */
  constructor(boards) {
    this.#boards = boards;
  }

  // Whether a move does what a step of a lesson asks for.
  /** @param {Lesson} lesson @param {CheckQuery} query @returns {CheckAnswer} */
  check({ lesson, checks }, { step, move }) {
    if (!(step in checks)) throw new NotCovered("check");
    const { right, words } = checks[step];
    const made = this.#made(this.#boards.turns.stateOf(lesson.steps[step].position), move);
    const isRight = right.some((wanted) => fits(made.text, wanted));
    return { right: isRight, words: words[isRight ? 0 : 1], move: made.text, move_words: made.words, position: this.#text(made.state) };
  }

  // Whether the last move of an attempt is correct, and the reply.
  /** @param {Puzzle} puzzle @param {TryQuery} query @returns {TryAnswer} */
  attempt({ puzzle, tree }, { moves }) {
    const { turns } = this.#boards;
    let state = turns.stateOf(puzzle.position);
    let node = /** @type {PuzzleNode} */ (tree);
    for (const [i, move] of moves.entries()) {
      const { text, words, turn, state: after, isWon } = this.#made(state, move);
      const then = isWon ? null : followed(node, text);
      const tried = { move: text, move_words: words, after: this.#text(after), reply: null, reply_words: "" };
      if (!then && i + 1 < moves.length) break;
      if (then === undefined) return { ...tried, right: false, words: this.#wrong(node, state, turn), position: this.#text(state), over: false };
      if (then === null) return { ...tried, right: true, words: node.done, position: tried.after, over: true };
      const reply = this.#made(after, then[0]);
      if (i + 1 === moves.length) {
        return { ...tried, right: true, words: then[1], reply: reply.text, reply_words: reply.words, position: this.#text(reply.state), over: false };
      }
      [state, node] = [reply.state, then[2]];
    }
    throw new NotCovered("attempt");
  }

  // The first step of a correct move after others.
  /** @param {Puzzle} puzzle @param {Partial<TryQuery>} query @returns {StepHint} */
  hint({ tree }, { moves = [] }) {
    let node = tree;
    for (const move of moves) {
      const then = followed(node, move);
      if (!then) throw new NotCovered("hint");
      node = then[2];
    }
    return node.hint;
  }

  /** @param {unknown} state */
  #text = (state) => this.#boards.turns.text(state);

  // A whole turn with its texts, and the state after it.
  /** @param {unknown} state @param {string} move */
  #made(state, move) {
    const { turns } = this.#boards;
    const turn = this.#boards.wholeTurn(state, move);
    const seat = turns.after(state, [], (rules) => rules.seat);
    const after = turns.after(state, turn.actions, (rules) => ({ state: /** @type {unknown} */ (rules.state), isWon: rules.result === 1 << seat }));
    return { ...turns.told(turn), ...after, turn };
  }

  // Why a move is wrong.
  /** @param {PuzzleNode} node @param {unknown} state @param {Turn} turn */
  #wrong({ letters, wrong }, state, { actions }) {
    let number = 0;
    if (letters) for (const each of this.#wholeTurns(state)) if (`${each}` === `${actions}`) break; else number += 1;
    return wrong[letters.charAt(number)];
  }

  // The actions of all whole turns, in their order.
  /** @param {unknown} state @param {number[]} [begun] @returns {Generator<number[]>} */
  *#wholeTurns(state, begun = []) {
    const { turns } = this.#boards;
    for (const action of turns.after(state, begun, (rules) => rules.legal())) {
      const { actions, isWhole } = turns.read(state, [...begun, action]);
      if (isWhole) yield actions;
      else yield* this.#wholeTurns(state, actions);
    }
  }
}

// What follows a move: null if it ends the puzzle, undefined if it is wrong.
/** @param {PuzzleNode} node @param {string} move */
const followed = ({ right }, move) => Object.entries(right).find(([wanted]) => fits(move, wanted))?.[1];
