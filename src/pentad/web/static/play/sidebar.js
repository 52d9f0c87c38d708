// The panels beside the board: seats, moves, offers, and the link for a friend.

import { button, byId, capitalize, dot, make } from "../dom.js";
import { phrase, plural } from "../words.js";

/** @import { ChoiceInfo, MoveInfo, Offer, SeatInfo, StateMessage } from "../messages.d.ts" */

export const PERSON = "human"; // the occupant of a seat that is a person
export const OPEN = "open"; // the value of an open seat

// The name shown for a seat.
/** @param {SeatInfo} seat */
export function occupantName(seat, alone = false) {
  if (seat.yours && alone) return "You";
  if (seat.who === OPEN) return "Open seat";
  if (seat.who === PERSON) return seat.name || "Player";
  return seat.title;
}

// Shows the seats; returns the elements of their clocks.
/** @param {Pick<StateMessage, "seats" | "turn" | "outcome" | "clock">} state */
export function showSeats({ seats, turn, outcome, clock }) {
  const alone = seats.filter((seat) => seat.yours).length === 1;
  const below = Math.max(0, seats.findIndex((seat) => seat.yours)); // the first own seat, else the first one
  /** @type {HTMLElement[]} */
  const clocks = [];
  const rows = seats.map((seat, i) => {
    const colour = make("span", { className: "colour" }, capitalize(seat.colour));
    const row = make("li", {}, dot(seat.colour), colour, make("span", { className: "who" }, occupantName(seat, alone)));
    row.classList.toggle("below", i === below);
    if (turn === i) {
      row.setAttribute("aria-current", "true");
      row.append(make("span", { className: "visually-hidden" }, ", to move"));
    }
    if (outcome?.winners.includes(i)) row.classList.add("won");
    if (!seat.here && seat.who !== OPEN) row.classList.add("away"); // CSS adds it to the name
    if (clock) {
      const time = make("span", { className: "clock", role: "timer" });
      clocks.push(time);
      row.append(time);
    }
    return row;
  });
  byId("seats").replaceChildren(...rows);
  return clocks;
}

/** @param {number} count */
export function showWatching(count) {
  byId("watching").hidden = !count;
  byId("watching").textContent = plural(count, "One person is watching.", "{count} people are watching.");
}

/** @param {MoveInfo} move */
const textOf = ({ notation, text }) => notation || text;

// The list is one stop for the keyboard; ← and → step through it.
/** @param {MoveInfo} move @param {SeatInfo[]} seats */
function moveRow(move, seats) {
  const text = textOf(move);
  const ariaLabel = phrase("{move}: {words}", { move: text, words: move.words });
  const row = make("li", {}, make("button", { type: "button", tabIndex: -1, ariaLabel }, dot(seats[move.seat].colour), text));
  row.title = [move.words, move.note].filter(Boolean).join(" ");
  return row;
}

/** @param {MoveInfo[]} moves @param {SeatInfo[]} seats */
export function showMoves(moves, seats) {
  byId("moves").replaceChildren(...moves.map((move) => moveRow(move, seats)));
  settleMoves(moves);
}

/** @param {MoveInfo[]} moves @param {SeatInfo[]} seats */
export function addMove(moves, seats) {
  byId("moves").append(...moves.slice(-1).map((move) => moveRow(move, seats)));
  settleMoves(moves);
}

/** @param {MoveInfo[]} moves */
function settleMoves(moves) {
  const list = byId("moves");
  list.classList.toggle("wide", moves.some((move) => textOf(move).length > 9));
  list.hidden = !moves.length;
  byId("no-moves").hidden = moves.length > 0;
}

// Marks the move after which the shown position stands, and scrolls the list to it.
/** @param {number} count how many moves were made before that position */
export function markMove(count) {
  const list = byId("moves");
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const row = /** @type {HTMLElement | undefined} */ (list.children[count - 1]);
  row?.setAttribute("aria-current", "step");
  const [top, left] = row ? [row.offsetTop - list.offsetTop, row.offsetLeft - list.offsetLeft] : [0, 0];
  list.scrollTo(left - (list.clientWidth - (row?.offsetWidth ?? 0)) / 2, top - (list.clientHeight - (row?.offsetHeight ?? 0)) / 2);
}

// Buttons for choices that touches on the board cannot tell apart, and for ending a turn that could continue.
/** @param {{ choices: ChoiceInfo[], may_end: boolean }} turn @param {boolean} begun @param {(choice: ChoiceInfo) => void} choose @param {() => void} end */
export function showBar({ choices, may_end: mayEnd }, begun, choose, end) {
  /** @param {ChoiceInfo} choice */
  const key = (choice) => JSON.stringify(choice.targets);
  const count = new Map();
  for (const choice of choices) count.set(key(choice), (count.get(key(choice)) ?? 0) + 1);
  const buttons = choices
    .filter((choice) => !choice.targets.length || count.get(key(choice)) > 1)
    .map((choice) => button(choice.label, () => choose(choice)));
  if (mayEnd && choices.length && begun) buttons.push(button("End turn", end));
  byId("bar").replaceChildren(...buttons);
  byId("bar").hidden = !buttons.length;
}

// The sentence for an offer.
/** @param {Offer} offer @param {SeatInfo[]} seats */
export function offerText(offer, seats) {
  const player = seats[offer.seat].name || capitalize(seats[offer.seat].colour);
  if (offer.what === "draw") return offer.yours ? "You offered a draw." : phrase("{player} offers a draw.", { player });
  if (offer.what === "rematch") {
    if (offer.yours) return "You asked for a rematch.";
    return seats.length === 2
      ? phrase("{player} wants a rematch, colours swapped.", { player })
      : phrase("{player} wants a rematch, each with the next colour.", { player });
  }
  if (offer.yours) return plural(offer.moves, "You asked to take back the last move.", "You asked to take back the last {count} moves.");
  return plural(offer.moves, "{player} asks to take back the last move.", "{player} asks to take back the last {count} moves.", { player });
}

/** @param {Offer | null} offer @param {SeatInfo[]} seats */
export function showOffer(offer, seats) {
  const isNew = byId("offer").hidden;
  byId("offer").hidden = !offer;
  if (!offer) return;
  byId("offer-text").textContent = offerText(offer, seats);
  byId("offer-yes").hidden = !offer.asked;
  byId("offer-no").hidden = !offer.asked && !offer.yours;
  byId("offer-no").textContent = offer.yours ? "Withdraw" : "Decline";
  if (isNew) byId("offer").scrollIntoView({ block: "nearest" });
}
