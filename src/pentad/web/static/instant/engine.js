// A game's rules and its bot as a module of WebAssembly, run by the description that `pentad.web.instant.modules` writes:
//   sizes     the bytes of each memory
//   holds     for some memories the type and the numbers that they hold at first
//   arrays    by name: memory, place in it, type, length
//   calls     by kernel, the words of its block: [memory, place] for an address; a number, or the name of one that
//             comes with the call, those with a point as { float }
//   files     path, arrays (memory, place in the file, bytes), and the calls that prepare others once the file is there
//   levels    by number: the numbers of the bot's level by name; those of a lapse and how often there is one; the
//             last ply at which the first file is enough
// This script knows no game.

const KINDS = {
  int8: Int8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array,
  uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, uint64: BigUint64Array,
  float32: Float32Array, float64: Float64Array,
};
const PAGE = 1 << 16; // bytes by which WebAssembly's memory grows
const ALIGNED = 16;
const SEAT = 0, PLY = 1; // of every game's state

/** @typedef {Int8Array | Int16Array | Int32Array | Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array} Plain */
/** @typedef {Plain | BigInt64Array | BigUint64Array} Numbers */
/** @typedef {Record<string, number>} Given numbers of a call by name */
/** @typedef {number | string | [number, number] | { float: number | string }} Word */
/** @typedef {{ numbers: Given, lapse?: Given, rate?: number, until?: number }} Level */

export class Engine {
  #exports;
  #description;
  /** @type {number[]} */ #begins = []; // the address of each memory
  #block = 0; // the address of the block of a call
  loaded = 0; // files that are there

