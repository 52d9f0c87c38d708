// Buttons beside a new board that choose the game and the opponent.

import { byId, capitalize, every, make } from "../dom.js";
import { OPEN } from "./sidebar.js";

/** @import { Catalogue, GameInfo, StateMessage } from "../messages.d.ts" */
/** @typedef {"computer" | "friend" | "here"} Opponent */
/** @typedef {(game: string, opponent: Opponent) => void} Choose */

/** @type {Opponent[]} */ export const OPPONENTS = ["computer", "friend", "here"];

// A game of the catalogue.
/** @param {Catalogue} catalogue @param {string} name */
export function gameNamed({ games }, name) {
  const found = games.find((each) => each.name === name);
  if (!found) throw new Error(`This server has no game named ${name}.`);
  return found;
}

// The occupant of all other seats: the default opponent, an open seat, or a person at this screen.
/** @param {Opponent} kind @param {GameInfo} game @param {string} person */
export function opponentIn(kind, game, person) {
  return { computer: game.rival, friend: OPEN, here: person }[kind];
}

// The kind of opponent in a list of seats; null if it is mixed.
/** @param {string[]} seats @param {GameInfo} game @param {string} person */
export function opponentKind(seats, game, person) {
  /** @param {Opponent} kind */
  const isKind = (kind) => seats.slice(1).every((who) => who === opponentIn(kind, game, person));
  return (seats[0] === person && OPPONENTS.find(isKind)) || null;
}

// Offers games with friends, or says where they can be played.
/** @param {Catalogue} catalogue */
export function offerFriends({ friends, friends_server }) {
  document.body.classList.toggle("alone", !friends);
  if (!friends_server) return;
  for (const line of every("[data-alone]")) {
    const link = make("a", { href: friends_server }, friends_server.replace(/^https?:\/\/|\/$/g, ""));
    line.replaceChildren("To play a friend by a link, use a server: ", link, ".");
  }
}

// `choose` is called with a game's name and a kind of opponent.
export class QuickStart {
  /** @type {Catalogue | null} */ #catalogue = null;
  /** @type {Choose} */ #choose;
  /** @type {{ game: string, opponent: Opponent | null }} */ #current = { game: "", opponent: null };

  /** @param {Choose} choose */
  constructor(choose) {
    this.#choose = choose;
    for (const each of every("[data-against]")) {
      each.addEventListener("click", () => this.#choose(this.#current.game, /** @type {Opponent} */ (each.dataset.against)));
    }
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
    const opponent = opponentKind(state.seats.map((seat) => seat.who), game, catalogue.person);
    this.#current = { game: game.name, opponent };
    for (const each of every("[data-against]")) each.ariaPressed = String(each.dataset.against === opponent);
    for (const each of every("[data-game]")) each.ariaPressed = String(each.dataset.game === game.name);
  }

  /** @param {Catalogue} catalogue */
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
