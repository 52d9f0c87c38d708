// A room of a game in the page: the same messages as those of a room of the server, from a game's module and its data.
//
// One person plays here, against bots or alone for all seats. What is not covered here waits for the server. A page of a
// server follows the server's room with its own, which knows the rest of a turn before the server answers.

import { premove } from "./premoves.js";
import { NotCovered, Turns, linesThatDiffer } from "./turns.js";

/** @import { Abilities, FromClient, MoveInfo, OutcomeInfo, SeatInfo, StateMessage, ToClient, TurnMessage } from "../messages.d.ts" */
/** @import { Rules, Turn, TurnData } from "./turns.js" */
/** @typedef {{ status: string, reason: string, outcome: OutcomeInfo }} End */
/**
 * The data of a game; `web/instant/drawings.py` writes it, and `web/site/instant_rooms.py` what rooms need.
 * @typedef {TurnData & { first: StateMessage, bots: Record<string, string>, resigned: End[], agreed: End, events: Record<string, string> }} RoomData
 */
/** @typedef {{ state: unknown, last: number[], numbers: ArrayLike<number>, seat: number, move: MoveInfo | null }} Node a position of the game, and the move that led to it */

export const HUMAN = "human";
const HINT = "hint"; // the bot that gives hints

export class Room {
  #rules; #data; #turns;
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
    this.#turns = new Turns(rules, data);
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
      yield this.#play(this.#turns.read(state, actions));
    }
  }

  /** @param {Extract<FromClient, { type: "step" }>} message */
  async *#step({ steps, end = false, warn = false, hold = false }) {
    const turn = this.isOwn(this.#seat) && !end ? this.#turns.turnOf(this.#end.state, steps) : null;
    if (!turn || (turn.isWhole && warn && !hold)) throw new NotCovered("step");
    if (turn.isWhole && !hold) {
      yield this.#play(turn);
      yield* this.playBots();
    } else yield this.#turn(steps, turn);
  }

  // The board in the middle of a turn, or with a whole turn that waits to be confirmed.
  /** @param {string} steps @param {Turn} turn @returns {TurnMessage} */
  #turn(steps, turn) {
    const { actions, isWhole } = turn;
    const { state, numbers: before } = this.#end;
    const numbers = this.#turns.after(state, actions, (rules) => rules.look(actions));
    const svg = this.#turns.drawn(numbers);
    const changes = changesOf(this.#turns.drawn(before), svg);
    return {
      type: "turn", at: this.#at, steps, changes, svg: changes ? null : svg,
      prompt: isWhole ? this.#turns.told(turn).words : this.#turns.prompt(numbers),
      may_end: false, whole: isWhole, choices: isWhole ? [] : this.#turns.choices(state, actions),
    };
  }

  // The turn that the bot would play.
  /** @returns {Promise<ToClient>} */
  async #hint() {
    if (!this.isOwn(this.#seat)) throw new NotCovered("hint");
    const { state } = this.#end;
    this.#rules.state = state;
    const turn = this.#turns.read(state, await this.#rules.choose(HINT));
    const { text, instruction } = this.#turns.told(turn);
    const shown = this.#turns.shown(state, turn, this.#turns.drawn(this.#end.numbers));
    return { type: "hint", at: this.#at, move: text, words: `${uncapitalized(instruction)}.`, claim: "", ...shown };
  }

  // ── the game without messages from a page ──

  // Plays a whole turn, given as text; returns whether it is legal.
  /** @param {string} text */
  playText(text) {
    const turn = this.#turns.turnOf(this.#end.state, text);
    if (turn?.isWhole) this.#play(turn);
    return turn?.isWhole ?? false;
  }

  // The board after the first steps of a turn, its status and restriction; null if no legal turn begins with them.
  /** @param {string} steps */
  begun(steps) {
    const { state } = this.#end;
    const turn = this.#turns.turnOf(state, steps);
    if (!turn) return null;
    const numbers = this.#turns.after(state, turn.actions, (rules) => rules.look(turn.actions));
    const [status, restriction] = [this.#data.status, this.#data.restriction].map((each) => this.#turns.write(each, numbers));
    return { ...this.#turn(steps, turn), svg: this.#turns.drawn(numbers), status, restriction };
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
    const { state } = this.#end;
    this.#rules.state = state;
    return this.#turns.told(this.#turns.read(state, await this.#rules.choose(who))).text;
  }

  // What touches can mean for the next turn of some seats, as the server reads them.
  /** @param {number[]} seats @param {string[]} targets */
  premove = (seats, targets) => premove(this.#turns, this.#end, seats, targets);

  // ── changes of the game ──

  // Plays a whole turn.
  /** @param {Turn} turn @returns {ToClient} */
  #play(turn) {
    const before = this.#end;
    const move = this.#advance(turn);
    this.#takenBack = [];
    this.#note({ type: "step", at: this.#at, steps: move.text });
    const changes = changesOf(this.#turns.drawn(before.numbers), this.#turns.drawn(this.#end.numbers));
    return changes ? { ...this.#view("played"), type: "played", changes, move } : this.state("played");
  }

  // Goes to the position after a whole turn; returns the move.
  /** @param {Turn} turn */
  #advance(turn) {
    const { actions } = turn;
    const { state, seat } = this.#end;
    const { text, notation, words } = this.#turns.told(turn);
    const move = { text, notation: notation === text ? "" : notation, seat, words, note: "" };
    this.#line.push(this.#turns.after(state, actions, (rules) => (
      { state: rules.state, last: actions, numbers: rules.look(actions), seat: rules.seat, move }
    )));
    return move;
  }

  // Goes to the position after the moves with these texts; returns whether all of them are known here.
  /** @param {string[]} moves */
  follow(moves) {
    const other = moves.findIndex((text, i) => text !== this.#line[i + 1]?.move?.text);
    this.#line.length = 1 + (other < 0 ? moves.length : other);
    return moves.slice(this.#line.length - 1).every((text) => {
      const turn = this.#turns.turnOf(this.#end.state, text);
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
    const { state, numbers } = this.#end;
    const moves = this.#line.slice(1).map((each) => /** @type {MoveInfo} */ (each.move));
    const board = { position: this.#turns.text(state), svg: this.#turns.drawn(numbers), flip: this.#rules.isFlipped };
    return { ...this.#data.first, ...this.#view(event), type: "state", ...board, moves };
  }

  // The board after so many moves, and its status; undefined if there are fewer.
  /** @param {number} moves */
  earlier(moves) {
    const node = this.#line[moves];
    return node && { svg: this.#turns.drawn(node.numbers), status: this.#turns.write(this.#data.status, node.numbers) };
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
    const { state, numbers, move } = this.#end;
    const isMine = this.isOwn(this.#seat);
    const status = this.#ended?.status ?? this.#turns.write(this.#data.status, numbers);
    const told = event === "played" ? move?.words : this.#data.events[event];
    return {
      ...this.#around(), at: this.#at, event, turn: this.#seat, prompt: isMine ? this.#turns.prompt(numbers) : "", may_end: false,
      status, reason: this.#ended?.reason ?? "", announce: told ? `${told} ${status}` : status, outcome: this.#outcome,
      clock: null, trouble: null, choices: isMine ? this.#turns.choices(state) : [],
    };
  }
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
