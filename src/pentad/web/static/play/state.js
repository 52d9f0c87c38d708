// The state of the Play page, as a value: which game it shows, the game as the server last told it, the turn that is being
// entered, and what is sent but not answered. `receive` makes the next state from a message of the server, `act` from an
// input of the user or an event of the page; both change nothing, and say in effects what the page has to do.

import { continuing, firstChoice } from "../board/choices.js";
import { capitalize } from "../dom.js";
import { premoveText, touchesAfter, wholeTurn } from "./premoves.js";
import { againText, news, queueText, refusal } from "./status.js";
import { phrase } from "../words.js";

/** @import { Abilities, Announcements, AroundMessage, Catalogue, ChatPosted, ChoiceInfo, EarlierPosition, FromClient, GameListing, Health, HintAnswer, PlayedMessage, PremoveAnswer, PremoveMessage, StateMessage, StepMessage, ToClient, TurnMessage, WarningMessage } from "../messages.d.ts" */
/** @typedef {Exclude<ToClient, Announcements>} GameMessage what changes the state */
/** @import { Change } from "./connection.js" */
/** @import { RoomRequest } from "./requests.js" */
/** @typedef {Pick<StepMessage, "steps" | "end" | "warn" | "hold">} Step */
/** @typedef {{ steps: string, choices: ChoiceInfo[], prompt: string, may_end: boolean, svg: string }} Stage of a turn */
/** @typedef {"played" | "won" | "over"} Sound */

/**
 * What the page tells of the world: the time, the settings, whether the connection is open, the touches on the board, and
 * the answers that need no server: to the first steps of turns, and to premoves.
 * @typedef {{
 *   now: number, settings: { confirm: boolean, warn: boolean, premove: boolean }, isOpen: boolean,
 *   planned: string[], isBegun: boolean, answer: (game: StateMessage, message: StepMessage | PremoveMessage) => GameMessage | null,
 * }} World
 */

/**
 * What the page has to do after a change of the state, in this order.
 * @typedef {{ do: "notify" | "announce", text: string } | { do: "sound", name: Sound } | { do: "send" | "make", message: FromClient }
 *   | { do: "show", svg: string, choices: ChoiceInfo[], fresh?: boolean, delay?: boolean, arrival?: number }
 *   | { do: "point", targets: string[], later: string[], svg: string } | { do: "plan", targets: string[] } | { do: "expect", choice: ChoiceInfo } | { do: "take premove", choices: ChoiceInfo[] } | { do: "chat", message: ChatPosted, isNew: boolean } | { do: "remove chat", number: number }
 *   | { do: "allow premoves", allowed: boolean } | { do: "warn", warning: WarningMessage } | { do: "receive", message: GameMessage }
 *   | { do: "fetch earlier", moves: number } | { do: "revert" | "settle" | "end plan" | "update premoves" | "close dialogs" | "save" | "wait" }
 * } Effect
 */

/**
 * An input of the user, or an event of the page.
 * @typedef {{ type: "choose", choice: ChoiceInfo } | { type: "ask", what: "undo" | "redo" | "hint" | "draw" | "resign" }
 *   | { type: "begun", label: string } | { type: "answer", yes: boolean } | { type: "warned", yes: boolean, warning: WarningMessage }
 *   | { type: "planned", targets: string[] } | { type: "look", moves: number } | { type: "earlier", earlier: EarlierPosition, moves: number }
 *   | { type: "shown", arrival: number } | { type: "answered", message: GameMessage } | { type: "connection", what: Change, why?: string }
 *   | { type: "queue", message: FromClient }
 *   | { type: "visit" | "making" | "early" } | { type: "leave" } | { type: "made", room: string | null } | { type: "failed" } | { type: "enter", room: string }
 *   | { type: "previewed", request: RoomRequest, path: string }
 *   | { type: "loaded" | "refused" | "confirm" | "end" | "cancel" | "back" | "flip" | "late" | "update premoves" }
 *   | { type: "know", what: Partial<Pick<State, "catalogue" | "network" | "preparing" | "waiting">> }
 * } Input
 */

