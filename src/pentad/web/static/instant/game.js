// A game in the page: its rules and its bots, by its module.

import { Engine } from "./engine.js";

/** @import { RoomData } from "./room.js" */
/** @import { Rules, Sheet } from "./turns.js" */

/** @implements {Rules} */
export class Game {
  #engine; #levels; #load; #flipped;
  #files = 0; // that are loaded, or being loaded
  /** @type {Promise<void>} */ #loading = Promise.resolve();

  // `levels` are the numbers of the levels by the names of the bots, `load` gives the bytes of a file, and `flipped` the flipped drawing.
  /**
   * @param {Engine} engine @param {RoomData} room @param {Record<string, string>} levels
   * @param {(path: string) => Promise<Uint8Array>} load @param {() => Promise<Sheet>} flipped
   */
  constructor(engine, room, levels, load, flipped) {
    this.#flipped = flipped;
    this.#engine = engine;
    this.#levels = levels;
    this.#load = load;
    this.room = room;
    this.sheet = /** @type {Sheet} */ (room);
  }

  // Loads files for the bots: so many, or all of them.
  async prepare(count = this.#engine.paths.length) {
    for (const end = Math.min(count, this.#engine.paths.length); this.#files < end; this.#files += 1) {
      const before = this.#loading;
      const file = this.#load(this.#engine.paths[this.#files]);
      file.catch(() => {}); // an error is reported below
      this.#loading = before.then(async () => this.#engine.add(await file));
    }
    const loading = this.#loading;
    await loading.catch((error) => {
      if (this.#loading === loading) [this.#files, this.#loading] = [this.#engine.loaded, Promise.resolve()]; // the next call tries again
      throw error;
    });
  }

  reset() {
    this.#engine.reset(); // of what the bot remembers, too
  }

  get state() {
    return this.#engine.array("state").slice();
  }

  set state(state) {
    this.#engine.array("state").set(state);
  }

  get seat() {
    return this.#engine.seat;
  }

  get ply() {
    return this.#engine.ply;
  }

  get result() {
    return this.#engine.result;
  }

  get text() {
    return this.#engine.text;
  }

  /** @param {string} text */
  read(text) {
    return this.#engine.read(text);
  }

  legal() {
    return this.result < 0 ? this.#engine.legal() : [];
  }

  /** @param {number} action */
  play(action) {
    this.#engine.play(action);
  }

  /** @param {number[]} last */
  look(last) {
    return this.#engine.look(last);
  }

  /** @param {number} action */
  offer(action) {
    return this.#engine.offer(action);
  }

  /** @param {string} who */
  async choose(who) {
    const { state } = this;
    await this.prepare(1);
    this.state = state;
    if (!this.#engine.level(this.#levels[who])) await this.prepare();
    this.state = state;
    return this.#engine.choose(this.#levels[who]);
  }

  // Whether the second player sees the board from the front.
  get isFlipped() {
    return this.sheet !== this.room;
  }

  /** @param {boolean} flip */
  async turn(flip) {
    this.sheet = flip ? await this.#flipped() : this.room;
  }
}

// A game without bots, from the data that `web/instant/rules.py` writes.
/** @param {{ engine: any, module: string, room: RoomData }} data @param {() => Promise<Sheet>} flipped */
export async function gameByRules({ engine, module, room }, flipped) {
  const bytes = Uint8Array.from(atob(module), (each) => each.charCodeAt(0));
  const readNothing = (/** @type {string} */ path) => Promise.reject(new Error(path)); // rules need no other files
  return new Game(await Engine.load(bytes, engine), room, {}, readNothing, flipped);
}
