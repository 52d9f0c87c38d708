// Fields beside a new board that choose the game, the opponent and its strength, and rules by name.

import { byId, capitalize, every, make } from "../dom.js";
import { OPEN } from "./sidebar.js";
import { nameOfRules, optionsOf, rulesOf } from "./requests.js";
import { OPPONENTS, chosenStrength, gameNamed, keepChosen, opponentKind, press } from "./opponents.js";

/** @import { Catalogue, GameInfo, StateMessage } from "../messages.d.ts" */
/** @import { Opponent } from "./opponents.js" */
/** @import { Chosen } from "../options.js" */
/** @typedef {{ game: string, opponent: Opponent, strength: string, options: Chosen }} Choice the game's name and its options, and who plays */

const OTHER = "Other";

export class QuickStart {
  /** @type {Catalogue | null} */ #catalogue = null;
  #choose;
  /** @type {{ game: string, opponent: Opponent | null, strength: string | null, options: Chosen }} */
  #current = { game: "", opponent: null, strength: null, options: {} };

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
    const { game, opponent, strength, options } = { ...this.#current, ...change };
    keepChosen(change);
    this.#choose({ game, opponent: opponent ?? OPPONENTS[0], strength: strength ?? chosenStrength(), options });
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
    this.#current = { game: game.name, opponent, strength, options: state.options };
    this.#showRules(game, state.options);
    press("against", opponent, byId("start"));
    press("strength", strength, byId("start"));
    press("game", game.name, byId("start"));
    byId("strengths").hidden = opponent !== "computer" || Object.keys(game.strengths).length < 2;
  }

  // Options without a name are an entry of their own.
  /** @param {GameInfo} game @param {Chosen} options */
  #showRules(game, options) {
    const name = nameOfRules(game, options);
    const names = [...rulesOf(game).map(([each]) => each), ...(name ? [] : [OTHER])];
    byId("start-rules").replaceChildren(...names.map((each) => new Option(each)));
    byId("start-rules").value = name ?? OTHER;
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