const CONFIRM = "Confirm your move.";
const ANSWERS = new Set(["state", "played", "turn", "warning", "error"]); // they answer a step
const CHAT_HISTORY = 1500; // milliseconds after connecting in which older chat messages arrive
/** @type {Abilities} */
const NOTHING = { play: false, undo: false, redo: false, hint: false, resign: false, draw: false, sit: false, rematch: false, say: false };

// The start of a turn.
/** @param {StateMessage | null} game */
const startOf = (game) => ({
  steps: "", // the steps of the turn so far
  choices: game?.choices ?? [],
  prompt: game?.prompt ?? "", // what the player to move has to do
  may_end: game?.may_end ?? false,
  svg: game?.svg ?? "",
  held: /** @type {Stage | null} */ (null), // the stage before the last step, while the turn waits to be confirmed
  isPremove: false, // whether it was entered before it came
  isOwn: false, // whether a step was made here, so that the first one needs no animation
  sent: /** @type {string | null} */ (null), // the latest steps sent
  hint: /** @type {HintAnswer | null} */ (null),
});

// What belongs to one game, as it is before the game is there.
const NO_GAME = {
  room: /** @type {string | null} */ (null),
  draft: /** @type {RoomRequest | null} */ (null), // the request for a room that the first action will make
  flip: false,
  isEarly: false, // whether the game shown came with the page, and the server has not answered
  isLoading: true, // until the game at the address is shown or cannot be
  connection: /** @type {{ what: Change, why: string } | null} */ (null), // the last change of the connection

  game: /** @type {StateMessage | null} */ (null),
  receivedAt: 0, // the time at which it came
  connectedAt: 0, // when the connection to the room was accepted
  arrival: 0, // the number of states that came
  away: /** @type {readonly number[]} */ ([]), // the seats of players who have left
  turn: startOf(null),
  premove: /** @type {PremoveAnswer | null} */ (null), // what the touches on the board mean for the next turn
  planLines: "[]", // the lines that were added to the drawing for it, as JSON
  past: /** @type {number | null} */ (null), // how many moves were made before the position shown; null is the latest

  pending: /** @type {Step | null} */ (null), // the step that waits for an answer
  isLate: false, // whether the answer takes long
  unanswered: /** @type {Step | null} */ (null), // the step that waited when the connection was lost
  queued: /** @type {FromClient | null} */ (null), // the message to send once connected
};

// The page before any game.
export const begin = {
  ...NO_GAME,
  catalogue: /** @type {Catalogue | null} */ (null),
  network: /** @type {Network | null} */ (null), // once known
  preparing: /** @type {string | null} */ (null), // the message while engines are compiled
  waiting: /** @type {GameListing[]} */ ([]), // the player's games that wait, the most urgent first
  visit: 0, // increases with every change of game, to drop late answers
  previewed: "", // the address of a preview, which has no room
  isMaking: false, // whether a room is being made
};
/** @typedef {typeof begin} State */
/** @typedef {Pick<Health, "others" | "can_share">} Network how other devices reach the server */
/** @typedef {[State, Effect[]]} Next the next state, and what the page has to do */

// ── what follows from a state ──

/** @param {State} state @param {Pick<World, "isOpen">} world */
export const isOnline = ({ draft }, { isOpen }) => draft !== null || isOpen;

// Whether a step waits for the connection.
/** @param {State} state @param {Pick<World, "isOpen">} world */
export const isUnsent = (state, world) => !isOnline(state, world) && Boolean(state.pending ?? state.unanswered);

// Whether the player has begun a turn that the server does not know.
/** @param {State} state @param {Pick<World, "isOpen">} world */
export const hasBegun = (state, world) => isUnsent(state, world) || Boolean(state.turn.steps);

