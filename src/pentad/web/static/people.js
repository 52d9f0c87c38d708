// Other people in a list, each with buttons to block and to mute them.

import { announce, make, messageOf, notify } from "./dom.js";
import { phrase } from "./words.js";

/** @import { Decision, OtherPerson } from "./messages.d.ts" */

// The rows of a list; `put` sends what was decided about a person.
/** @param {OtherPerson[]} people @param {(decision: Required<Decision>) => Promise<unknown>} put */
export const rowsOf = (people, put) => people.map((person) => row(person, put));

/** @param {OtherPerson} person @param {(decision: Required<Decision>) => Promise<unknown>} put */
function row({ key, name, blocked, muted }, put) {
  const now = { blocked, muted };
  const shown = name || "Somebody without a name";

  /** @param {"blocked" | "muted"} what @param {string} text */
  const toggle = (what, text) => {
    const button = make("button", { type: "button", ariaPressed: String(now[what]), ariaLabel: phrase("{text}: {name}", { text, name: shown }) }, text);
    button.addEventListener("click", async () => {
      const decided = { ...now, [what]: !now[what] };
      try {
        await put({ key, ...decided });
        Object.assign(now, decided);
        button.ariaPressed = String(now[what]);
        announce(now[what] ? phrase("{name} is {what}.", { name: shown, what }) : phrase("{name} is not {what} any more.", { name: shown, what }));
      } catch (error) {
        notify(messageOf(error));
      }
    });
    return button;
  };
  return make("li", {}, make("b", {}, shown), toggle("muted", "Mute"), toggle("blocked", "Block"));
}
