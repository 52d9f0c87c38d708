// The state of the Play page: which game it shows, the game as the server last told it, the turn that is being entered,
// and what is sent but not answered. The page reads the fields; only the methods change more than one of them.

/** @import { Timer } from "../dom.js" */
/** @import { Catalogue, ChoiceInfo, FromClient, GameListing, PremoveAnswer, HintAnswer, StateMessage, StepMessage, TurnMessage } from "../messages.d.ts" */
/** @import { Connection } from "./connection.js" */
/** @import { RoomRequest } from "./requests.js" */
/** @typedef {Pick<StepMessage, "steps" | "end" | "warn" | "hold">} Step */
/** @typedef {{ steps: string, choices: ChoiceInfo[], prompt: string, may_end: boolean, svg: string }} Stage of a turn */

const CONFIRM = "Confirm your move.";

export class PageState {
  /** @type {Catalogue | null} */ catalogue = null;
  /** @type {string | null} */ lanAddress = null; // of the server in the local network, once known
  /** @type {string | null} */ preparing = null; // the message while engines are compiled
  /** @type {GameListing[]} */ waiting = []; // the player's games that wait, the most urgent first
  /** @type {{ checking: Timer, waiting: Timer }} */ timers = { checking: 0, waiting: 0 }; // until a note, and a request

  // ── which game ──
  /** @type {string | null} */ room = null;
  /** @type {RoomRequest | null} */ draft = null; // the request for a room that the first action will make
  /** @type {Connection | null} */ connection = null;
  flip = false;
  visit = 0; // increases with every change of game, to drop late answers
  previewed = ""; // the address of a preview, which has no room
  isMaking = false; // whether a room is being made
  isEarly = false; // whether the game shown came with the page, and the server has not answered
  isLoading = true; // until the game at the address is shown or cannot be
  /** @type {Array<() => void>} */ #onLoaded = [];

  // ── the game, and the turn that is being entered ──
  /** @type {StateMessage | null} */ game = null;
  receivedAt = 0; // when it came
  connectedAt = 0; // when the connection to the room was accepted
  turn = startOf(null);
  /** @type {PremoveAnswer | null} */ premove = null; // what the touches on the board mean for the next turn

  // ── what is sent ──
  /** @type {Step | null} */ pending = null; // the step that waits for an answer
  /** @type {Step | null} */ unanswered = null; // the step that waited when the connection was lost
  /** @type {FromClient | null} */ queued = null; // the message to send once connected

  // Leaves the game; the next one is loading.
  leave() {
    this.connection?.end();
    this.visit++;
    this.connection = this.room = this.draft = this.game = null;
    this.pending = this.unanswered = this.queued = null;
    this.premove = null;
    this.flip = this.isEarly = false;
    this.isLoading = true;
    this.restartTurn();
  }

  // Whether a preview shows what is already there, so that touches made before it came stay.
  /** @param {StateMessage} next */
  isAsShown(next) {
    /** @param {StateMessage} game */
    const shown = ({ svg, choices }) => JSON.stringify([svg, choices]);
    return this.isEarly && this.game !== null && shown(this.game) === shown(next);
  }

  // Loading has ended, successful or not.
  loaded() {
    this.isLoading = false;
    for (const each of this.#onLoaded.splice(0)) each();
  }

  // Waits until the game is loaded.
  async whenLoaded() {
    if (this.isLoading) await new Promise((settle) => this.#onLoaded.push(() => settle(null)));
  }

  // A state came from the server. Returns whether it changes nothing but who is there, so that the turn goes on.
  /** @param {StateMessage} next */
  arrived(next) {
    const { game: old, isEarly } = this;
    this.game = next;
    this.isEarly = false;
    this.receivedAt = performance.now();
    this.loaded();
    const isSame = old !== null && next.event === "now" && next.at === old.at && next.can.play && next.svg === old.svg;
    if (isSame && (this.turn.steps || this.unanswered || isEarly)) return true;
    this.unanswered = null;
    this.restartTurn();
    return false;
  }

  // The turn begins again, with the choices of the game.
  restartTurn() {
    this.turn = startOf(this.game);
  }

  // The middle of a turn came from the server. Returns false if the turn was cancelled meanwhile.
  /** @param {TurnMessage} message */
  turned({ steps, choices, prompt, may_end, whole, svg, changes }) {
    if (steps !== this.turn.sent) return false;
    const held = whole ? stageOf(this.turn) : null;
    const drawing = svg ?? redrawn(this.game?.svg ?? "", changes ?? []);
    Object.assign(this.turn, { steps, choices, prompt: whole ? CONFIRM : prompt, may_end, svg: drawing, held, isPremove: false });
    return true;
  }

  // Takes back the last step of a turn that waits to be confirmed; returns whether there was one.
  takeBackStep() {
    const { held } = this.turn;
    if (held) Object.assign(this.turn, held, { held: null, sent: null });
    return held !== null;
  }

  // Whether a whole turn is shown and waits to be confirmed.
  get isHeld() {
    return this.turn.held !== null && !this.pending && !this.unanswered;
  }

  // A step is sent, now or after the reconnect. Returns false if another one waits or no game is there.
  /** @param {Step} step */
  sending(step) {
    if (this.pending || !this.game) return false;
    this.pending = step;
    this.turn.sent = step.steps;
    return true;
  }

  // The connection was accepted or lost: a step without an answer waits for the next state.
  disconnected() {
    this.unanswered = this.pending ?? this.unanswered;
    this.pending = null;
  }

  // Takes the step that is to be sent again.
  takeUnanswered() {
    const step = this.unanswered;
    this.unanswered = null;
    return step;
  }

  get isOnline() {
    return this.draft !== null || (this.connection?.isOpen ?? false);
  }

  // Whether a step waits for the connection.
  get isUnsent() {
    return !this.isOnline && Boolean(this.pending ?? this.unanswered);
  }

  // Whether the player has begun a turn that the server does not know.
  get hasBegun() {
    return this.isUnsent || Boolean(this.turn.steps);
  }

  // The targets of the hint's next step, while the turn follows it.
  get hintTargets() {
    const { hint, steps } = this.turn;
    const next = hint?.steps.find((_, i) => stepsText(hint.steps.slice(0, i)) === steps);
    return next?.targets ?? [];
  }
}

/** @param {ChoiceInfo[]} steps */
const stepsText = (steps) => steps.map((each) => each.step).join(" ");

/** @param {Stage} turn @returns {Stage} */
const stageOf = ({ steps, choices, prompt, may_end, svg }) => ({ steps, choices, prompt, may_end, svg });

// The start of a turn.
/** @param {StateMessage | null} game */
const startOf = (game) => ({
  steps: "", // so far
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
