// Games of pentad for pages and programs: their rules, their bots, and a board to play on.

import { FILES } from "./files.js";
import { Engine } from "./instant/engine.js";
import { Game as Rules } from "./instant/game.js";
import { HUMAN, Room } from "./instant/room.js";
import { phrase } from "./words.js";

export { mount } from "./view.js";

/** @import { RoomData } from "./instant/room.js" */
/** @typedef {keyof typeof FILES} GameName */
/**
 * A move: its text, the notation where that differs, its player, and the move in words.
 * @typedef {{ text: string, notation: string, seat: number, words: string }} Move
 */
/**
 * A step that can be made now: its text, the targets of the drawing to touch in order, and the step in words.
 * @typedef {{ step: string, targets: string[], label: string }} Choice
 */
/**
 * The end of a game: its winners, all of them for a draw, and a score where the game has one.
 * @typedef {{ winners: number[], score: string, reason: string }} Outcome
 */
/**
 * The board in the middle of a turn; a whole turn has no more choices.
 * @typedef {{ svg: string, prompt: string, choices: Choice[], isWhole: boolean }} Turn
 */
/** @typedef {"played" | "undone" | "restarted" | "turned"} Change */

/**
 * A new game, with the rules and the bots of its kind. The data of bots follow when a bot needs them.
 * @param {GameName} name
 * @returns {Promise<Game>}
 */
export async function load(name) {
  const files = FILES[name];
  if (!files) throw new Error(phrase('There is no game "{name}".', { name }));
  const [module, { room, engine, levels }] = await Promise.all([bytesOf(files.module), read(files.data)]);
  const rules = new Rules(await Engine.load(module, engine), room, levels, (path) => bytesOf(files.bots[path]), () => read(files.flipped));
  return new Game(rules, room);
}

/** @param {URL} url */
const read = async (url) => JSON.parse(new TextDecoder().decode(await bytesOf(url)));

/** @param {URL} url @returns {Promise<Uint8Array<ArrayBuffer>>} */
async function bytesOf(url) {
  if (url.protocol === "file:") {
    const fs = "node:fs/promises"; // not a literal in the import, as bundlers for browsers would look for it
    return (await import(/* webpackIgnore: true */ /* @vite-ignore */ fs)).readFile(url);
  }
  const response = await fetch(url).catch(() => null);
  if (!response?.ok) throw new Error(phrase("{url} cannot be loaded.", { url: url.href }));
  return new Uint8Array(await response.arrayBuffer());
}

/** A game: its position, its moves, and the bots that can play it. */
export class Game {
  #rules; #data; #room;
  /** @type {ReturnType<Room["state"]> | null} */ #known = null; // the state, until the next change
  /** @type {Set<(change: Change) => void>} */ #listeners = new Set();

  /** @internal @param {Rules} rules @param {RoomData} data */
  constructor(rules, data) {
    this.#rules = rules;
    this.#data = data;
    this.#room = this.#opened();
  }

  #opened() {
    this.#rules.reset();
    return new Room(this.#rules, this.#data, this.#data.colours.map(() => HUMAN));
  }

  get #state() {
    return (this.#known ??= this.#room.state());
  }

  /** The name of the game, such as Pente. */
  get title() {
    return this.#data.first.title;
  }

  /** How the game is played, in a few sentences. */
  get guide() {
    return this.#data.first.guide;
  }

  /**
   * The players by their seats, such as white and black.
   * @returns {string[]}
   */
  get players() {
    return this.#data.colours;
  }

  /**
   * The bots: their titles by their names.
   * @returns {Record<string, string>}
   */
  get bots() {
    return this.#data.bots;
  }

  /** The seat to move, null after the end. */
  get turn() {
    return this.#state.turn;
  }

  /** Who is to move, or the result, as a sentence. */
  get status() {
    return this.#state.status;
  }

  /** What the player to move has to do. */
  get prompt() {
    return this.#state.prompt;
  }

  /**
   * The end of the game, null before.
   * @returns {Outcome | null}
   */
  get outcome() {
    return this.#state.outcome;
  }

  /**
   * The moves so far.
   * @returns {Move[]}
   */
  get moves() {
    return this.#state.moves;
  }

  /**
   * The first steps of all legal moves; in Pente these are the moves.
   * @returns {Choice[]}
   */
  get choices() {
    return this.#state.choices;
  }

  /** The drawing of the board, for the style sheet `board.css`. */
  get svg() {
    return this.#state.svg;
  }

  /**
   * The board after the first steps of a turn; null if no legal move begins with them.
   * @param {string} steps
   * @returns {Turn | null}
   */
  after(steps) {
    const found = this.#room.begun(steps);
    return found && { svg: found.svg, prompt: found.prompt, choices: found.choices, isWhole: found.whole };
  }

  /**
   * Plays a move. Throws an error if it is not legal; then nothing changes.
   * @param {string} move
   */
  play(move) {
    if (this.outcome) throw new Error("The game is over.");
    if (!this.#room.playText(move)) throw new Error(phrase("{move} is not a legal move here.", { move }));
    this.#changed("played");
  }

  /** Takes the last move back; at the start nothing changes. */
  undo() {
    if (!this.moves.length) return;
    this.#room.takeBack();
    this.#changed("undone");
  }

  /** Begins the game again. */
  restart() {
    this.#room = this.#opened();
    this.#changed("restarted");
  }

  /** Whether the second player sees the board from the front. */
  get isFlipped() {
    return this.#rules.isFlipped;
  }

  /**
   * Turns the board, by default to the other side: the drawings change.
   */
  async flip(flip = !this.isFlipped) {
    await this.#rules.turn(flip);
    this.#changed("turned");
  }

  /**
   * The move that a bot would play here.
   * @param {string} bot
   * @returns {Promise<string>}
   */
  async choose(bot) {
    if (!(bot in this.bots)) throw new Error(phrase('There is no bot "{bot}".', { bot }));
    if (this.outcome) throw new Error("The game is over.");
    return this.#room.choose(bot);
  }

  /**
   * Calls a function after each change. Returns the function that ends this.
   * @param {(change: Change) => void} listener
   * @returns {() => void}
   */
  watch(listener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** @param {Change} change */
  #changed(change) {
    this.#known = null;
    for (const each of [...this.#listeners]) each(change);
  }
}
