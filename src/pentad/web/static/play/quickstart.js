// Buttons beside a new board that choose the game and the opponent.

import { byId, capitalize, make } from "../dom.js";
import { OPEN } from "./sidebar.js";

export const OPPONENTS = ["computer", "friend", "here"];

// The occupant of all other seats: the default opponent, an open seat, or a person at this screen.
export function opponentIn(kind, game, person) {
  return { computer: game.rival, friend: OPEN, here: person }[kind];
}

// The kind of opponent in a list of seats; null if it is mixed.
export function opponentKind(seats, game, person) {
  const isKind = (kind) => seats.slice(1).every((who) => who === opponentIn(kind, game, person));
  return (seats[0] === person && OPPONENTS.find(isKind)) || null;
}

// `choose` is called with a game's name and a kind of opponent.
export class QuickStart {
  #catalogue;
  #choose;
  #current = { game: null, opponent: null };

  constructor(choose) {
    this.#choose = choose;
    for (const each of document.querySelectorAll("[data-against]")) {
      each.addEventListener("click", () => this.#choose(this.#current.game, each.dataset.against));
    }
  }

  // Shows the buttons to a player without human opponents until the first move.
  show(catalogue, state) {
    const mine = state.seats.some((seat) => seat.yours);
    const alone = state.seats.every((seat) => seat.yours || (seat.who !== OPEN && seat.who !== catalogue.person));
    byId("start").hidden = !mine || !alone || state.moves.length > 0 || Boolean(state.outcome);
    if (byId("start").hidden) return;
    if (catalogue !== this.#catalogue) this.#fill(catalogue);
    const game = catalogue.games.find((each) => each.name === state.game);
    const opponent = opponentKind(state.seats.map((seat) => seat.who), game, catalogue.person);
    this.#current = { game: game.name, opponent };
    for (const each of document.querySelectorAll("[data-against]")) each.ariaPressed = String(each.dataset.against === opponent);
    for (const each of byId("kinds").children) each.ariaPressed = String(each.dataset.game === game.name);
  }

  #fill(catalogue) {
    this.#catalogue = catalogue;
    const buttons = catalogue.games.map((game) => {
      const act = () => this.#choose(game.name, this.#current.opponent ?? OPPONENTS[0]);
      const button = make("button", { type: "button", title: capitalize(game.summary), onclick: act }, game.title);
      button.dataset.game = game.name;
      return button;
    });
    byId("kinds").replaceChildren(...buttons);
  }
}
