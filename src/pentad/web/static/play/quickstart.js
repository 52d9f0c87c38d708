// Fields beside a new board that choose the game, the opponent and its strength, the side, the clock, and rules by name.

import { byId, capitalize, every, make } from "../dom.js";
import { OPEN } from "./sidebar.js";
import { fillRules, optionsOf } from "./requests.js";
import { OPPONENTS, chosenStrength, gameNamed, keepChosen, opponentKind, press } from "./opponents.js";
import { RANDOM, fillClocks, fillSides, keepTerms } from "./terms.js";

/** @import { Catalogue, StateMessage } from "../messages.d.ts" */
/** @import { Opponent } from "./opponents.js" */
/** @import { Chosen } from "../options.js" */
/** @import { Clock, Side } from "./terms.js" */
/** @typedef {{ game: string, opponent: Opponent, strength: string, options: Chosen, side: Side, clock: Clock }} Choice the game's name and its options, and who plays */

export class QuickStart {
  /** @type {Catalogue | null} */ #catalogue = null;
  #choose;
  /** @type {Omit<Choice, "opponent" | "strength"> & { opponent: Opponent | null, strength: string | null }} */
  #current = { game: "", opponent: null, strength: null, options: {}, side: 0, clock: null };

  /** @param {(choice: Choice) => void} choose */
  constructor(choose) {
    this.#choose = choose;
    for (const each of every("#start [data-against]")) {
      each.addEventListener("click", () => this.#change({ opponent: /** @type {Opponent} */ (each.dataset.against) }));
    }
    for (const each of every("#start [data-strength]")) {
      each.addEventListener("click", () => this.#change({ strength: each.dataset.strength, opponent: "computer" }));
    }
    byId("start-rules").addEventListener("change", () => {
      if (this.#catalogue) this.#change({ options: optionsOf(gameNamed(this.#catalogue, this.#current.game), byId("start-rules").value) });
    });
  }

  /** @param {Partial<Choice>} change */
  #change(change) {
    this.#current = { ...this.#current, ...change };
    const { opponent, strength } = this.#current;
    keepChosen(change);
    keepTerms(change);
    this.#choose({ ...this.#current, opponent: opponent ?? OPPONENTS[0], strength: strength ?? chosenStrength() });
  }

  // Shows the buttons to a player without human opponents until the first move.
  /** @param {Catalogue} catalogue @param {StateMessage} state */
  show(catalogue, state) {
    const mine = state.seats.some((seat) => seat.yours);
    const alone = state.seats.every((seat) => seat.yours || (seat.who !== OPEN && seat.who !== catalogue.person));
    byId("start").hidden = !mine || !alone || state.moves.length > 0 || Boolean(state.outcome);
    if (byId("start").hidden) return;
    if (catalogue !== this.#catalogue) this.#fill(catalogue);
    const game = gameNamed(catalogue, state.game);
    const { opponent, strength } = opponentKind(state.seats.map((seat) => seat.who), game, catalogue.person);
    const own = state.seats.findIndex((seat) => seat.yours);
    const side = this.#current.side === RANDOM ? RANDOM : own; // a random side stays the choice
    const clock = Object.keys(state.time).length ? state.time : null;
    this.#current = { game: game.name, opponent, strength, options: state.options, side, clock };
    fillRules(byId("start-rules"), game, state.options);
    fillSides(byId("start-side"), state.seats.map((seat) => capitalize(seat.colour)), side, (each) => this.#change({ side: each }));
    byId("start-side-row").hidden = opponent === "here";
    fillClocks(byId("start-clock"), clock, { days: catalogue.friends }, (each) => this.#change({ clock: each }));
    press("against", opponent, byId("start"));
    press("strength", strength, byId("start"));
    press("game", game.name, byId("start"));
    byId("strengths").hidden = opponent !== "computer" || Object.keys(game.strengths).length < 2;
  }

  /** @param {Catalogue} catalogue */
  #fill(catalogue) {
    this.#catalogue = catalogue;
    const buttons = catalogue.games.map((game) => {
      const act = () => this.#change({ game: game.name, options: {} });
      const button = make("button", { type: "button", title: capitalize(game.summary), onclick: act }, game.title);
      button.dataset.game = game.name;
      return button;
    });
    byId("kinds").replaceChildren(...buttons);
  }
}
