// What stands beside the board: who plays, what was played, and what the players ask each other for.

import { byId, button, capital, dot, make } from "/static/dom.js";

export const PERSON = "human"; // what the server calls a seat that no bot takes
export const OPEN = "open"; // and one that waits for somebody

// What somebody at a seat is called.
export function called(seat, alone = false) {
  if (seat.yours && alone) return "you";
  if (seat.who === OPEN) return "free seat";
  if (seat.who === PERSON) return seat.name || "person";
  return seat.name ? `${seat.name} computer` : `${seat.who} bot`;
}

// The rows of the seats; the elements in which their clocks are shown.
export function showSeats({ seats, turn, outcome, clock }) {
  const alone = seats.filter((seat) => seat.yours).length === 1;
  const clocks = [];
  const rows = seats.map((seat, i) => {
    const row = make("li", {}, dot(seat.colour), capital(seat.colour), make("span", { className: "who" }, called(seat, alone)));
    if (turn === i) {
      row.setAttribute("aria-current", "true");
      row.append(make("span", { className: "unseen" }, ", to move"));
    }
    if (outcome?.winners.includes(i)) row.classList.add("won");
    if (!seat.here && seat.who !== OPEN) row.classList.add("away"); // which is written behind the name
    if (clock) {
      clocks.push(make("span", { className: "clock", role: "timer" }));
      row.append(clocks.at(-1));
    }
    return row;
  });
  byId("seats").replaceChildren(...rows);
  return clocks;
}

export function showWatching(count) {
  byId("watching").hidden = !count;
  byId("watching").textContent = count === 1 ? "One person is watching." : `${count} people are watching.`;
}

function moveRow(move, seats) {
  const row = make("li", {}, dot(seats[move.seat].colour), move.text);
  row.title = [capital(move.words), move.note].filter(Boolean).join(". ");
  return row;
}

export function showMoves(moves, seats) {
  byId("moves").replaceChildren(...moves.map((move) => moveRow(move, seats)));
  settleMoves(moves);
}

export function addMove(moves, seats) {
  byId("moves").append(moveRow(moves.at(-1), seats));
  settleMoves(moves);
}

function settleMoves(moves) {
  const list = byId("moves");
  list.classList.toggle("wide", moves.some((move) => move.text.length > 9));
  list.hidden = !moves.length;
  byId("no-moves").hidden = moves.length > 0;
  list.scrollTop = list.scrollHeight;
}

// Choices that no touch of the board can single out, and the end of a turn that might go on, as buttons.
export function showBar({ choices, may_end: mayEnd }, begun, choose, end) {
  const key = (choice) => JSON.stringify(choice.targets);
  const count = new Map();
  for (const choice of choices) count.set(key(choice), (count.get(key(choice)) ?? 0) + 1);
  const buttons = choices
    .filter((choice) => !choice.targets.length || count.get(key(choice)) > 1)
    .map((choice) => button(capital(choice.label), () => choose(choice)));
  if (mayEnd && choices.length && begun) buttons.push(button("End the turn", end));
  byId("bar").replaceChildren(...buttons);
  byId("bar").hidden = !buttons.length;
}

// What somebody asks the others for, in words.
export function offered(offer, seats) {
  const back = offer.moves === 1 ? "the last move" : `the last ${offer.moves} moves`;
  const wish = offer.what === "draw" ? "for a draw" : `to take back ${back}`;
  if (offer.yours) return `You have asked ${wish}.`;
  return `${seats[offer.seat].name || capital(seats[offer.seat].colour)} asks ${wish}.`;
}

export function showOffer(offer, seats) {
  byId("offer").hidden = !offer;
  if (!offer) return;
  byId("offer-words").textContent = offered(offer, seats);
  byId("offer-yes").hidden = !offer.asked;
  byId("offer-no").hidden = !offer.asked && !offer.yours;
  byId("offer-no").textContent = offer.yours ? "Withdraw" : "No";
}

// The link for whoever is to take a free seat, or the seat itself for whoever has come by it. `others` is where others
// in this network find the server, if they do.
export function showFree(state, others) {
  const free = state.seats.some((seat) => seat.who === OPEN) && !state.outcome;
  const wasHidden = byId("share").hidden;
  byId("share").hidden = !(free && state.seats.some((seat) => seat.yours));
  if (wasHidden && !byId("share").hidden) byId("share").scrollIntoView({ block: "nearest" });
  byId("join").hidden = !state.can.sit;
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  byId("link").value = (isLocal && others ? others : location.origin) + location.pathname;
  byId("only-here").hidden = !isLocal || others !== "";
}
