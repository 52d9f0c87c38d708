// A cache of limited size: the entry used longest ago makes room for a new one.

/** @template Value */
export class LruCache {
  #most;
  /** @type {Map<string, Value>} */ #entries = new Map(); // the latest entry is last

  /** @param {number} most */
  constructor(most) {
    this.#most = most;
  }

  // The value of a key, which is the latest from now on; undefined if there is none.
  /** @param {string} key */
  get(key) {
    const value = this.#entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  /** @param {string} key @param {Value} value */
  set(key, value) {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#most) this.#entries.delete(oldest);
  }
}