  /** @param {WebAssembly.Instance} instance @param {any} description */
  constructor(instance, description) {
    this.#exports = /** @type {any} */ (instance.exports);
    this.#description = description;
    let end = Number(this.#exports.__heap_base.value);
    const calls = [...Object.values(description.calls), ...description.files.flatMap((/** @type {any} */ each) => each.calls.map((/** @type {any} */ call) => call[1]))];
    for (const size of [...description.sizes, 8 * Math.max(...calls.map((words) => words.length))]) {
      end = Math.ceil(end / ALIGNED) * ALIGNED;
      this.#begins.push(end);
      end += size;
    }
    this.#block = /** @type {number} */ (this.#begins.pop());
    const { memory } = this.#exports;
    memory.grow(Math.max(0, Math.ceil((end - memory.buffer.byteLength) / PAGE)));
    for (const [number, [kind, values]] of Object.entries(description.holds)) {
      fill(this.#view(this.#begins[Number(number)], kind, values.length), values);
    }
    this.start = this.array("state").slice();
  }

  // An engine by the bytes of its module; the files of data follow by `add`.
  /** @param {BufferSource} bytes @param {any} description */
  static async load(bytes, description) {
    return new Engine((await WebAssembly.instantiate(bytes)).instance, description);
  }

  // ── memory ──

  /** @param {number} begin @param {string} kind @param {number} count @returns {any} */
  #view(begin, kind, count) {
    return new KINDS[/** @type {keyof typeof KINDS} */ (kind)](this.#exports.memory.buffer, begin, count);
  }

  // An array of the description by its name.
  /** @param {string} name */
  array(name) {
    const [memory, place, kind, count] = this.#description.arrays[name];
    return this.#view(this.#begins[memory] + place, kind, count);
  }

  /** @param {string} name */
  has(name) {
    return name in this.#description.arrays || name in this.#description.calls;
  }

  // Calls a kernel with the words of its block; returns its number.
  /** @param {string} kernel @param {Word[]} words @param {Given} [given] */
  #run(kernel, words, given = {}) {
    const block = this.#view(this.#block, "int64", words.length);
    const floats = this.#view(this.#block, "float64", words.length);
    const valueOf = (/** @type {number | string} */ each) => (typeof each === "string" ? given[each] : each);
    for (const [i, word] of words.entries()) {
      if (Array.isArray(word)) block[i] = BigInt(this.#begins[word[0]] + word[1]);
      else if (typeof word === "object") floats[i] = valueOf(word.float);
      else block[i] = BigInt(valueOf(word));
    }
    return Number(this.#exports[kernel](this.#block));
  }

  /** @param {string} name @param {Given} [given] */
  #call(name, given) {
    return this.#run(name, this.#description.calls[name], given);
  }

  // ── data ──

  // The files of data in the package, in the order in which they are added.
  /** @returns {string[]} */
  get paths() {
    return this.#description.files.map((/** @type {any} */ each) => each.path);
  }

  /** @param {Uint8Array} bytes the next file */
  add(bytes) {
    const { arrays, calls } = this.#description.files[this.loaded++];
    const memory = new Uint8Array(this.#exports.memory.buffer);
    for (const [number, place, size] of arrays) memory.set(bytes.subarray(place, place + size), this.#begins[number]);
    for (const [kernel, words] of calls) this.#run(kernel, words);
  }

  // ── the rules ──

  // Begins a game.
  reset() {
    this.array("state").set(this.start);
    if (this.has("remembered")) this.array("remembered").fill(0n);
  }

  get seat() {
    return Number(this.array("state")[SEAT]);
  }

  get ply() {
    return Number(this.array("state")[PLY]);
  }

  // The legal actions of a game that is not over.
  legal() {
    const mask = this.array("mask");
    mask.fill(0);
    this.#call("legal");
    /** @type {number[]} */ const found = [];
    for (let i = 0; i < mask.length; i++) if (mask[i]) found.push(i);
    return found;
  }

  /** @param {number} action */
  play(action) {
    this.#call("play", { action });
  }

  // The text of the position after the name of its game.
  get text() {
    const length = this.#call("write");
    return String.fromCharCode(...Array.from(this.array("text").subarray(0, length), Number));
  }

  // Reads a position; returns whether that was possible. It may not be for some that the rules allow.
  /** @param {string} text */
  read(text) {
    const array = this.array("text");
    if (text.length > array.length / 2) return false;
    fill(array.fill(0n), Array.from(text, (each) => each.charCodeAt(0)));
    this.array("state").set(this.start);
    return Boolean(this.#call("read")) && this.text === text;
  }

  // The winners as bits, 0 for a draw; -1 before the end.
  get result() {
    return this.#call("result");
  }

  // What the drawing shows, after the actions of the last turn or of the beginning of one.
  /** @param {number[]} last @returns {number[]} */
  look(last) {
    fill(this.array("last"), last);
    this.#call("look", { count: last.length });
    return Array.from(this.array("numbers"), Number);
  }

  // What is said of a legal action.
  /** @param {number} action @returns {number[]} */
  offer(action) {
    this.#call("offer", { action });
    return Array.from(this.array("offered"), Number);
  }

  // ── the bot ──

  // The level with a number, if the bot can play it here with the files that are there.
  /** @param {string} number @returns {Level | null} */
  level(number) {
    /** @type {Level | undefined} */ const level = this.#description.levels[number];
    const all = this.#description.files.length;
    const needed = level?.until === undefined || this.ply > level.until ? all : 1;
    return level && this.loaded >= needed ? level : null;
  }

  // The actions of the bot's turn at a level. A test gives the random numbers, and whether it is a lapse.
  /** @param {string} number @param {{ chance: Array<number | string>, lapses: boolean }} [fixed] */
  choose(number, fixed) {
    const level = /** @type {Level} */ (this.level(number));
    const lapses = fixed ? fixed.lapses : Math.random() < (level.rate ?? 0);
    const chance = this.array("chance");
    const draw = /** @type {() => any} */ (chance instanceof Float64Array ? normal : bits);
    fill(chance, fixed ? fixed.chance : Array.from(chance, draw));
    const count = this.#call("choose", lapses ? level.lapse : level.numbers);
    return Array.from(this.array("chosen").subarray(0, count), Number);
  }
}

// Writes numbers at the beginning of an array.
/** @param {any} array @param {Array<number | string | bigint>} values */
function fill(array, values) {
  const is64 = array instanceof BigInt64Array || array instanceof BigUint64Array;
  array.set(is64 ? values.map((each) => BigInt(each)) : values);
}

// A random number of the standard normal distribution.
const normal = () => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());

// Random bits, not all of them 0.
const bits = () => BigInt(Math.floor(Math.random() * 2 ** 52)) * 256n + BigInt(Math.floor(Math.random() * 255)) + 1n;
