// A room of a game in the page: the same messages as those of a room of the server, from a game's module and its data.
//
// One person plays here, against bots or alone for all seats. What is not covered here waits for the server. A page of a
// server follows the server's room with its own, which knows the rest of a turn before the server answers.

import { firstChoice, fits } from "../board/choices.js";
import { written } from "./looks.js";

/** @import { Abilities, ChoiceInfo, FromClient, MoveInfo, OutcomeInfo, PremoveAnswer, SeatInfo, StateMessage, ToClient, TurnMessage } from "../messages.d.ts" */
/** @import { Expression } from "./looks.js" */
/** @typedef {[first: Expression, second: Expression, then: Expression, end: string]} Told a turn, by the numbers of each of its steps */
/** @typedef {{ lines: Expression[], tables: any[][] }} Sheet the lines of a drawing */
/** @typedef {{ status: string, reason: string, outcome: OutcomeInfo }} End */
/**
 * The data of a game; `web/site/instant_rooms.py` writes it.
 * @typedef {{
 *   first: StateMessage, colours: string[], bots: Record<string, string>, status: Expression, prompt: Expression, outcome: number, outcomes: Array<OutcomeInfo | null>,
 *   step: Expression, label: Expression, ways: Expression, text: Told, described: Told,
 *   instruction: Told, notation: Told | null, resigned: End[], agreed: End, events: Record<string, string>,
 * } & Sheet} RoomData
 */
/**
 * The rules and the bots of a game. `result` has the winners as bits, and is negative before the end.
 * @typedef {{
 *   readonly seat: number, readonly ply: number, readonly result: number, state: any,
 *   legal: () => number[], play: (action: number) => void, look: (last: number[]) => ArrayLike<number>, offer: (action: number) => ArrayLike<number>,
 *   choose: (who: string) => number[] | Promise<number[]>, readonly sheet: Sheet, readonly isFlipped: boolean, turn: (flip: boolean) => Promise<void>,
 * }} Rules
 */
/** @typedef {{ state: unknown, last: number[], numbers: ArrayLike<number>, seat: number, move: MoveInfo | null }} Node a position of the game, and the move that led to it */
/** @typedef {{ actions: number[], offers: Array<ArrayLike<number>>, isWhole: boolean }} Turn */
/** @typedef {Omit<PremoveAnswer, "type" | "at" | "targets">} Premove */

export const HUMAN = "human";
const HINT = "hint"; // the bot that gives hints
const TRIED = 8, STRIDE = 7919, MOST_STEPS = 40; // of premoves, as `rooms/premoves.py` has them
const NAME = /data-target="([^"]*)"/g;

// Thrown for what only the server can answer.
export class NotCovered extends Error {}

export class Room {
  #rules; #data;
  #at = 0;
  /** @type {Node[]} */ #line;
  /** @type {Node[]} */ #takenBack = [];
  /** @type {End | null} */ #ended = null;
  #seats;
  #isLeft = false;
  /** @type {FromClient[]} */ record = []; // what happened, for a server that takes the game over

  // `seats` are the players, `HUMAN` or bots of the data.
  /** @param {Rules} rules @param {RoomData} data @param {string[]} seats */
  constructor(rules, data, seats) {
    this.#rules = rules;
    this.#data = data;
    this.#seats = seats;
    this.#line = [{ state: rules.state, last: [], numbers: rules.look([]), seat: rules.seat, move: null }];
  }

