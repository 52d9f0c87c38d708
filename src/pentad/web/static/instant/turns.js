// Positions and turns of a game as pages show them, from its module and its data: texts, drawings, choices and words.

import { written } from "./looks.js";

/** @import { ChoiceInfo, OutcomeInfo, Tree } from "../messages.d.ts" */
/** @import { Expression } from "./looks.js" */
/** @typedef {[first: Expression, second: Expression, then: Expression, end: string]} Told a turn, by the numbers of each of its steps */
/** @typedef {{ lines: Expression[], tables: any[][] }} Sheet the lines of a drawing */
/**
 * What a page says of positions and turns; `web/instant/drawings.py` writes it. The number at `outcome` selects an outcome;
 * `line` is the tree of a new game.
 * @typedef {{
 *   game: string, title: string, colours: string[], status: Expression, prompt: Expression, restriction: Expression,
 *   outcome: number, outcomes: Array<OutcomeInfo | null>, step: Expression, label: Expression, ways: Expression,
 *   text: Told, described: Told, instruction: Told, notation: Told | null, line: Tree,
 * } & Sheet} TurnData
 */
/**
 * The rules and the bots of a game. `result` has the winners as bits, and is negative before the end. The `text` of the
 * position comes after the name of its game.
 * @typedef {{
 *   readonly seat: number, readonly ply: number, readonly result: number, readonly text: string, state: any,
 *   read: (text: string) => boolean, legal: () => number[], play: (action: number) => void,
 *   look: (last: number[]) => ArrayLike<number>, offer: (action: number) => ArrayLike<number>,
 *   choose: (who: string) => number[] | Promise<number[]>, readonly sheet: Sheet, readonly isFlipped: boolean, turn: (flip: boolean) => Promise<void>,
 * }} Rules
 */
/** @typedef {{ actions: number[], offers: Array<ArrayLike<number>>, isWhole: boolean }} Turn the actions of a turn with their numbers */

// Thrown for what only the server can answer.
export class NotCovered extends Error {}

export class Turns {
  #data;

  /** @param {Rules} rules @param {TurnData} data */
  constructor(rules, data) {
    this.rules = rules;
    this.#data = data;
  }

  // ── positions ──

  // Runs a function after some actions, from a state.
  /** @template Result @param {unknown} state @param {number[]} actions @param {(rules: Rules) => Result} run @returns {Result} */
  after(state, actions, run) {
    this.rules.state = state;
    for (const each of actions) this.rules.play(each);
    return run(this.rules);
  }

  // The text of a position.
  /** @param {unknown} state */
  text(state) {
    return `${this.#data.game} ${this.after(state, [], (rules) => rules.text)}`;
  }

  // The state of a position.
  /** @param {string} text @returns {unknown} */
  stateOf(text) {
    const { game } = this.#data;
    if (!text.startsWith(`${game} `) || !this.rules.read(text.slice(game.length + 1))) throw new NotCovered(text);
    return this.rules.state;
  }

  /** @param {ArrayLike<number>} numbers */
  drawn = (numbers) => this.rules.sheet.lines.map((line) => written(line, numbers, this.rules.sheet.tables)).join("\n");

  // The board after some actions of a turn.
  /** @param {unknown} state @param {number[]} actions */
  drawnAfter = (state, actions) => this.drawn(this.after(state, actions, (rules) => rules.look(actions)));

  // ── turns ──

  // The choices after some actions of a turn, each once for every way to touch it.
  /** @param {unknown} state @param {number[]} [actions] @returns {ChoiceInfo[]} */
  choices(state, actions = []) {
    return this.after(state, actions, (rules) => rules.legal().flatMap((action) => this.touches(rules.offer(action))));
  }

  // The legal actions at the position of the rules, with their steps.
  named() {
    return this.rules.legal().map((action) => ({ action, step: this.write(this.#data.step, this.rules.offer(action)) }));
  }

  // The ways to touch a step, by its numbers.
  /** @param {ArrayLike<number>} offer @returns {ChoiceInfo[]} */
  touches(offer) {
    const [step, label, ways] = [this.#data.step, this.#data.label, this.#data.ways].map((each) => this.write(each, offer));
    return ways.split("|").map((targets) => ({ step, targets: targets.split(";"), label }));
  }

  // The turn with these steps; null if there is none.
  /** @param {unknown} state @param {string} steps @returns {Turn | null} */
  turnOf(state, steps) {
    /** @type {number[]} */ const actions = [];
    for (let rest = `${steps} `; rest.trim(); ) {
      const found = this.after(state, actions, () => this.named()).find(({ step }) => rest.startsWith(`${step} `));
      if (!found) return null;
      actions.push(found.action);
      rest = rest.slice(found.step.length + 1);
    }
    return this.read(state, actions);
  }

  // The actions of a turn with their numbers.
  /** @param {unknown} state @param {number[]} actions @returns {Turn} */
  read(state, actions) {
    const rules = this.rules;
    rules.state = state;
    const { ply } = rules;
    const offers = actions.map((action) => {
      const offer = rules.offer(action);
      rules.play(action);
      return offer;
    });
    return { actions, offers, isWhole: rules.ply !== ply || rules.result >= 0 };
  }

  // ── words ──

  // What a player has to do at a position, by its numbers.
  /** @param {ArrayLike<number>} numbers */
  prompt = (numbers) => this.write(this.#data.prompt, numbers);

  // A whole turn as text, as people write it, in words and as an instruction.
  /** @param {Turn} turn */
  told({ offers }) {
    const { text, notation, instruction } = this.#data;
    const told = (/** @type {Told} */ each) => this.#told(each, offers);
    return { text: told(text), notation: told(notation ?? text), words: this.words(offers), instruction: told(instruction) };
  }

  // Steps of a turn in words.
  /** @param {Turn["offers"]} offers */
  words = (offers) => this.#told(this.#data.described, offers);

  // The steps of a whole turn with their targets, and the drawing after the first one, if targets of the later ones are in it alone.
  /** @param {unknown} state @param {Turn} turn @param {string} before the drawing before it */
  shown(state, { actions, offers }, before) {
    const steps = offers.map((offer) => this.touches(offer)[0]);
    const hasAll = steps.every(({ targets }) => targets.every((each) => before.includes(`data-target="${each}"`)));
    return { steps, svg: hasAll ? "" : this.drawnAfter(state, actions.slice(0, 1)) };
  }

  /** @param {Told} told @param {Array<ArrayLike<number>>} offers */
  #told = ([first, second, then, end], offers) => offers.map((offer, i) => this.write([first, second][i] ?? then, offer)).join("") + end;

  /** @param {Expression} expression @param {ArrayLike<number>} numbers */
  write = (expression, numbers) => written(expression, numbers, this.#data.tables);
}

// The lines of a drawing that another one of the same game lacks, with their numbers.
/** @param {string} before @param {string} after */
export function linesThatDiffer(before, after) {
  const were = before.split("\n");
  return after.split("\n").flatMap((line, number) => /** @type {Array<[number, string]>} */ (line === were[number] ? [] : [[number, line]]));
}
