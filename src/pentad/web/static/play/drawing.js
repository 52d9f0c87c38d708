// Draws the state of the Play page around the board: the texts, the seats, the moves and the buttons. What has not changed
// stays, so that the focus does, too.

import { byId } from "../dom.js";
import { linkTo } from "../server.js";
import { Clocks } from "./clocks.js";
import { showPlace } from "./past.js";
import { showOpenSeat } from "./invitation.js";
import { addMove, showBar, showMoves, showOffer, showSeats, showWatching } from "./sidebar.js";
import { buttons, company, connectionText, texts, waitingGames } from "./view.js";
import { phrase } from "../words.js";

/** @import { ChoiceInfo, MoveInfo, StateMessage } from "../messages.d.ts" */
/** @import { Chat } from "./chat.js" */
/** @import { QuickStart } from "./quickstart.js" */
/** @import { State, World } from "./state.js" */

/**
 * @typedef {{
 *   chat: Chat, quickStart: QuickStart, isMakingGif: () => boolean, choose: (choice: ChoiceInfo) => void, end: () => void,
 * }} Parts of the page that drawing needs
 */

export class Drawing {
  #parts;
  #clocks = new Clocks();
  /** @type {Map<string, readonly unknown[]>} */ #drawn = new Map(); // what each part of the page was drawn from

  /** @param {Parts} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  /** @param {State} state @param {World} world */
  draw(state, world) {
    const { game, connection } = state;
    this.#changed("connection", [connection], () => showConnection(state));
    if (game) this.#drawGame(state, game);
    this.#changed("place", [game?.moves ?? null, state.past], () => showPlace(state.past, game?.moves.length ?? 0));
    this.#drawTexts(state, world);
    this.#changed("waiting", [state.waiting, state.room, game], () => showWaitingGames(state));
    if (game) this.#drawBar(state);
    if (game || connection) this.#drawButtons(state, world);
  }

  // Draws a part of the page, if what it shows has changed; `draw` gets what it showed before.
  /** @template {unknown[]} Values @param {string} part @param {[...Values]} values @param {(before: Values | undefined) => void} draw */
  #changed(part, values, draw) {
    const before = /** @type {Values | undefined} */ (this.#drawn.get(part));
    if (before?.every((value, i) => Object.is(value, values[i]))) return;
    this.#drawn.set(part, values);
    draw(before);
  }

  /** @param {State} state @param {StateMessage} game */
  #drawGame(state, game) {
    this.#changed("game", [game], () => {
      byId("board").removeAttribute("aria-busy");
      byId("title").textContent = game.title;
      byId("guide").textContent = game.guide;
      byId("terms").textContent = phrase("This game: {title}, {terms}.", { title: game.title, terms: game.terms });
      byId("terms").hidden = !game.terms;
      byId("flip").ariaPressed = String(game.flip);
      this.#drawSeats(state, game);
    });
    const { catalogue, network } = state;
    this.#changed("open seat", [game, network], () => showOpenSeat(game, network));
    if (catalogue) this.#changed("start", [catalogue, game], () => this.#parts.quickStart.show(catalogue, game));
    this.#changed("moves", [game.moves], (before) => {
      if (before && isNext(before[0], game.moves)) addMove(game.moves, game.seats);
      else showMoves(game.moves, game.seats);
    });
  }

  /** @param {State} state @param {StateMessage} game */
  #drawSeats(state, game) {
    const rows = showSeats(game);
    this.#clocks.set(game.clock, state.receivedAt, rows, game.seats.map((seat) => seat.yours));
    showWatching(game.watching);
    showOffer(game.offer, game.seats);
    byId("chat").hidden = !company(game).hasReaders && !byId("chat-messages").childElementCount;
    this.#parts.chat.showNameField(!game.can.say);
    const isPlayer = game.seats.some((seat) => seat.yours);
    this.#parts.chat.showNote(!game.outcome && !isPlayer && game.watchers_say);
    this.#parts.chat.showWatchers({ isPlayer, say: game.watchers_say, areHere: game.watching > 0 });
  }

  /** @param {State} state @param {World} world */
  #drawTexts(state, world) {
    const { game } = state;
    const [first, detail] = texts(state, world) ?? [null, ""];
    if (first === null) return;
    setText(byId("headline"), first);
    setText(byId("detail"), detail);
    if (!game) return byId("board").removeAttribute("aria-busy"); // there is no game to show
    const shown = buttons(state, world);
    byId("cancel").hidden = !shown.canCancel;
    byId("confirm").hidden = !shown.isHeld;
    byId("begin").hidden = !shown.canBegin;
    byId("again").hidden = !shown.hasAgain;
    setText(byId("again"), shown.again);
    byId("review-link").hidden = shown.review === null;
    byId("save-gif").hidden = !shown.isOver && !this.#parts.isMakingGif();
    const { room } = state;
    this.#changed("review", [shown.review], () => (byId("review-link").href = linkTo(shown.review ?? "/review")));
    this.#changed("tab", [first, game.title, game.can.play && !shown.isOver && room !== null], () => {
      document.title = `${first} · ${game.title}`;
      showIcon(game.can.play && !shown.isOver && room !== null);
    });
    document.body.classList.toggle("over", shown.isOver);
    return undefined;
  }

  /** @param {State} state */
  #drawBar({ turn, past }) {
    const { choices, may_end: mayEnd } = turn;
    const isBegun = Boolean(turn.steps);
    this.#changed("bar", [choices, mayEnd, isBegun, past], () => {
      showBar(turn, isBegun, this.#parts.choose, this.#parts.end);
      if (past !== null) byId("bar").hidden = true;
    });
  }

  /** @param {State} state @param {World} world */
  #drawButtons(state, world) {
    const shown = buttons(state, world);
    for (const what of /** @type {const} */ (["undo", "redo", "hint", "draw", "resign"])) byId(what).disabled = !shown.isPossible[what];
    byId("flip").disabled = !shown.canFlip;
    byId("gif").disabled = !shown.hasMoves;
    byId("gif").hidden = shown.isOver; // there is a button beside the result
    byId("hint").hidden = byId("redo").hidden = !shown.hasHelp;
    byId("draw").hidden = !shown.hasDraw;
    setText(byId("undo-label"), shown.undo);
  }
}

// Whether a list of moves is another one with a move more.
/** @param {MoveInfo[]} before @param {MoveInfo[]} moves */
const isNext = (before, moves) => moves.length === before.length + 1 && before.every((move, i) => move === moves[i]);

/** @param {HTMLElement} element @param {string} text */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {State} state */
function showConnection(state) {
  const text = connectionText(state);
  byId("connection").textContent = text;
  byId("connection").hidden = !text;
  document.body.classList.toggle("offline", text !== "");
}

// Shows the number of other games that wait, beside the Games button; and a link to the first.
/** @param {State} state */
function showWaitingGames(state) {
  const { count, title, page, link } = waitingGames(state);
  byId("games-waiting").textContent = count;
  byId("games-waiting").title = title;
  byId("next-game").hidden = page === null;
  byId("next-game").textContent = link;
  if (page !== null) byId("next-game").href = linkTo(page);
}

// The icon of the tab has a dot on the player's turn.
/** @param {boolean} isTurn */
function showIcon(isTurn) {
  const link = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel='icon'][type='image/svg+xml']"));
  const name = isTurn ? "icon-turn.svg" : "icon.svg";
  if (!link.href.endsWith(`/${name}`)) link.href = link.href.replace(/[^/]+$/, name);
}
