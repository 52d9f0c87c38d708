// What a newcomer sees beside a board on which nothing has been played: the games, and against whom.

import { byId, make } from "/static/dom.js";
import { OPEN } from "/static/play/side.js";

export const AGAINST = ["computer", "friend", "here"];

// Who sits at all seats but one's own: the game's usual rival, whoever comes, or people at this screen.
export function rivalIn(against, game, person) {
  return { computer: game.rival, friend: OPEN, here: person }[against];
}

// Which of the ways above a row of seats is; none if it is mixed.
export function againstWhom(seats, game, person) {
  const is = (against) => seats.slice(1).every((who) => who === rivalIn(against, game, person));
  return (seats[0] === person && AGAINST.find(is)) || null;
}

// `choose` gets a game's name and one of the ways above.
export class Start {
  #known;
  #choose;
  #now = { game: null, against: null };

  constructor(choose) {
    this.#choose = choose;
    for (const each of document.querySelectorAll("[data-against]")) {
      each.addEventListener("click", () => this.#choose(this.#now.game, each.dataset.against));
    }
  }

  // Shown as long as nothing has been played, by whoever may still choose; `state` is what the room says.
  show(known, state) {
    const mine = state.seats.some((seat) => seat.yours);
    const alone = state.seats.every((seat) => seat.yours || (seat.who !== OPEN && seat.who !== known.person));
    byId("start").hidden = !mine || !alone || state.moves.length > 0 || Boolean(state.outcome);
    if (byId("start").hidden) return;
    if (known !== this.#known) this.#fill(known);
    const game = known.games.find((each) => each.name === state.game);
    const against = againstWhom(state.seats.map((seat) => seat.who), game, known.person);
    this.#now = { game: game.name, against };
    for (const each of document.querySelectorAll("[data-against]")) each.ariaPressed = String(each.dataset.against === against);
    for (const each of byId("kinds").children) each.ariaPressed = String(each.dataset.game === game.name);
  }

  #fill(known) {
    this.#known = known;
    const buttons = known.games.map((game) => {
      const act = () => this.#choose(game.name, this.#now.against ?? AGAINST[0]);
      const button = make("button", { type: "button", title: game.summary, onclick: act }, game.title);
      button.dataset.game = game.name;
      return button;
    });
    byId("kinds").replaceChildren(...buttons);
  }
}
