// The texts above the board: whose turn it is, how the game ended, and news about the players.

import { capitalize } from "../dom.js";
import { OPEN, PERSON, offerText } from "./sidebar.js";
import { listed, phrase } from "../words.js";

/** @import { OutcomeInfo, SeatInfo, StateMessage } from "../messages.d.ts" */

/** @param {SeatInfo} seat */
const nameOf = (seat) => seat.name || capitalize(seat.colour);

/** @param {number} place in the queue for an engine */
export const queueText = (place) => phrase("The server is busy. Place in the queue: {place}.", { place });

/** @param {string} player */
const toMove = (player) => phrase("{player} to move", { player });

/** @param {StateMessage} state @param {string} prompt @returns {[string, string]} */
export function headline(state, prompt) {
  const { turn, outcome, seats, trouble, can, line } = state;
  const mine = seats.filter((seat) => seat.yours);
  if (outcome || turn === null) return outcome ? ended(outcome, state, mine) : ["", prompt];
  const seat = seats[turn];
  if (trouble) return [phrase("{player} cannot move", { player: capitalize(seat.colour) }), trouble];
  if (can.play) return [mine.length > 1 ? toMove(capitalize(seat.colour)) : "Your turn", prompt];
  const own = mine.map((each) => capitalize(each.colour));
  const second = own.length ? phrase("You play {colours}.", { colours: listed(own) }) : "You are watching.";
  if (seat.who === OPEN) return ["Waiting for an opponent", second];
  if (seat.who === PERSON) return [toMove(nameOf(seat)), second];
  if (line) return ["Computer is waiting", queueText(line)];
  return ["Computer is thinking…", second];
}

// News about the players: arrivals and departures, offers and refusals, as sentences; none if there is no state `before`.
// `away` are the seats of players who have left, before and after.
/** @param {readonly number[]} away @param {StateMessage | null} before @param {StateMessage} after */
export function news(away, before, after) {
  if (!before) return { sentences: [], away };
  const left = new Set(away);
  const people = after.seats.map((seat, i) => newsOf(seat, before.seats[i], i, left));
  const offer = after.offer && !before.offer ? offerText(after.offer, after.seats) : "";
  const again = after.again && !before.again ? againText(after) : "";
  return { sentences: [...people, offer, refusal(before, after), again, watchersNews(before, after)].filter(Boolean), away: [...left] };
}

/** @param {StateMessage} before @param {StateMessage} after */
function watchersNews(before, after) {
  if (before.watchers_say === after.watchers_say) return "";
  return after.watchers_say ? "The chat for watchers is on." : "The chat for watchers is off.";
}

// The news that the next game has begun.
/** @param {Pick<StateMessage, "seats">} state */
export const againText = ({ seats }) => (isAmongPeople(seats) ? "The rematch has been accepted." : "The rematch has begun.");

// Whether the player has played other people.
/** @param {SeatInfo[]} seats */
export const isAmongPeople = (seats) => seats.some((seat) => seat.yours) && seats.some((seat) => !seat.yours && seat.who === PERSON);

/** @param {SeatInfo} seat @param {SeatInfo} before @param {number} number @param {Set<number>} left */
function newsOf(seat, before, number, left) {
  if (seat.yours || seat.who !== PERSON) return "";
  const player = nameOf(seat);
  if (before.who === OPEN) return phrase("{player} has joined.", { player });
  if (before.here && !seat.here) {
    left.add(number);
    return phrase("{player} is away.", { player });
  }
  return seat.here && left.delete(number) ? phrase("{player} is back.", { player }) : "";
}

// The sentence about an offer that was declined, withdrawn or has lapsed; empty if there is none.
/** @param {StateMessage | null} before @param {StateMessage} after */
export function refusal(before, after) {
  if (!before?.offer || after.offer) return "";
  if (before.offer.what === "rematch") return rematchRefusal(after);
  if (after.outcome) return "";
  const isDraw = before.offer.what === "draw";
  if (before.at !== after.at) {
    const mover = after.moves.at(-1)?.seat ?? -1;
    if (!before.offer.yours || after.event !== "played" || after.seats[mover].yours) return "";
    const player = nameOf(after.seats[mover]);
    return isDraw
      ? phrase("{player} moved, so your draw offer has expired.", { player })
      : phrase("{player} moved, so your takeback request has expired.", { player });
  }
  if (!after.declined) return "";
  const { seat, by } = after.declined;
  if (after.seats[by].yours) return "";
  const player = nameOf(after.seats[by]);
  if (seat === by) {
    return isDraw ? phrase("{player} withdrew the draw offer.", { player }) : phrase("{player} withdrew the takeback request.", { player });
  }
  return isDraw ? phrase("{player} declined the draw.", { player }) : phrase("{player} declined the takeback.", { player });
}

/** @param {StateMessage} state after a rematch was declined or withdrawn */
function rematchRefusal({ declined, seats }) {
  if (!declined || seats[declined.by].yours) return "";
  const player = nameOf(seats[declined.by]);
  return declined.seat === declined.by
    ? phrase("{player} no longer wants a rematch.", { player })
    : phrase("{player} declined the rematch.", { player });
}

/** @param {OutcomeInfo} outcome @param {StateMessage} state @param {SeatInfo[]} mine @returns {[string, string]} */
function ended(outcome, { seats, status, reason }, mine) {
  const winners = outcome.winners.map((seat) => seats[seat]);
  const names = winners.map((seat) => capitalize(seat.colour));
  const alone = mine.length === 1;
  let first;
  if (!winners.length || winners.length === seats.length) first = "Draw";
  else if (alone && winners.includes(mine[0])) first = winners.length === 1 ? "You win" : "You share the win";
  else if (winners.length > 1 && !alone) first = phrase("{players} share the win", { players: listed(names) });
  else first = alone ? "You lose" : phrase("{player} wins", { player: names[0] });
  return [first, (!alone && reason) || status]; // the headline names the winners
}
