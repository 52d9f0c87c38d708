// Buttons beside a new board that choose the game, the opponent and its strength.

import { byId, capitalize, every, make } from "../dom.js";
import { OPEN } from "./sidebar.js";
import { OPPONENTS, chosenStrength, gameNamed, keepChosen, opponentKind, press } from "./opponents.js";

/** @import { Catalogue, StateMessage } from "../messages.d.ts" */
/** @import { Opponent } from "./opponents.js" */
/** @typedef {(game: string, opponent: Opponent, strength: string) => void} Choose */

// `choose` is called with a game's name, a kind of opponent and a strength.
export class QuickStart {
  /** @type {Catalogue | null} */ #catalogue = null;
  /** @type {Choose} */ #choose;
  /** @type {{ game: string, opponent: Opponent | null, strength: string | null }} */
  #current = { game: "", opponent: null, strength: null };

  /** @param {Choose} choose */
  constructor(choose) {
    this.#choose = choose;
    for (const each of every("#start [data-against]")) {
      each.addEventListener("click", () => this.#change({ opponent: /** @type {Opponent} */ (each.dataset.against) }));
    }
    for (const each of every("#start [data-strength]")) {
      each.addEventListener("click", () => this.#change({ strength: each.dataset.strength, opponent: "computer" }));
    }
  }

  /** @param {{ game?: string, opponent?: Opponent, strength?: string }} change */
  #change(change) {
    const { game, opponent, strength } = { ...this.#current, ...change };
    keepChosen(change);
    this.#choose(game, opponent ?? OPPONENTS[0], strength ?? chosenStrength());
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
    this.#current = { game: game.name, opponent, strength };
    press("against", opponent, byId("start"));
    press("strength", strength, byId("start"));
    press("game", game.name, byId("start"));
    byId("strengths").hidden = opponent !== "computer" || Object.keys(game.strengths).length < 2;
  }

  /** @param {Catalogue} catalogue */
  #fill(catalogue) {
    this.#catalogue = catalogue;
    const buttons = catalogue.games.map((game) => {
      const act = () => this.#change({ game: game.name });
      const button = make("button", { type: "button", title: capitalize(game.summary), onclick: act }, game.title);
      button.dataset.game = game.name;
      return button;
    });
    byId("kinds").replaceChildren(...buttons);
  }
}
