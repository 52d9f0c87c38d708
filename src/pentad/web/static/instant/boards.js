// Boards without a room in the page: the same answers as those of the server, from a game's module and its data.

import { NotCovered, Turns } from "./turns.js";

/** @import { BoardAnswer, BoardQuery, LineQuery, Tree, TurnAnswer, TurnQuery } from "../messages.d.ts" */
/** @import { Rules, Turn, TurnData } from "./turns.js" */

const MOST_SEEN = 50; // positions in which the last move of another one is looked up

export class Boards {
  #rules; #data;
  /** @type {unknown[]} */ #seen = []; // the states of positions, the latest first
  turns;

  /** @param {Rules} rules @param {TurnData} data */
  constructor(rules, data) {
    this.#rules = rules;
    this.#data = data;
    this.turns = new Turns(rules, data);
  }

  // A position after some steps of a turn, and the next choices.
  /** @param {BoardQuery} query @returns {BoardAnswer} */
  board({ position, steps = "", end = false, last = "", flip = false }) {
    const { turns } = this;
    const state = this.#stateOf(position);
    const turn = steps ? turns.turnOf(state, steps) : null;
    if (flip !== this.#rules.isFlipped || (turn ? end && !turn.isWhole : steps || end)) throw new NotCovered("board");
    const lasts = turn?.actions ?? (last ? this.#actionsOf(position, last) : []);
    const numbers = turns.after(state, turn?.actions ?? [], (rules) => rules.look(lasts));
    const moved = turn?.isWhole ? turns.told(turn) : null;
    const here = moved ? this.#after(state, turn) : state;
    const { seat, ply, isOver } = turns.after(here, [], (rules) => ({ seat: rules.seat, ply: rules.ply, isOver: rules.result >= 0 }));
    const { game, title, colours, prompt, restriction, status, outcome, outcomes } = this.#data;
    return {
      game, title, position: turns.text(here), moved: moved?.text ?? null, words: moved?.words ?? "",
      notation: moved && moved.notation !== moved.text ? moved.notation : "", steps: moved ? "" : steps, svg: turns.drawn(numbers),
      turn: seat, colour: colours[seat], colours, ply, prompt: turns.write(prompt, numbers), restriction: turns.write(restriction, numbers),
      may_end: false, choices: turns.choices(here, moved ? [] : turn?.actions), status: turns.write(status, numbers),
      outcome: isOver ? outcomes[numbers[outcome]] : null,
    };
  }

  // A whole turn, to show it on a board.
  /** @param {TurnQuery} query @returns {TurnAnswer} */
  turn({ position, move, flip = false }) {
    const { turns } = this;
    const state = this.#stateOf(position);
    const turn = this.wholeTurn(state, move);
    if (flip !== this.#rules.isFlipped) throw new NotCovered("turn");
    const { notation, words } = turns.told(turn);
    return { notation, words, ...turns.shown(state, turn, turns.drawnAfter(state, [])), position: turns.text(this.#after(state, turn)) };
  }

  // The tree of a game that begins with a position, or with the game's name, and has no moves yet.
  /** @param {LineQuery} query @returns {Tree} */
  line({ start, moves = [] }) {
    const { line, game } = this.#data;
    const position = start === game ? line.start : this.turns.text(this.#stateOf(start));
    if (moves.length || (position !== line.start && this.#rules.result >= 0)) throw new NotCovered("line");
    return { ...line, start: position, fresh: position === line.start ? line.fresh : "", nodes: [{ ...line.nodes[0], position }] };
  }

  // ── positions and turns ──

  /** @param {unknown} state @param {string} move @returns {Turn} */
  wholeTurn(state, move) {
    const turn = this.turns.turnOf(state, move);
    if (!turn?.isWhole) throw new NotCovered("turn");
    return turn;
  }

  // The state of a position; the turns that lead on from it can be last ones.
  /** @param {string} position */
  #stateOf(position) {
    const state = this.turns.stateOf(position);
    this.#seen = [state, ...this.#seen.slice(0, MOST_SEEN)];
    return state;
  }

  /** @param {unknown} state @param {Turn | null} turn @returns {unknown} */
  #after = (state, turn) => this.turns.after(state, turn?.actions ?? [], (rules) => rules.state);

  // The actions of the move that has led to a position from one that was seen.
  /** @param {string} position @param {string} last */
  #actionsOf(position, last) {
    for (const state of this.#seen) {
      const turn = this.turns.turnOf(state, last);
      if (turn?.isWhole && this.turns.text(this.#after(state, turn)) === position) return turn.actions;
    }
    throw new NotCovered("last");
  }
}
