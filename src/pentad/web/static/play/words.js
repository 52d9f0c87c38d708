// What stands above the board: whose turn it is, and how the game ended.

import { capital } from "/static/dom.js";
import { called, offered, OPEN, PERSON } from "/static/play/side.js";

const nameOf = (seat) => seat.name || capital(seat.colour);

export function headline(state, prompt) {
  const { turn, outcome, seats, trouble, can, line } = state;
  const mine = seats.filter((seat) => seat.yours);
  if (outcome) return ended(state, mine);
  if (trouble) return [`${capital(seats[turn].colour)} cannot move`, `${capital(trouble)}.`];
  if (can.play) {
    return [mine.length > 1 ? `${capital(seats[turn].colour)} to move` : "Your turn", `${capital(prompt)}.`];
  }
  const seat = seats[turn];
  const second = mine.length ? `You play ${mine.map((each) => each.colour).join(" and ")}.` : "You are watching.";
  if (seat.who === OPEN) return ["Waiting for somebody", second];
  if (seat.who === PERSON) return [seat.name ? `${seat.name} to move` : `${capital(seat.colour)} to move`, second];
  const bot = capital(called(seat).replace(/ bot$/, ""));
  if (line) return [`${bot} waits for its turn to think`, `Many are playing: it is number ${line} in line.`];
  return [`${bot} is thinking …`, second];
}

// What is new around the board: who has come or gone, and what somebody asks for or has refused.
export class News {
  #away = new Set(); // the seats of those who have gone

  clear() {
    this.#away.clear();
  }

  // In sentences; `before` is null for whoever has only just come themselves.
  between(before, after) {
    if (!before) return [];
    const people = after.seats.map((seat, i) => this.#person(seat, before.seats[i], i));
    const asked = after.offer && !before.offer ? offered(after.offer, after.seats) : "";
    const refused = refusal(before, after);
    const again = after.again && !before.again ? "The next game is ready: go there to play again." : "";
    return [...people, asked, refused, again].filter(Boolean);
  }

  #person(seat, before, number) {
    if (seat.yours || seat.who !== PERSON) return "";
    const name = nameOf(seat);
    if (before.who === OPEN) return `${name} sits down.`;
    if (before.here && !seat.here) {
      this.#away.add(number);
      return `${name} is away.`;
    }
    return seat.here && this.#away.delete(number) ? `${name} is here again.` : "";
  }
}

// What became of something that was asked for and not granted; nothing where nothing did.
export function refusal(before, after) {
  if (!before?.offer || after.offer || after.outcome) return "";
  const called = (seat) => nameOf(after.seats[seat]);
  const draw = before.offer.what === "draw";
  if (before.at !== after.at) {
    const mover = after.moves.at(-1)?.seat;
    const lapsed = before.offer.yours && after.event === "played" && !after.seats[mover].yours;
    return lapsed ? `${called(mover)} played on: your ${draw ? "draw offer" : "takeback request"} has lapsed.` : "";
  }
  if (!after.declined) return "";
  const { seat, by } = after.declined;
  if (after.seats[by].yours) return "";
  if (seat === by) return `${called(by)} withdrew the ${draw ? "draw offer" : "takeback request"}.`;
  return `${called(by)} declined the ${draw ? "draw" : "takeback"}.`;
}

function ended({ outcome, seats, status }, mine) {
  const winners = outcome.winners.map((seat) => seats[seat]);
  const alone = mine.length === 1;
  let first;
  if (!winners.length || winners.length === seats.length) first = "A draw";
  else if (alone && winners.includes(mine[0])) first = winners.length === 1 ? "You win" : "You share the win";
  else if (winners.length > 1 && !alone) first = `${winners.map((seat) => capital(seat.colour)).join(" and ")} share the win`;
  else first = alone ? "You lose" : `${capital(winners[0].colour)} wins`;
  return [first, `${capital(rest(status, first))}.`];
}

// What a line of words says beyond another, with which it begins perhaps.
function rest(words, beginning) {
  const repeats = words.toLowerCase().startsWith(beginning.toLowerCase());
  return (repeats && words.slice(beginning.length).replace(/^[\s:,]+/, "")) || words;
}
