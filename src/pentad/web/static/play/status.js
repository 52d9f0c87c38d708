// The texts above the board: whose turn it is, how the game ended, and news about the players.

import { capitalize } from "../dom.js";
import { OPEN, PERSON, occupantName, offerText } from "./sidebar.js";

/** @import { OutcomeInfo, SeatInfo, StateMessage } from "../messages.d.ts" */

/** @param {SeatInfo} seat */
const nameOf = (seat) => seat.name || capitalize(seat.colour);

/** @param {StateMessage} state @param {string} prompt @returns {[string, string]} */
export function headline(state, prompt) {
  const { turn, outcome, seats, trouble, can, line } = state;
  const mine = seats.filter((seat) => seat.yours);
  if (outcome || turn === null) return outcome ? ended(outcome, state, mine) : ["", prompt];
  const seat = seats[turn];
  if (trouble) return [`${capitalize(seat.colour)} cannot move`, trouble];
  if (can.play) return [mine.length > 1 ? `${capitalize(seat.colour)} to move` : "Your turn", prompt];
  const second = mine.length ? `You play ${mine.map((each) => capitalize(each.colour)).join(" and ")}.` : "You are watching.";
  if (seat.who === OPEN) return ["Waiting for an opponent", second];
  if (seat.who === PERSON) return [seat.name ? `${seat.name} to move` : `${capitalize(seat.colour)} to move`, second];
  const [bot] = occupantName(seat).split(/[,(]/);
  if (line) return [`${bot.trim()} is waiting`, `The server is busy. Place in the queue: ${line}.`];
  return [`${bot.trim()} is thinking…`, second];
}

// News about the players: arrivals and departures, offers and refusals, as sentences; none if there is no state `before`.
// `away` are the seats of players who have left, before and after.
/** @param {readonly number[]} away @param {StateMessage | null} before @param {StateMessage} after */
export function news(away, before, after) {
  if (!before) return { sentences: [], away };
  const left = new Set(away);
  const people = after.seats.map((seat, i) => newsOf(seat, before.seats[i], i, left));
  const offer = after.offer && !before.offer ? offerText(after.offer, after.seats) : "";
  const again = after.again && !before.again ? "The next game is ready." : "";
  return { sentences: [...people, offer, refusal(before, after), again].filter(Boolean), away: [...left] };
}

/** @param {SeatInfo} seat @param {SeatInfo} before @param {number} number @param {Set<number>} left */
function newsOf(seat, before, number, left) {
  if (seat.yours || seat.who !== PERSON) return "";
  const name = nameOf(seat);
  if (before.who === OPEN) return `${name} has joined.`;
  if (before.here && !seat.here) {
    left.add(number);
    return `${name} is away.`;
  }
  return seat.here && left.delete(number) ? `${name} is back.` : "";
}

// The sentence about an offer that was declined, withdrawn or has lapsed; empty if there is none.
/** @param {StateMessage | null} before @param {StateMessage} after */
export function refusal(before, after) {
  if (!before?.offer || after.offer || after.outcome) return "";
  /** @param {number} seat */
  const playerName = (seat) => nameOf(after.seats[seat]);
  const draw = before.offer.what === "draw";
  if (before.at !== after.at) {
    const mover = after.moves.at(-1)?.seat ?? -1;
    const lapsed = before.offer.yours && after.event === "played" && !after.seats[mover].yours;
    return lapsed ? `${playerName(mover)} moved, so your ${draw ? "draw offer" : "takeback request"} has expired.` : "";
  }
  if (!after.declined) return "";
  const { seat, by } = after.declined;
  if (after.seats[by].yours) return "";
  if (seat === by) return `${playerName(by)} withdrew the ${draw ? "draw offer" : "takeback request"}.`;
  return `${playerName(by)} declined the ${draw ? "draw" : "takeback"}.`;
}

/** @param {OutcomeInfo} outcome @param {StateMessage} state @param {SeatInfo[]} mine @returns {[string, string]} */
function ended(outcome, { seats, status }, mine) {
  const winners = outcome.winners.map((seat) => seats[seat]);
  const alone = mine.length === 1;
  let first;
  if (!winners.length || winners.length === seats.length) first = "Draw";
  else if (alone && winners.includes(mine[0])) first = winners.length === 1 ? "You win" : "You share the win";
  else if (winners.length > 1 && !alone) first = `${winners.map((seat) => capitalize(seat.colour)).join(" and ")} share the win`;
  else first = alone ? "You lose" : `${capitalize(winners[0].colour)} wins`;
  return [first, status.replace(`${first}.`, "").trim() || status];
}