// Whether a whole turn is shown and waits to be confirmed.
/** @param {State} state */
export const isHeld = ({ turn, pending, unanswered }) => turn.held !== null && !pending && !unanswered;

// Whether there is something to cancel: a step that is not sent, a turn or a premove.
/** @param {State} state @param {World} world */
export const canCancel = (state, world) => hasBegun(state, world) || world.isBegun || world.planned.length > 0;

// What the hint points at while the turn follows it: the targets of its next step, and those of the steps after that,
// which may be in a later drawing only.
/** @param {Pick<State, "turn">} state @returns {Extract<Effect, { do: "point" }>} */
export function pointed({ turn: { hint, steps } }) {
  const number = hint?.steps.findIndex((_, i) => stepsText(hint.steps.slice(0, i)) === steps) ?? -1;
  const [next, ...later] = hint && number >= 0 ? hint.steps.slice(number) : [];
  return { do: "point", targets: next?.targets ?? [], later: later.flatMap(({ targets }) => targets), svg: number ? "" : (hint?.svg ?? "") };
}

// The position shown of earlier in the game, and the move that led to it, as sentences.
/** @param {Pick<State, "past" | "game">} state */
export function pastText({ past, game }) {
  const moves = game?.moves ?? [];
  const all = moves.length;
  return past ? phrase("After move {move} of {all}. {words}", { move: past, all, words: moves[past - 1].words }) : phrase("Before move 1 of {all}.", { all });
}

// Whether a preview shows what is already there, so that touches made before it came stay.
/** @param {State} state @param {StateMessage} next */
export function isAsShown({ isEarly, game }, next) {
  /** @param {StateMessage} game */
  const shown = ({ svg, choices }) => JSON.stringify([svg, choices]);
  return isEarly && game !== null && shown(game) === shown(next);
}

// A game without what only players in a room can do.
/** @param {StateMessage} game @returns {StateMessage} */
export const withoutRoom = (game) => ({ ...game, can: { ...NOTHING, play: game.can.play, hint: game.can.hint } });

// A game as this browser last saw it, without any actions.
/** @param {StateMessage} game @returns {StateMessage} */
export function withoutActions(game) {
  const clock = game.clock && { ...game.clock, running: null };
  return { ...game, event: "now", choices: [], can: NOTHING, clock };
}

// A drawing with some lines replaced.
/** @param {string} svg @param {Array<[number, string]>} changes */
export function redrawn(svg, changes) {
  const lines = svg.split("\n");
  for (const [line, text] of changes) lines[line] = text;
  return lines.join("\n");
}

// The request for a game like this one; other people join by a link.
/** @param {StateMessage} game @param {{ person: string, open: string }} words @returns {RoomRequest} */
export function requestLike({ game, options, seats, time }, { person, open }) {
  /** @param {StateMessage["seats"][number]} seat */
  const occupant = (seat) => {
    if (seat.who === person) return seat.yours ? person : open;
    return seat.name === "adaptive" ? "adaptive" : seat.who;
  };
  return { game, options, seats: seats.map(occupant), ...(Object.keys(time).length ? { time } : {}) };
}

/** @param {ChoiceInfo[]} steps */
const stepsText = (steps) => steps.map((each) => each.step).join(" ");

/** @param {Stage} turn @returns {Stage} */
const stageOf = ({ steps, choices, prompt, may_end, svg }) => ({ steps, choices, prompt, may_end, svg });

/** @param {string} text @returns {Effect} */
const notify = (text) => ({ do: "notify", text });
/** @param {string} text @returns {Effect} */
const announce = (text) => ({ do: "announce", text });

// The next state of a chain, with the effects of both.
/** @param {Next} before @param {(state: State) => Next} next @returns {Next} */
function then([state, effects], next) {
  const [after, more] = next(state);
  return [after, [...effects, ...more]];
}

// ── messages of the server ──

