// Steps back and forth through the moves of a game; the game goes on meanwhile.

import { byId, keepFocus } from "../dom.js";
import { fetchJson } from "../server.js";
import { markMove } from "./sidebar.js";

/** @import { EarlierPosition, StateMessage } from "../messages.d.ts" */

const STEPS = { first: -Infinity, back: -1, forward: 1, last: Infinity };
const KEYS = { Home: -Infinity, ArrowLeft: -1, ArrowRight: 1, End: Infinity };

// Where arrow keys have a meaning of their own.
const BUSY = "#board, input, textarea, select, [role='tab'], dialog";

// Listens to the buttons and keys. `step` goes some moves forth, or back if negative, and returns whether it went anywhere;
// `look` goes to a move.
/** @param {{ step: (by: number) => boolean, look: (moves: number) => void }} page */
export function initPast({ step, look }) {
  for (const [id, by] of Object.entries(STEPS)) byId(/** @type {keyof typeof STEPS} */ (id)).addEventListener("click", () => step(by));
  byId("live").addEventListener("click", () => step(Infinity));
  byId("moves").addEventListener("click", (event) => {
    const row = event.target instanceof Element ? event.target.closest("li") : null;
    if (row) look([...byId("moves").children].indexOf(row) + 1);
  });
  document.addEventListener("keydown", (event) => {
    const by = KEYS[/** @type {keyof typeof KEYS} */ (event.key)];
    const isTaken = event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    if (by === undefined || isTaken || (event.target instanceof Element && event.target.closest(BUSY))) return;
    if (step(by)) event.preventDefault();
  });
}

// Shows that the position after so many moves is on the board; null is the latest.
/** @param {number | null} past @param {number} latest */
export function showPlace(past, latest) {
  keepFocus(enabledButton, () => {
    const at = past ?? latest;
    markMove(at);
    byId("live").hidden = past === null;
    byId("first").disabled = byId("back").disabled = at === 0;
    byId("forward").disabled = byId("last").disabled = at === latest;
    document.body.classList.toggle("past", past !== null);
  });
}

// A button to step that can have the focus.
const enabledButton = () => buttons().find((each) => !each.disabled && each.checkVisibility()) ?? null;
const buttons = () => /** @type {Array<keyof typeof STEPS>} */ (Object.keys(STEPS)).map(byId);

// The positions of earlier in a game, each asked for once.
export class Earlier {
  /** @type {Map<string, EarlierPosition>} */ #known = new Map();
  #room = "";

  // The position after so many moves. Moves that were taken back may have been others.
  /** @param {string} room @param {StateMessage} game @param {number} moves */
  async position(room, game, moves) {
    if (room !== this.#room) this.#known.clear();
    this.#room = room;
    const key = [game.flip, ...game.moves.slice(0, moves).map((each) => each.text)].join("|");
    let found = this.#known.get(key);
    if (!found) {
      found = await fetchJson(`/api/rooms/${encodeURIComponent(room)}/positions/${moves}?flip=${game.flip}`);
      if (room === this.#room) this.#known.set(key, found);
    }
    return found;
  }
}
