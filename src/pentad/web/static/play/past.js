// Steps back and forth through the moves of a game; the game goes on meanwhile.

import { byId, keepFocus, messageOf, notify } from "../dom.js";
import { fetchJson } from "../server.js";
import { markMove } from "./sidebar.js";

/** @import { EarlierPosition, StateMessage } from "../messages.d.ts" */

const STEPS = { first: -Infinity, back: -1, forward: 1, last: Infinity };
const KEYS = { Home: -Infinity, ArrowLeft: -1, ArrowRight: 1, End: Infinity };

// Where arrow keys have a meaning of their own.
const BUSY = "#board, input, textarea, select, [role='tab'], dialog";

export class Past {
  /** @type {(earlier: EarlierPosition) => void} */ #show;
  /** @type {() => void} */ #leave;
  /** @type {Map<string, EarlierPosition>} */ #known = new Map();
  /** @type {{ room: string | null, game: StateMessage } | null} */ #now = null;
  /** @type {number | null} */ #shown = null; // how many moves were made before the shown position; null is the latest
  #visit = 0;

  // `show` draws an earlier position; `leave` draws the latest one.
  /** @param {(earlier: EarlierPosition) => void} show @param {() => void} leave */
  constructor(show, leave) {
    this.#show = show;
    this.#leave = leave;
    for (const [id, by] of Object.entries(STEPS)) byId(/** @type {keyof typeof STEPS} */ (id)).addEventListener("click", () => this.step(by));
    byId("live").addEventListener("click", () => this.step(Infinity));
    byId("moves").addEventListener("click", (event) => {
      const row = event.target instanceof Element ? event.target.closest("li") : null;
      if (row) this.#go([...byId("moves").children].indexOf(row) + 1);
    });
    document.addEventListener("keydown", (event) => {
      const by = KEYS[/** @type {keyof typeof KEYS} */ (event.key)];
      const isTaken = event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
      if (by === undefined || isTaken || (event.target instanceof Element && event.target.closest(BUSY))) return;
      if (this.step(by)) event.preventDefault();
    });
  }

  get isShown() {
    return this.#shown !== null;
  }

  // The position shown, as a sentence.
  get text() {
    return `After move ${this.#shown} of ${this.#latest}`.replace("After move 0", "Before move 1");
  }

  // The game as it is now, or none. Moves that were taken back are no longer there.
  /** @param {string | null} room @param {StateMessage | null} game */
  update(room, game) {
    const isSame = room !== null && this.#now?.room === room;
    this.#now = game && { room, game };
    if (!isSame) this.#known.clear();
    if (!isSame || (this.#shown ?? 0) >= this.#latest) this.#shown = null;
    this.#mark();
  }

  // Goes some moves forth, or back if negative; returns whether it went anywhere.
  /** @param {number} by */
  step(by) {
    const at = this.#shown ?? this.#latest;
    const next = Math.min(this.#latest, Math.max(0, at + by));
    if (next === at) return false;
    this.#go(next);
    return true;
  }

  // Draws an earlier position again, after a flip.
  redraw() {
    if (this.#shown !== null) this.#go(this.#shown);
  }

  /** @param {number} moves */
  async #go(moves) {
    if (!this.#now?.room) return;
    const visit = ++this.#visit;
    if (moves >= this.#latest) {
      this.#shown = null;
      this.#mark();
      return this.#leave();
    }
    this.#shown = moves;
    this.#mark();
    try {
      const earlier = await this.#position(this.#now.room, this.#now.game, moves);
      if (visit === this.#visit && this.#shown === moves) this.#show(earlier);
    } catch (error) {
      if (visit === this.#visit) notify(messageOf(error));
    }
    return undefined;
  }

  /** @param {string} room @param {StateMessage} game @param {number} moves */
  async #position(room, game, moves) {
    const key = [game.flip, ...game.moves.slice(0, moves).map((each) => each.text)].join("|");
    let found = this.#known.get(key);
    if (!found) {
      found = await fetchJson(`/api/rooms/${encodeURIComponent(room)}/positions/${moves}?flip=${game.flip}`);
      this.#known.set(key, found);
    }
    return found;
  }

  get #latest() {
    return this.#now?.game.moves.length ?? 0;
  }

  #mark() {
    keepFocus(enabledButton, () => this.#showPlace());
  }

  #showPlace() {
    const at = this.#shown ?? this.#latest;
    markMove(at);
    byId("live").hidden = this.#shown === null;
    byId("first").disabled = byId("back").disabled = at === 0;
    byId("forward").disabled = byId("last").disabled = at === this.#latest;
    document.body.classList.toggle("past", this.#shown !== null);
  }
}

// A button to step that can have the focus.
const enabledButton = () => buttons().find((each) => !each.disabled && each.checkVisibility()) ?? null;
const buttons = () => /** @type {Array<keyof typeof STEPS>} */ (Object.keys(STEPS)).map(byId);