// The state after a message of the room is shown.
/** @param {State} state @param {GameMessage} message @param {World} world @returns {Next} */
export function receive(state, message, world) {
  if (message.type === "error") return refuse(state, message.error);
  if (message.type === "state") return arrive(state, message, world);
  if (message.type === "played") return play(state, message, world);
  if (message.type === "around") return update(state, message);
  if (message.type === "said") return hear(state, message, world);
  if (message.type === "unsaid") return [state, [{ do: "remove chat", number: message.number }]];
  if (message.at !== state.game?.at) return [state, []]; // the answer is for an older state
  if (message.type === "turn") return turned(state, message);
  if (message.type === "premove") return planned(state, message, world);
  if (message.type === "hint") {
    const next = { ...state, turn: { ...state.turn, hint: message } };
    return [next, [pointed(next), notify(phrase("Hint: {move}", { move: message.words }))]];
  }
  if (message.type === "warning") return [state, [{ do: "warn", warning: message }]];
  return [state, [notify(message.place ? queueText(message.place) : "Thinking…")]];
}

/** @param {State} state @param {string} error @returns {Next} */
function refuse(state, error) {
  const text = state.turn.isPremove ? phrase("Premove cancelled: {reason}", { reason: error }) : error;
  return [{ ...state, turn: { ...state.turn, isPremove: false } }, [{ do: "revert" }, notify(text)]];
}

// Applies a move to the current game.
/** @param {State} state @param {PlayedMessage} message @param {World} world @returns {Next} */
function play(state, message, world) {
  const { game } = state;
  if (!game || message.at !== game.at + 1) return send(state, { type: "look", flip: state.flip }, world); // a message is missing
  const { changes, move, ...rest } = message;
  return arrive(state, { ...game, ...rest, type: "state", svg: redrawn(game.svg, changes), moves: [...game.moves, move] }, world);
}

/** @param {State} state @param {StateMessage} next @param {World} world @returns {Next} */
function arrive(state, next, world) {
  const { game: old, turn, past: seen } = state;
  const { sentences, away } = news(state.away, old, next);
  const isSame = old !== null && next.event === "now" && next.at === old.at && next.can.play && next.svg === old.svg;
  const wasBegun = turn.steps || state.unanswered || state.isEarly;
  const here = { ...state, game: next, away, isEarly: false, isLoading: false, receivedAt: world.now, arrival: state.arrival + 1 };
  if (isSame && wasBegun) return resume(here, world);
  const isFresh = next.event === "played" && old !== null;
  const past = seen !== null && old && seen < next.moves.length ? seen : null;
  const own = next.seats.filter((seat) => seat.yours);
  const yourTurn = next.can.play && own.length === 1 ? ["Your turn."] : [];
  /** @type {Effect[]} */
  const effects = next.event === "now" ? when(isDropped(state, next), notify("The game has changed. Your turn was not played.")) : [notify(refusal(old, next))];
  if (next.event === "sat" && old?.seats.some((seat) => seat.yours) && sentences.length) {
    effects.push(notify(sentences.join(" ")), { do: "sound", name: "played" }); // who waits may look elsewhere
  }
  effects.push(announce([...sentences, next.announce, ...yourTurn].join(" ")));
  const arrived = then([{ ...here, unanswered: null, turn: startOf(next), past }, effects], (each) => sendQueued(each, world));
  return then(arrived, (each) => [each, [
    ...when(next.outcome, { do: "close dialogs" }),
    ...when(each.room && own.length, { do: "save" }),
    ...when(isFresh && old, { do: "sound", name: soundOf(old ?? next, next) }),
    ...(past === null
      ? [show(next, { fresh: isFresh && seen === null && !turn.held, delay: !turn.isOwn, arrival: each.arrival })] // what was held is there already
      : when(old?.flip !== next.flip, { do: "fetch earlier", moves: past })),
  ]]);
}