  get #end() {
    return this.#line[this.#line.length - 1];
  }

  get #outcome() {
    return this.#data.outcomes[this.#end.numbers[this.#data.outcome]] ?? this.#ended?.outcome ?? null;
  }

  // The seat to move, null after the end.
  get #seat() {
    return this.#outcome ? null : this.#end.seat;
  }

  // Whether a seat is the person's.
  /** @param {number | null} seat */
  isOwn = (seat) => seat !== null && this.#seats[seat] === HUMAN;

  // Bots give up their turns, as the server will play them.
  leave() {
    this.#isLeft = true;
  }

  // ── messages ──

  // The answers to a message, one after the other.
  /** @param {FromClient} message @returns {AsyncGenerator<ToClient>} */
  async *receive(message) {
    if (message.type === "here") return yield { ...this.#around(), type: "around" };
    if (message.type === "look") {
      await this.#rules.turn(message.flip);
      return yield this.state();
    }
    if (!("at" in message) || message.at !== this.#at) throw new NotCovered(message.type);
    switch (message.type) {
      case "step":
        return yield* this.#step(message);
      case "undo":
        return yield* this.#undo();
      case "redo":
        return yield* this.#redo();
      case "hint":
        return yield await this.#hint();
      case "resign":
        return yield this.#finish(message, this.#data.resigned[message.seat ?? this.#ownSeat], "resigned");
      case "draw":
        return yield this.#finish(message, this.#isAlone ? this.#data.agreed : null, "drawn");
      default:
        throw new NotCovered(message.type);
    }
  }

  // Lets the bots play that are to move.
  /** @returns {AsyncGenerator<ToClient>} */
  async *playBots() {
    while (this.#seat !== null && !this.isOwn(this.#seat) && !this.#isLeft) {
      const { state, seat } = this.#end;
      this.#rules.state = state;
      const actions = await this.#rules.choose(this.#seats[seat]);
      if (this.#isLeft) return;
      yield this.#play(this.#read(actions));
    }
  }

  /** @param {Extract<FromClient, { type: "step" }>} message */
  async *#step({ steps, end = false, warn = false, hold = false }) {
    const turn = this.isOwn(this.#seat) && !end ? this.#turnOf(steps) : null;
    if (!turn || (turn.isWhole && warn && !hold)) throw new NotCovered("step");
    if (turn.isWhole && !hold) {
      yield this.#play(turn);
      yield* this.playBots();
    } else yield this.#turn(steps, turn);
  }

  // The board in the middle of a turn, or with a whole turn that waits to be confirmed.
  /** @param {string} steps @param {Turn} turn @returns {TurnMessage} */
  #turn(steps, { actions, offers, isWhole }) {
    const numbers = this.#after(actions, (rules) => rules.look(actions));
    const svg = this.#drawn(numbers);
    const changes = changesOf(this.#drawn(this.#end.numbers), svg);
    return {
      type: "turn", at: this.#at, steps, changes, svg: changes ? null : svg,
      prompt: isWhole ? this.#told(this.#data.described, offers) : this.#write(this.#data.prompt, numbers),
      may_end: false, whole: isWhole, choices: isWhole ? [] : this.#choices(actions),
    };
  }

  // The turn that the bot would play.
  /** @returns {Promise<ToClient>} */
  async #hint() {
    if (!this.isOwn(this.#seat)) throw new NotCovered("hint");
    this.#rules.state = this.#end.state;
    const { actions, offers } = this.#read(await this.#rules.choose(HINT));
    const steps = offers.map((offer) => this.#choicesOf(offer)[0]);
    const drawn = this.#drawn(this.#end.numbers);
    const hasAll = steps.every(({ targets }) => targets.every((each) => drawn.includes(`data-target="${each}"`)));
    const first = actions.slice(0, 1);
    return {
      type: "hint", at: this.#at, move: this.#told(this.#data.text, offers), words: `${uncapitalized(this.#told(this.#data.instruction, offers))}.`,
      claim: "", steps, svg: hasAll ? "" : this.#drawn(this.#after(first, (rules) => rules.look(first))),
    };
  }

  // ── the game without messages from a page ──

  // Plays a whole turn, given as text; returns whether it is legal.
  /** @param {string} text */
  playText(text) {
    const turn = this.#turnOf(text);
    if (turn?.isWhole) this.#play(turn);
    return turn?.isWhole ?? false;
  }

  // The board after the first steps of a turn; null if no legal turn begins with them.
  /** @param {string} steps */
  begun(steps) {
    const turn = this.#turnOf(steps);
    return turn && { ...this.#turn(steps, turn), svg: this.#drawn(this.#after(turn.actions, (rules) => rules.look(turn.actions))) };
  }

  // Takes moves back, as far as the last turn of the person.
  takeBack() {
    if (!this.#canUndo) throw new NotCovered("undo");
    const count = this.#ended ? 0 : this.#movesBack;
    this.#takenBack.push(...this.#line.splice(this.#line.length - count).reverse());
    this.#ended = null;
    return this.#show({ type: "undo", at: this.#at }, "undone");
  }

  // The turn of a bot at the end, as text.
  /** @param {string} who */
  async choose(who) {
    const node = this.#end;
    this.#rules.state = node.state;
    const actions = await this.#rules.choose(who);
    return this.#told(this.#data.text, this.#read(actions, node).offers);
  }

  // ── premoves ──

  // What touches can mean for the next turn of some seats, as the server reads them: after one of a few moves of the others.
  /** @param {number[]} seats @param {string[]} targets @returns {Premove} */
  premove(seats, targets) {
    /** @type {Premove | null} */ let best = null;
    for (let number = 0; number < TRIED && best?.used !== targets.length; number++) {
      if (!this.#playOthers(seats, number)) continue;
      const found = this.#entered(targets);
      if (!best || found.used > best.used) best = found;
    }
    return best ?? { used: 0, steps: "", lines: [], prompt: "", whole: false };
  }

  // Plays moves of the others, other ones for other numbers; returns whether it is the turn of one of these seats then.
  /** @param {number[]} seats @param {number} number */
  #playOthers(seats, number) {
    const rules = this.#rules;
    const isOver = () => rules.result >= 0 || seats.includes(rules.seat);
    rules.state = this.#end.state;
    for (let moves = 0; moves < MOST_STEPS && !isOver(); moves++) {
      for (const { ply } = rules; rules.result < 0 && rules.ply === ply; ) {
        const named = this.#named().sort((one, other) => (one.step < other.step ? -1 : 1));
        rules.play(named[(number * STRIDE) % named.length].action);
      }
    }
    return rules.result < 0 && isOver();
  }

  // The steps that touches select at the position of the rules; a step that they only begin uses them, too.
  /** @param {string[]} targets @returns {Premove} */
  #entered(targets) {
    const rules = this.#rules;
    const { ply } = rules;
    const choices = () => (rules.ply === ply ? rules.legal() : []).flatMap((action) => this.#choicesOf(rules.offer(action)).map((way) => ({ ...way, action })));
    /** @type {string[]} */ const steps = [];
    const offers = [];
    let [next, rest] = [choices(), targets];
    for (let found = firstChoice(next, rest); found.choice; found = firstChoice(next, rest)) {
      const { action, step } = /** @type {typeof next[number]} */ (found.choice);
      steps.push(step);
      offers.push(rules.offer(action));
      rules.play(action);
      [next, rest] = [choices(), found.rest];
    }
    const used = fits(next, rest) ? targets.length : targets.length - rest.length;
    const numbers = rules.look([]);
    const prompt = next.length ? this.#write(this.#data.prompt, numbers) : this.#told(this.#data.described, offers);
    return { used, steps: steps.join(" "), lines: steps.length ? this.#moreTargets(numbers, next) : [], prompt, whole: !next.length };
  }

  // The lines of another drawing with targets that choices need and the drawing shown lacks.
  /** @param {ArrayLike<number>} numbers @param {ChoiceInfo[]} choices @returns {Premove["lines"]} */
  #moreTargets(numbers, choices) {
    const namesIn = (/** @type {string} */ text) => Array.from(text.matchAll(NAME), ([, name]) => name);
    const shown = this.#drawn(this.#end.numbers);
    const known = new Set(namesIn(shown));
    const needed = new Set(choices.flatMap(({ targets }) => targets).filter((name) => !known.has(name)));
    return linesThatDiffer(shown, this.#drawn(numbers)).filter(([, line]) => namesIn(line).some((name) => needed.has(name)));
  }

  // ── changes of the game ──

  // Plays a whole turn.
  /** @param {Turn} turn @returns {ToClient} */
  #play(turn) {
    const before = this.#end;
    const move = this.#advance(turn);
    this.#takenBack = [];
    this.#note({ type: "step", at: this.#at, steps: move.text });
    const changes = changesOf(this.#drawn(before.numbers), this.#drawn(this.#end.numbers));
    return changes ? { ...this.#view("played"), type: "played", changes, move } : this.state("played");
  }

  // Goes to the position after a whole turn; returns the move.
  /** @param {Turn} turn */
  #advance({ actions, offers }) {
    const { seat } = this.#end;
    const text = this.#told(this.#data.text, offers);
    return this.#after(actions, (rules) => {
      const numbers = rules.look(actions);
      const notation = this.#data.notation ? this.#told(this.#data.notation, offers) : text;
      const words = this.#told(this.#data.described, offers);
      const move = { text, notation: notation === text ? "" : notation, seat, words, note: "" };
      this.#line.push({ state: rules.state, last: actions, numbers, seat: rules.seat, move });
      return move;
    });
  }

  // Goes to the position after the moves with these texts; returns whether all of them are known here.
  /** @param {string[]} moves */
  follow(moves) {
    const other = moves.findIndex((text, i) => text !== this.#line[i + 1]?.move?.text);
    this.#line.length = 1 + (other < 0 ? moves.length : other);
    return moves.slice(this.#line.length - 1).every((text) => {
      const turn = this.#turnOf(text);
      return Boolean(turn?.isWhole && this.#advance(turn));
    });
  }

  async *#undo() {
    yield this.takeBack();
    yield* this.playBots();
  }

  async *#redo() {
    if (!this.#canRedo) throw new NotCovered("redo");
    const isForAll = !this.#seats.includes(HUMAN);
    do this.#line.push(/** @type {Node} */ (this.#takenBack.pop()));
    while (this.#takenBack.length && this.#seat !== null && !this.isOwn(this.#seat) && !isForAll);
    yield this.#show({ type: "redo", at: this.#at }, "redone");
    yield* this.playBots();
  }

  /** @param {FromClient} message @param {End | null | undefined} end @param {"resigned" | "drawn"} event */
  #finish(message, end, event) {
    if (!end || this.#outcome || (message.type === "resign" && !this.isOwn(message.seat ?? this.#ownSeat))) throw new NotCovered(event);
    this.#ended = end;
    return this.#show(message, event);
  }

  /** @param {FromClient} message @param {StateMessage["event"]} event */
  #show(message, event) {
    this.#note(message);
    return this.state(event);
  }

  /** @param {FromClient} message */
  #note(message) {
    this.record.push(message);
    this.#at += 1;
  }

  // ── what the person may do ──

  // The seat that resigns: that to move, else the first of the person's.
  get #ownSeat() {
    return this.#seat !== null && this.isOwn(this.#seat) ? this.#seat : this.#seats.indexOf(HUMAN);
  }

  get #isAlone() {
    return this.#seats.every((who) => who === HUMAN);
  }

  // How many moves lead back to the last turn of the person.
  get #movesBack() {
    const own = this.#line.slice(0, -1).findLastIndex((each) => this.isOwn(each.seat));
    return own < 0 ? 0 : this.#line.length - 1 - own;
  }

  get #canUndo() {
    return this.#ended !== null || this.#movesBack > 0;
  }

  get #canRedo() {
    return this.#takenBack.length > 0 && !this.#outcome;
  }

  // ── views ──

  // The whole state.
  /** @param {StateMessage["event"]} [event] @returns {StateMessage} */
  state(event = "now") {
    const position = this.#line.length > 1 ? "" : this.#data.first.position; // only the server writes it
    const moves = this.#line.slice(1).map((each) => /** @type {MoveInfo} */ (each.move));
    return { ...this.#data.first, ...this.#view(event), type: "state", position, svg: this.#drawn(this.#end.numbers), flip: this.#rules.isFlipped, moves };
  }

  // The board after so many moves, and its status; undefined if there are fewer.
  /** @param {number} moves */
  earlier(moves) {
    const node = this.#line[moves];
    return node && { svg: this.#drawn(node.numbers), status: this.#write(this.#data.status, node.numbers) };
  }

  #around() {
    const { offer, declined, watching, watchers_say, again, line } = this.#data.first;
    /** @param {string} who @returns {SeatInfo} */
    const seat = (who, /** @type {number} */ i) => {
      const isPerson = who === HUMAN;
      return { colour: this.#data.colours[i], who, name: "", title: isPerson ? "" : this.#data.bots[who], yours: isPerson, here: true };
    };
    const [hasSeat, goesOn] = [this.#seats.includes(HUMAN), !this.#outcome];
    /** @type {Abilities} */
    const can = {
      play: this.isOwn(this.#seat), undo: this.#canUndo, redo: this.#canRedo, hint: this.isOwn(this.#seat), resign: goesOn && hasSeat,
      draw: goesOn && this.#isAlone, sit: false, rematch: hasSeat && !goesOn, say: true,
    };
    return { seats: this.#seats.map(seat), offer, declined, can, watching, watchers_say, again, line };
  }

  /** @template {StateMessage["event"]} Event @param {Event} event */
  #view(event) {
    const { numbers, move } = this.#end;
    const isMine = this.isOwn(this.#seat);
    const status = this.#ended?.status ?? this.#write(this.#data.status, numbers);
    const told = event === "played" ? move?.words : this.#data.events[event];
    return {
      ...this.#around(), at: this.#at, event, turn: this.#seat, prompt: isMine ? this.#write(this.#data.prompt, numbers) : "", may_end: false,
      status, reason: this.#ended?.reason ?? "", announce: told ? `${told} ${status}` : status, outcome: this.#outcome,
      clock: null, trouble: null, choices: isMine ? this.#choices() : [],
    };
  }

  /** @param {ArrayLike<number>} numbers */
  #drawn = (numbers) => this.#rules.sheet.lines.map((line) => written(line, numbers, this.#rules.sheet.tables)).join("\n");

  // ── turns ──

  // Runs a function after some actions, from the position at the end.
  /** @template Result @param {number[]} actions @param {(rules: Rules) => Result} run @returns {Result} */
  #after(actions, run) {
    this.#rules.state = this.#end.state;
    for (const each of actions) this.#rules.play(each);
    return run(this.#rules);
  }

  // The choices after some actions of a turn, each once for every way to touch it.
  /** @param {number[]} [actions] @returns {ChoiceInfo[]} */
  #choices(actions = []) {
    return this.#after(actions, (rules) => rules.legal().flatMap((action) => this.#choicesOf(rules.offer(action))));
  }

  // A step, once for every way to touch it.
  /** @param {ArrayLike<number>} offer @returns {ChoiceInfo[]} */
  #choicesOf(offer) {
    const [step, label, ways] = [this.#data.step, this.#data.label, this.#data.ways].map((each) => this.#write(each, offer));
    return ways.split("|").map((targets) => ({ step, targets: targets.split(";"), label }));
  }

  // The legal actions at the position of the rules, with their steps.
  #named() {
    return this.#rules.legal().map((action) => ({ action, step: this.#write(this.#data.step, this.#rules.offer(action)) }));
  }

  // The turn with these steps; null if there is none.
  /** @param {string} steps @returns {Turn | null} */
  #turnOf(steps) {
    /** @type {number[]} */ const actions = [];
    for (let rest = `${steps} `; rest.trim(); ) {
      const found = this.#after(actions, () => this.#named().find(({ step }) => rest.startsWith(`${step} `)));
      if (!found) return null;
      actions.push(found.action);
      rest = rest.slice(found.step.length + 1);
    }
    return this.#read(actions);
  }

  // The actions of a turn with their numbers.
  /** @param {number[]} actions @returns {Turn} */
  #read(actions, { state } = this.#end) {
    const rules = this.#rules;
    rules.state = state;
    const ply = rules.ply;
    const offers = actions.map((action) => {
      const offer = rules.offer(action);
      rules.play(action);
      return offer;
    });
    return { actions, offers, isWhole: rules.ply !== ply || rules.result >= 0 };
  }

  /** @param {Told} told @param {Array<ArrayLike<number>>} offers */
  #told = ([first, second, then, end], offers) => offers.map((offer, i) => this.#write([first, second][i] ?? then, offer)).join("") + end;

  /** @param {Expression} expression @param {ArrayLike<number>} numbers */
  #write = (expression, numbers) => written(expression, numbers, this.#data.tables);
}

// Words in the middle of a sentence, as `words.uncapitalized` has it.
/** @param {string} words */
const uncapitalized = (words) => (/^.\p{Ll}/u.test(words) ? words[0].toLowerCase() + words.slice(1) : words);

// The lines that differ between two drawings; null if that is not shorter than the whole, as `drawing.changes` has it.
/** @param {string} before @param {string} after @returns {Array<[number, string]> | null} */
function changesOf(before, after) {
  const found = linesThatDiffer(before, after);
  return 2 * found.length <= before.split("\n").length ? found : null;
}

// The lines of a drawing that another one of the same game lacks, with their numbers.
/** @param {string} before @param {string} after */
function linesThatDiffer(before, after) {
  const were = before.split("\n");
  return after.split("\n").flatMap((line, number) => /** @type {Array<[number, string]>} */ (line === were[number] ? [] : [[number, line]]));
}
