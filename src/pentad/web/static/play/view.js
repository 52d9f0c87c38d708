// What the Play page says about its state: the texts above the board, and which buttons there are.

import { OPEN, PERSON, occupantName } from "./sidebar.js";
import { headline, isAmongPeople } from "./status.js";
import { premoveText } from "./premoves.js";
import { canCancel, isHeld, isOnline, isUnsent, pastText } from "./state.js";
import { listed, phrase, plural } from "../words.js";

/** @import { Abilities, SeatInfo, StateMessage } from "../messages.d.ts" */
/** @import { State, World } from "./state.js" */

const ACTIONS = /** @type {const} */ (["undo", "redo", "hint", "draw", "resign"]);
const GONE = "Game not found";

// The texts about the connection.
/** @param {State} state */
export function connectionText({ connection }) {
  if (!connection) return "";
  const reason = connection.why || "Too many connections.";
  return {
    open: "",
    lost: "Connection lost. Reconnecting…",
    full: phrase("{reason} This page keeps trying.", { reason }),
    gone: "This game does not exist on this server. Start a new one.",
  }[connection.what];
}

// The texts above the board; null while there is no game.
/** @param {State} state @param {World} world @returns {[string, string] | null} */
export function texts(state, world) {
  const { game } = state;
  if (state.connection?.what === "gone") return [GONE, ""];
  if (!game) return null;
  if (canBegin(state)) return ["The computer begins", headline(game, "")[1]];
  const [first, second] = headline(game, state.turn.prompt);
  return [first, detail(state, game, second, world)];
}

/** @param {State} state @param {StateMessage} game @param {string} second @param {World} world */
function detail(state, game, second, world) {
  const { turn, outcome, seats, can } = game;
  const isThinking = turn !== null && !can.play && ![PERSON, OPEN].includes(seats[turn].who);
  const note = outcome ? "" : game.moves.at(-1)?.note;
  const planned = can.play ? "" : premoveText(state.premove);
  if (state.pending && state.isLate) return state.pending.warn ? "Checking whether this move loses…" : "Waiting for the server…";
  if (state.past !== null) return pastText(state);
  if (planned) return planned;
  if (isUnsent(state, world)) return state.connection ? "Your move is sent when the connection is back." : "Starting the game…";
  if (state.preparing && isThinking && !game.trouble) return state.preparing;
  return note ? `${note} ${second}` : second;
}

// The path of a game's review, which names the user's seat if there is exactly one.
/** @param {string} room @param {Pick<SeatInfo, "yours">[]} seats */
function reviewPath(room, seats) {
  const own = seats.flatMap(({ yours }, seat) => (yours ? [String(seat)] : []));
  return /** @type {const} */ (`/review?${new URLSearchParams({ room, ...(own.length === 1 ? { seat: own[0] } : {}) })}`);
}

// Which buttons there are around the board, and what some of them say.
/** @param {State} state @param {World} world */
export function buttons(state, world) {
  const { game } = state;
  const { others, bots } = company(game);
  return {
    isPossible: Object.fromEntries(ACTIONS.map((what) => [what, isOnline(state, world) && Boolean(game?.can[what])])),
    canFlip: isOnline(state, world) && game !== null,
    hasMoves: Boolean(game?.moves.length),
    isOver: Boolean(game?.outcome),
    review: game?.outcome && game.moves.length && state.room !== null ? reviewPath(state.room, game.seats) : null,
    hasHelp: !others, // hints, and moves to replay
    hasDraw: !bots, // bots cannot agree to a draw
    undo: others ? "Take back" : "Undo",
    canCancel: game !== null && canCancel(state, world),
    canBegin: canBegin(state),
    isHeld: game !== null && isHeld(state),
    hasAgain: Boolean(game?.outcome) && (Boolean(game?.can.rematch) || Boolean(game?.again) || !game?.seats.some((seat) => seat.who === PERSON)),
    again: game ? rematchText(game) : "",
  };
}

// Whether the game begins with another player's move, once it is started.
/** @param {Pick<State, "draft" | "game">} state */
const canBegin = ({ draft, game }) => draft !== null && game !== null && !game.can.play && !game.outcome;

// What the button for the next game says.
/** @param {StateMessage} game */
function rematchText({ again, seats }) {
  const isPlayer = seats.some((seat) => seat.yours);
  if (again && !isPlayer) return "Watch the rematch";
  if (again) return isAmongPeople(seats) ? "Rematch accepted. Go to the game" : "Go to the rematch";
  const others = seats.filter((seat) => !seat.yours);
  if (!isPlayer || !others.length) return "Play again";
  const players = listed(others.map((seat) => occupantName(seat)));
  return seats.length === 2
    ? phrase("Rematch with {players}, colours swapped", { players })
    : phrase("Rematch with {players}, each with the next colour", { players });
}
/** @typedef {ReturnType<typeof buttons>} Buttons */
/** @typedef {keyof Abilities & typeof ACTIONS[number]} Action */

// Whether other people play or may come, whether somebody has come who reads a chat, and whether bots play.
/** @param {StateMessage | null} game */
export function company(game) {
  const others = (game?.seats ?? []).filter((seat) => !seat.yours);
  /** @param {{ who: string }} seat */
  const isPerson = ({ who }) => who === PERSON || who === OPEN;
  const hasReaders = others.some(({ who }) => who === PERSON);
  return { others: others.some(isPerson), hasReaders, bots: !others.every(isPerson) };
}

// The other games that wait for the user: a note beside the Games button, and a link, unless it is the user's turn here.
/** @param {State} state */
export function waitingGames({ game, room, waiting }) {
  const others = waiting.filter((each) => each.room !== room);
  const count = others.length;
  return {
    count: count ? ` (${count})` : "",
    title: plural(count, "One game is waiting for you", "{count} games are waiting for you"),
    page: game && !(game.can.play && !game.outcome) ? (others[0]?.page ?? null) : null,
    link: plural(count, "Your turn in another game", "Your turn in {count} other games"),
  };
}