// Whether a turn that has begun here is not part of the game as it is after a reconnect.
/** @param {State} state @param {StateMessage} next */
function isDropped({ game, turn, unanswered }, next) {
  if (!game || game.at === next.at || !(turn.steps || unanswered)) return false;
  return next.moves[game.moves.length]?.seat !== game.turn;
}

/** @param {unknown} condition @param {Effect} effect @returns {Effect[]} */
const when = (condition, effect) => (condition ? [effect] : []);

/** @param {{ svg: string, choices: ChoiceInfo[] }} what @returns {Effect} */
const show = ({ svg, choices }, more = {}) => ({ do: "show", svg, choices, ...more });

/** @param {StateMessage} old @param {StateMessage} next @returns {Sound} */
function soundOf(old, { outcome, seats }) {
  if (!outcome || old.outcome) return "played";
  return outcome.winners.some((seat) => seats[seat].yours) ? "won" : "over";
}

// Continues after a reconnect to an unchanged game: a partial turn stays, and an unanswered step is sent again.
/** @param {State} state @param {World} world @returns {Next} */
function resume(state, world) {
  const again = state.unanswered;
  const sent = sendQueued({ ...state, unanswered: null }, world);
  return again ? then(sent, (each) => step(each, again, world)) : sent;
}

// Who is here, and offers.
/** @param {State} state @param {AroundMessage} message @returns {Next} */
function update(state, { type: _type, ...around }) {
  const { game } = state;
  const next = game && { ...game, ...around };
  if (!game || !next || JSON.stringify(next) === JSON.stringify(game)) return [state, []];
  const { sentences, away } = news(state.away, game, next);
  const isReady = next.again && !game.again;
  const why = refusal(game, next);
  return [{ ...state, game: next, away }, [
    ...when(sentences.length, announce(sentences.join(" "))),
    ...when(isReady || (next.offer?.asked && !game.offer), { do: "sound", name: "played" }),
    ...when(why, notify(why)),
    ...when(isReady, notify(againText(next))),
  ]];
}

/** @param {State} state @param {ChatPosted} message @param {World} world @returns {Next} */
function hear(state, message, world) {
  const name = message.seat === null && message.name ? phrase("{name} (watching)", { name: message.name }) : message.name;
  const isNew = state.game !== null && world.now - state.connectedAt > CHAT_HISTORY;
  return [state, [{ do: "chat", message: { ...message, name }, isNew }]];
}

// The middle of a turn; not if the turn was cancelled meanwhile.
/** @param {State} state @param {TurnMessage} message @returns {Next} */
function turned(state, { steps, choices, prompt, may_end, whole, svg, changes }) {
  if (steps !== state.turn.sent) return [state, []];
  const held = whole ? stageOf(state.turn) : null;
  const drawing = svg ?? redrawn(state.game?.svg ?? "", changes ?? []);
  const turn = { ...state.turn, steps, choices, prompt: whole ? CONFIRM : prompt, may_end, svg: drawing, held, isPremove: false };
  const next = { ...state, turn, planLines: "[]" };
  return [next, [
    announce(whole ? phrase("{prompt} Press Enter to confirm, or Escape to take it back.", { prompt: turn.prompt }) : prompt),
    show(turn, { fresh: true }),
    pointed(next),
    { do: "update premoves" },
  ]];
}

// ── inputs of the user ──

