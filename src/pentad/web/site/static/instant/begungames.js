// The games that pages have begun and Python does not have yet, in this browser: nothing is lost with a page that is closed.

import { save, saved } from "../dom.js";

/** @import { Begun } from "./relay.js" */

const PREFIX = "begun "; // the names of the values begin with it

export const begunGames = {
  /** @param {Begun} begun */
  keep: (begun) => save(`${PREFIX}${begun.room}`, begun),

  all() {
    try {
      const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
      return names.flatMap((name) => saved(name, /** @type {Begun[]} */ ([])));
    } catch {
      return []; // the browser stores nothing
    }
  },

  /** @param {string} room */
  forget(room) {
    try {
      localStorage.removeItem(`${PREFIX}${room}`);
    } catch {
      // Nothing was stored.
    }
  },
};