// The state after an input.
/** @param {State} state @param {Input} input @param {World} world @returns {Next} */
export function act(state, input, world) {
  const { game, turn } = state;
  switch (input.type) {
    case "choose":
      return then([{ ...state, turn: { ...turn, isOwn: true } }, [notify("")]], (each) => choose(each, input.choice, world));
    case "confirm":
      return isHeld(state) ? then([state, [notify("")]], (each) => step(each, { steps: turn.steps }, world)) : [state, []];
    case "end":
      return step(state, { steps: turn.steps, end: true }, world);
    case "refused": // a touch without effect: the player to move is told what to do
      if (isHeld(state)) return [state, [notify("Confirm your move or cancel it first.")]];
      return [state, [game?.can.play && !state.pending ? notify(phrase("You cannot do that here. {prompt}", { prompt: turn.prompt })) : announce("You cannot do that now.")]];
    case "begun": // a touch after which more is needed, such as a destination
      return [state, [notify(""), ...when(input.label, announce(phrase("{piece} selected. Choose a destination.", { piece: capitalize(input.label) })))]];
    case "cancel":
      return cancel(state, world);
    case "back":
      return back(state);
    case "ask":
      return game ? send(state, { type: input.what, at: game.at }, world) : [state, []];
    case "answer":
      return game ? send(state, { type: "answer", at: game.at, yes: input.yes, what: game.offer?.what }, world) : [state, []];
    case "warned":
      if (game?.at !== input.warning.at) return [state, []]; // the game has moved on
      return input.yes ? step(state, { steps: input.warning.steps }, world, false) : back(state);
    case "flip":
      return send({ ...state, flip: !state.flip }, { type: "look", flip: !state.flip }, world);
    case "look":
      return look(state, input.moves);
    case "earlier":
      return input.moves === state.past ? showEarlier(state, input.earlier) : [state, []];
    case "planned":
      return changePlan(state, input.targets, world);
    case "update premoves":
      return updatePremoves(state, world);
    default:
      return happen(state, input, world);
  }
}

/** @param {State} state @param {ChoiceInfo} choice @param {World} world */
function choose(state, choice, world) {
  const { steps } = state.turn;
  return step(state, { steps: steps ? `${steps} ${choice.step}` : choice.step, hold: world.settings.confirm }, world);
}

// Sends a step, unless the page knows the answer; without a connection it is sent after the reconnect. A second touch, or one
// before the game is loaded, has no effect.
/** @param {State} state @param {Step} request @param {World} world @returns {Next} */
function step(state, request, world, warn = request.warn ?? world.settings.warn) {
  const { game } = state;
  if (!game || state.pending) return [state, [{ do: "revert" }]];
  const pending = { ...request, warn };
  const next = { ...state, pending, isLate: false, turn: { ...state.turn, sent: request.steps } };
  /** @type {StepMessage} */ const message = { type: "step", at: game.at, ...pending };
  const answer = world.answer(game, message);
  const isSent = isOnline(state, world) && (!answer || state.draft); // the first step of a preview makes its room
  const sent = isSent ? send(next, message, world) : /** @type {Next} */ ([next, []]);
  return then(sent, (each) => [each, answer ? [{ do: "receive", message: answer }] : when(isSent, { do: "wait" })]);
}

// Sends a message, or makes the room of a preview, if there is a connection or a preview.
/** @param {State} state @param {FromClient} message @param {World} world @returns {Next} */
function send(state, message, world) {
  if (state.draft) return [state, [{ do: "make", message }]];
  return [state, when(world.isOpen, { do: "send", message })];
}

/** @param {State} state @param {World} world @returns {Next} */
function sendQueued(state, world) {
  const { queued } = state;
  return queued && isOnline(state, world) ? send({ ...state, queued: null }, queued, world) : [state, []];
}

// Cancels a step that is not sent, or a partial turn; of a turn to be confirmed only the last step.
/** @param {State} state @param {World} world @returns {Next} */
function cancel(state, world) {
  const { game, turn } = state;
  if (isUnsent(state, world)) return [{ ...state, pending: null, unanswered: null }, [{ do: "revert" }, announce("Cancelled.")]];
  if (isHeld(state) && turn.held) {
    const next = { ...state, turn: { ...turn, ...turn.held, held: null, sent: null } };
    return [next, [show(next.turn), announce(phrase("Taken back. {prompt}", { prompt: next.turn.prompt }))]];
  }
  if (!turn.steps || !game) return [state, []];
  return then(back(state), (each) => [each, [announce(phrase("Cancelled. {status}", { status: game.announce }))]]);
}

// The turn begins again, with the choices of the game.
/** @param {State} state @returns {Next} */
function back(state) {
  if (!state.game) return [state, []];
  const turn = startOf(state.game);
  return [{ ...state, turn, planLines: "[]" }, [show(turn)]];
}

// Shows the game after so many moves, at its end as it is now.
/** @param {State} state @param {number} moves @returns {Next} */
function look(state, moves) {
  if (!state.room || !state.game) return [state, []];
  if (moves < state.game.moves.length) return [{ ...state, past: moves }, [{ do: "fetch earlier", moves }]];
  return then(back({ ...state, past: null }), (each) => [each, [{ do: "update premoves" }]]);
}

// Shows a position of earlier in the game; the turn begins again afterwards.
/** @param {State} state @param {EarlierPosition} earlier @returns {Next} */
const showEarlier = (state, { svg, status }) => [{ ...state, turn: startOf(state.game) }, [
  { do: "settle" },
  { do: "allow premoves", allowed: false },
  show({ svg, choices: [] }),
  announce([pastText(state), status].join(" ")),
]];

// ── premoves ──

// Plays the premove on the user's turn, and allows premoves otherwise.
/** @param {State} state @param {World} world @returns {Next} */
function updatePremoves(state, world) {
  const { game } = state;
  if (!game) return [state, []];
  const { play: canPlay } = game.can;
  const isPlanned = world.planned.length > 0;
  const allowed = game.seats.some((seat) => seat.yours) && !canPlay && !game.outcome && world.isOpen && world.settings.premove;
  /** @type {Next} */
  const played = canPlay && isPlanned ? playPremove(state, world) : [state, []];
  const next = then(played, (each) => [each, [{ do: "allow premoves", allowed }]]);
  if (canPlay) return isPlanned ? next : then(next, (each) => [{ ...each, premove: null }, []]);
  if (isPlanned && allowed) return then(next, (each) => askPremove(each, world.planned, world));
  return then(next, (each) => drawPlan({ ...each, premove: null }, []));
}

// Plays a whole turn at once; one that is not known to be whole, or is to be confirmed, step by step.
/** @param {State} state @param {World} world @returns {Next} */
function playPremove(state, world) {
  const { turn } = state;
  const steps = world.settings.confirm ? null : wholeTurn(state.premove, world.planned);
  const { choice } = firstChoice(turn.choices, world.planned);
  /** @type {State} */
  const taken = { ...state, premove: null };
  /** @type {Effect[]} */
  const take = [{ do: "take premove", choices: turn.choices }];
  if (!choice) {
    if (continuing(turn.choices, world.planned).length) return [taken, take]; // the touches begin a choice
    const dropped = turn.steps ? back(taken) : /** @type {Next} */ ([taken, []]);
    return then([dropped[0], [...take, ...dropped[1]]], (each) => [each, [notify("Your premove is no longer possible.")]]);
  }
  const own = { ...taken, turn: { ...turn, isOwn: true, isPremove: true } };
  /** @type {Next} */
  const expected = [own, [...take, { do: "expect", choice }, ...when(steps !== null, { do: "plan", targets: [] }), notify("")]];
  return then(expected, (each) => (steps === null ? choose(each, choice, world) : step(each, { steps }, world)));
}

// The user has changed the touches.
/** @param {State} state @param {string[]} targets @param {World} world @returns {Next} */
function changePlan(state, targets, world) {
  const next = { ...state, premove: null };
  if (targets.length) return askPremove(next, targets, world);
  if (!state.game || state.game.can.play) return [next, []];
  return then(drawPlan(next, []), (each) => [each, [announce("Premove cancelled.")]]);
}

/** @param {State} state @param {string[]} targets @param {World} world @returns {Next} */
function askPremove(state, targets, world) {
  if (!state.game) return [state, []];
  /** @type {PremoveMessage} */ const message = { type: "premove", at: state.game.at, targets };
  const answer = world.answer(state.game, message);
  return answer ? [state, [{ do: "receive", message: answer }]] : send(state, message, world);
}

// Shows what can follow the touches so far.
/** @param {State} state @param {PremoveAnswer} answer @param {World} world @returns {Next} */
function planned(state, answer, world) {
  const isCurrent = JSON.stringify(answer.targets) === JSON.stringify(world.planned);
  if (state.game?.can.play || !isCurrent) return [state, []];
  const restart = touchesAfter(answer);
  if (restart) return then([state, [{ do: "plan", targets: restart }]], (each) => askPremove(each, restart, world));
  const text = answer.whole ? phrase("Premove: {turn} It is played when your turn comes.", { turn: answer.prompt }) : premoveText(answer);
  const next = { ...state, premove: answer };
  /** @type {Next} */
  const drawn = answer.whole ? [next, [{ do: "end plan" }]] : drawPlan(next, answer.lines);
  return then(drawn, (each) => [each, [announce(text)]]);
}

// Adds targets to the drawing of the game.
/** @param {State} state @param {PremoveAnswer["lines"]} lines @returns {Next} */
function drawPlan(state, lines) {
  const planLines = JSON.stringify(lines);
  if (!state.game || planLines === state.planLines) return [state, []];
  return [{ ...state, planLines }, [show({ svg: redrawn(state.game.svg, lines), choices: [] })]];
}

// ── the page ──

// The state after an event of the page: the ways into a game, the connection, and what the server tells besides.
/** @param {State} state @param {Input} input @param {World} world @returns {Next} */
function happen(state, input, world) {
  switch (input.type) {
    case "shown": // the animation of a state has ended, and no other one has come
      return state.game && input.arrival === state.arrival ? updatePremoves({ ...state, planLines: "[]" }, world) : [state, []];
    case "answered": // as soon as it comes, even if it is shown later
      return [ANSWERS.has(input.message.type) ? { ...state, pending: null } : state, []];
    case "late":
      return [{ ...state, isLate: state.pending !== null && isOnline(state, world) }, []];
    case "connection": {
      const { what, why = "" } = input;
      const connectedAt = what === "open" ? world.now : state.connectedAt;
      const isLoading = state.isLoading && what === "open";
      const next = { ...disconnected(state), connection: { what, why }, connectedAt, isLoading };
      return [next, what === "gone" ? [{ do: "allow premoves", allowed: false }, { do: "revert" }, notify("")] : []];
    }
    case "queue":
      return [{ ...state, queued: input.message }, []];
    case "visit":
      return [{ ...state, visit: state.visit + 1 }, []];
    case "leave":
      return [leave(state), []];
    case "enter":
      return [{ ...leave(state), room: input.room }, []];
    case "early":
      return [{ ...state, isEarly: true }, []];
    case "previewed": // a step made before the preview is sent now
      return [{ ...disconnected(state), draft: input.request, previewed: input.path }, []];
    case "making":
      return [{ ...state, isMaking: true }, []];
    case "made":
      return [{ ...state, isMaking: false, ...(input.room === null ? {} : { room: input.room, draft: null }) }, []];
    case "failed":
      return [{ ...state, pending: null }, [{ do: "revert" }]];
    case "loaded":
      return [{ ...state, isLoading: false }, []];
    case "know":
      return [{ ...state, ...input.what }, []];
    default:
      return [state, []];
  }
}

// Leaves the game; the next one is loading.
/** @param {State} state @returns {State} */
const leave = (state) => ({ ...state, ...NO_GAME, arrival: state.arrival + 1, visit: state.visit + 1 });

// The connection was accepted or lost: a step without an answer waits for the next state.
/** @param {State} state @returns {State} */
const disconnected = (state) => ({ ...state, unanswered: state.pending ?? state.unanswered, pending: null });
