// The Play page: shows the state of a game's room and sends the user's actions to it.

import { Board } from "../board.js";
import { announce, byId, capitalize, compilingText, decoded, every, keepFocus, messageOf, notify, save, saved } from "../dom.js";
import { lastSavedGame, saveGame, savedGame } from "../offline.js";
import { addressOf, fetchJson, here, linkTo, showPath } from "../server.js";
import { setName, setting } from "../settings/preferences.js";
import { Chat } from "./chat.js";
import { Clocks } from "./clocks.js";
import { initConfirm } from "./confirm.js";
import { Connection, Inbox } from "./connection.js";
import { offerFriends, readOpponent, readStrength } from "./opponents.js";
import { Past } from "./past.js";
import { Premoves, premoveText } from "./premoves.js";
import { QuickStart } from "./quickstart.js";
import { defaultRequest, fetchCatalogue, gameOrFirst, makeRoom, nameOfRules, optionsOf, preview, waitingGames } from "./requests.js";
import { OPEN, PERSON, addMove, showBar, showMoves, showOffer, showOpenSeat, showSeats, showWatching } from "./sidebar.js";
import { play as sound } from "./sound.js";
import { PageState, redrawn, requestLike } from "./state.js";
import { News, headline as statusTexts, refusal } from "./status.js";

/** @import { Change } from "./connection.js" */
/** @import { GifButton } from "../gif/button.js" */
/** @import { NewGameForm } from "./newgame.js" */
/** @import { Choice } from "./quickstart.js" */
/** @import { RoomRequest } from "./requests.js" */
/** @import { Step } from "./state.js" */
/** @import { Abilities, AroundMessage, ChatPosted, ChoiceInfo, EarlierPosition, FromClient, PlayedMessage, HintAnswer, StateMessage, ToClient, TurnMessage, WaitingMessage, WarningMessage } from "../messages.d.ts" */

const GAMES_EVERY = 60_000; // milliseconds
const CHAT_HISTORY = 1500; // milliseconds after connecting in which older chat messages arrive
const ANSWERS = new Set(["state", "played", "turn", "warning", "error"]); // to a step
const LONG_INBOX = 6; // messages; more are shown without animations
/** @type {Abilities} */
const NOTHING = { play: false, undo: false, redo: false, hint: false, resign: false, draw: false, sit: false, say: false };

const state = new PageState();
const board = new Board(byId("board"), { chosen: choose, refused, begun, planned: (targets) => premoves.changed(targets), optimistic: true });
const premoves = new Premoves(board, state, { send, step, choose, back, headline });
/** @type {Promise<NewGameForm> | null} */ let form = null; // loaded when it is first opened
/** @type {GifButton | null} */ let gif = null; // loaded when it is first pressed
const clocks = new Clocks();
const chat = new Chat((text, name) => (name === null ? send({ type: "say", text }) : sendAs(name, text)));
const news = new News();
const past = new Past(showEarlier, showLatest);
const quickStart = new QuickStart(begin);
const inbox = new Inbox((message) => keepFocus(focusFallback, () => show(message)));
/** @type {() => SVGElement | null} */
const focusFallback = () => byId("board").querySelector("[tabindex='0']");

// A touch without effect: the player to move is told what to do.
function refused() {
  if (state.isHeld) return notify("Confirm your move or cancel it first.");
  if (state.game?.can.play && !state.pending) notify(`Not possible here. ${state.turn.prompt}`);
  else announce("Not possible now.");
  return undefined;
}

// A touch after which more is needed, such as a destination.
/** @param {string} label */
function begun(label) {
  notify("");
  byId("cancel").hidden = !canCancel();
  if (label) announce(`${capitalize(label)} selected. Choose a destination.`);
}

// ── rooms ──

const roomInAddress = () => /^\/play\/([^/]+)$/.exec(here().pathname)?.[1] ?? null;
const pathHere = () => here().pathname + here().search;
const roomPath = () => /** @type {const} */ (`/api/rooms/${encodeURIComponent(state.room ?? "")}`);

// The games that can be played, asked for once.
async function games() {
  if (!state.catalogue) offerFriends((state.catalogue = await fetchCatalogue()));
  return state.catalogue;
}

// Opens the room in the address, else a preview of the requested game. A game with a friend gets its room at once.
async function open() {
  const name = roomInAddress();
  if (name) enter(name);
  try {
    const catalogue = await games();
    if (name) return state.game && quickStart.show(catalogue, state.game);
    const asked = here().searchParams;
    const opponent = asked.has("against") ? readOpponent(asked.get("against")) : "computer";
    const strength = asked.has("against") ? readStrength(asked.get("strength")) : "medium";
    const game = gameOrFirst(catalogue, asked.get("game"));
    const request = defaultRequest(catalogue, { game: game.name, opponent, strength, options: optionsOf(game, asked.get("rules")) });
    if (opponent === "friend" && catalogue.friends && !state.hasBegun) return await startWithFriend(request);
    await showPreview(request);
  } catch (error) {
    if (name) return undefined; // the connection reports the error
    if (state.isEarly) leave();
    state.loaded();
    const last = lastSavedGame();
    if (last) go(last, { replace: true });
    else failToStart(error);
  }
  return undefined;
}

/** @param {unknown} error */
const failToStart = (error) => notify(`Cannot start the game: ${messageOf(error)}`);

/** @param {RoomRequest} request */
async function start(request) {
  go(await makeRoom(request));
}

// Makes the room of a game with a friend, who gets its link.
/** @param {RoomRequest} request */
async function startWithFriend(request) {
  go(await makeRoom({ ...request, name: saved("name", "") }), { replace: true });
}

// Starts a game from the fields beside a new board; a game with a friend opens the form.
/** @param {Choice} choice */
async function begin(choice) {
  if (!state.catalogue) return;
  const next = defaultRequest(state.catalogue, choice);
  const replace = state.draft !== null;
  try {
    if (choice.opponent === "friend") await openForm(next);
    else if (!state.isMaking) await showPreview(next, () => showPath(addressOfNew(choice), { replace }));
  } catch (error) {
    failToStart(error);
  }
}

// The address of a new game. It names rules other than the usual ones, if they have a name.
/** @param {Choice} choice */
function addressOfNew({ game, opponent, strength, options }) {
  const rules = state.catalogue && Object.keys(options).length ? nameOfRules(gameOrFirst(state.catalogue, game), options) : null;
  return `/play?${new URLSearchParams({ game, against: opponent, strength, ...(rules ? { rules } : {}) })}`;
}

// Opens the form for a new game.
/** @param {RoomRequest} request */
async function openForm(request, { more = false } = {}) {
  form ??= import("./newgame.js").then(
    ({ NewGameForm }) => new NewGameForm(start),
    (error) => {
      form = null; // the next try loads it again
      throw error;
    },
  );
  (await form).open(await games(), request, { more });
}

// Shows a game without a room, which the first action makes; `updateAddress` runs once the preview is there.
/** @param {RoomRequest} request */
async function showPreview(request, updateAddress = () => {}) {
  const mine = ++state.visit;
  const answer = await preview(request, state.draft === request && state.flip);
  if (mine !== state.visit) return;
  const isKept = state.draft === request || state.isAsShown(answer);
  const isLost = state.isEarly && state.hasBegun && !isKept;
  if (!isKept) leave();
  updateAddress();
  state.previewed = pathHere();
  state.disconnected(); // a step made before the preview is sent now
  state.draft = request;
  await receive(withoutRoom(answer));
  if (isLost) notify("The board has changed. Choose your move again.");
}

// A state without what only players in a room can do.
/** @param {StateMessage} game @returns {StateMessage} */
const withoutRoom = (game) => ({ ...game, can: { ...NOTHING, play: game.can.play, hint: game.can.hint } });

// Shows the new game that the page may contain, until the server answers. A step made before that is drawn at once, and
// played as soon as there is a room.
function showEarly() {
  const text = document.getElementById("first-state")?.textContent;
  const { searchParams } = here();
  if (!text || roomInAddress() !== null || searchParams.has("rules")) return;
  /** @type {StateMessage} */
  const first = JSON.parse(text);
  if (![null, first.game].includes(searchParams.get("game"))) return;
  receive(withoutRoom(first));
  state.isEarly = true;
}

// The answer to the first step of a turn on that board, if the page contains it.
/** @param {string} steps @returns {ToClient | undefined} */
function earlyAnswer(steps) {
  const text = state.isEarly && document.getElementById("first-turns")?.textContent;
  return text ? JSON.parse(text)[steps] : undefined;
}

// Makes the room of the preview; the message is sent once connected.
/** @param {FromClient} message */
async function makeDraftRoom(message) {
  if (state.isMaking || !state.draft) return;
  state.isMaking = true;
  const mine = ++state.visit;
  let made;
  try {
    made = await makeRoom(state.draft);
  } catch (error) {
    if (mine !== state.visit) return;
    state.pending = null;
    board.revertChoice();
    headline();
    failToStart(error);
    return;
  } finally {
    state.isMaking = false;
  }
  if (mine !== state.visit) return; // the user has left
  state.room = decoded(made);
  state.draft = null;
  showPath(`/play/${encodeURIComponent(state.room)}`, { replace: true });
  if (message.type !== "step") state.queued = message; // an unanswered step is sent again anyway
  connect(state.room);
}

/** @param {string} name */
function go(name, { replace = false } = {}) {
  showPath(`/play/${name}`, { replace });
  enter(name);
}

/** @param {string} name */
function enter(name) {
  leave();
  state.room = decoded(name);
  connect(state.room);
}

/** @param {string} room */
function connect(room) {
  state.connection = new Connection(room, { received: receive, changed, isFlipped: () => state.flip });
}

// Leaves the game and resets the page.
function leave() {
  const hadGame = state.game !== null;
  gif?.cancel();
  state.leave();
  past.update(null, null);
  byId("warning-dialog").close();
  byId("resign-dialog").close();
  byId("code-picture").hidden = true;
  byId("code").ariaExpanded = "false";
  notify("");
  byId("connection").hidden = true;
  document.body.classList.remove("offline");
  inbox.clear();
  board.settle();
  board.revertChoice();
  if (hadGame) board.disable();
  chat.clear();
  news.clear();
}

/** @param {Change} what @param {string} [why] */
function changed(what, why) {
  keepFocus(focusFallback, () => showConnection(what, why));
}

/** @param {Change} what @param {string} [why] */
function showConnection(what, why) {
  const line = byId("connection");
  const texts = {
    open: "",
    lost: "Connection lost. Reconnecting…",
    full: `${why || "Too many connections."} This page keeps trying.`,
    gone: "This game does not exist on this server. Start a new one.",
  };
  line.textContent = texts[what];
  line.hidden = what === "open";
  document.body.classList.toggle("offline", what !== "open");
  if (what === "open") state.connectedAt = performance.now();
  state.disconnected();
  headline();
  if (["lost", "full"].includes(what) && !state.game) showSavedGame();
  if (what === "gone") {
    board.setPremoves(false);
    board.revertChoice();
    notify("");
    byId("headline").textContent = "Game not found";
    byId("detail").textContent = "";
    byId("board").removeAttribute("aria-busy");
  }
  buttons();
  if (what !== "open") state.loaded();
}

// Shows the game as last seen in this browser, without any actions.
function showSavedGame() {
  const old = savedGame(state.room ?? "");
  if (!old) return;
  const clock = old.clock && { ...old.clock, running: null };
  showState({ ...old, event: "now", choices: [], can: NOTHING, clock });
}

// ── messages of the room ──

// Shows one message after the other. All messages but moves, and a long queue, end the current animation.
/** @param {ToClient} message */
function receive(message) {
  if (ANSWERS.has(message.type)) state.pending = null;
  if (message.type !== "played" || inbox.length >= LONG_INBOX) board.settle();
  return inbox.add(message);
}

/** @param {ToClient} message */
function show(message) {
  if (message.type === "error") {
    board.revertChoice();
    const { isPremove } = state.turn;
    state.turn.isPremove = false;
    headline();
    return notify(isPremove ? `Your premove is not possible. ${message.error}` : message.error);
  }
  if (message.type === "state") return showState(message);
  if (message.type === "played") return showPlayed(message);
  if (message.type === "around") return showUpdate(message);
  if (message.type === "said") return showChat(message);
  if (message.at !== state.game?.at) return undefined; // the answer is for an older state
  if (message.type === "turn") return showTurn(message);
  if (message.type === "hint") return showHint(message);
  if (message.type === "premove") return premoves.show(message);
  return message.type === "waiting" ? showWaiting(message) : showWarning(message);
}

// Applies a move to the current state.
/** @param {PlayedMessage} message */
function showPlayed(message) {
  const { game } = state;
  if (!game || message.at !== game.at + 1) return send({ type: "look", flip: state.flip }); // a message is missing
  const { changes, move, ...rest } = message;
  const moves = [...game.moves, move];
  return showState({ ...game, ...rest, type: "state", svg: redrawn(game.svg, changes), moves }, { added: true });
}

/** @param {StateMessage} next */
async function showState(next, { added = false } = {}) {
  const old = state.game;
  const { isOwn, held } = state.turn;
  const sentences = news.between(old, next);
  if (state.arrived(next)) return resumeTurn();
  const fresh = next.event === "played" && old !== null;
  const why = refusal(old, next);
  if (next.event !== "now") notify(why);
  byId("board").removeAttribute("aria-busy");
  byId("title").textContent = next.title;
  byId("guide").textContent = next.guide;
  byId("terms").textContent = `This game: ${next.title}, ${next.terms}.`;
  byId("terms").hidden = !next.terms;
  byId("flip").ariaPressed = String(next.flip);
  seats();
  if (added) addMove(next.moves, next.seats);
  else showMoves(next.moves, next.seats);
  const wasPast = past.isShown;
  past.update(state.room, next);
  headline();
  if (!past.isShown) bar(next);
  buttons();
  const own = next.seats.filter((seat) => seat.yours);
  announce([...sentences, next.announce, ...(next.can.play && own.length === 1 ? ["Your turn."] : [])].join(" "));
  sendQueued();
  if (next.outcome) {
    byId("warning-dialog").close();
    byId("resign-dialog").close();
  }
  if (state.room && own.length) saveGame(state.room, next);
  if (fresh) sound(soundOf(old, next));
  if (past.isShown && old?.flip !== next.flip) return past.redraw();
  if (past.isShown) return headline();
  await board.show(next.svg, next.choices, { fresh: fresh && !wasPast && !held, delay: !isOwn }); // what was held is there already
  if (state.game === next) premoves.update();
  return undefined;
}

// Shows a position of earlier in the game; the turn begins again afterwards.
/** @param {EarlierPosition} earlier */
function showEarlier(earlier) {
  if (!state.game) return;
  board.settle();
  state.restartTurn();
  board.setPremoves(false);
  byId("bar").hidden = true;
  headline();
  board.show(earlier.svg, []);
  announce(`${past.text}. ${earlier.status}`);
}

// Shows the game as it is now again.
function showLatest() {
  back();
  premoves.update();
}

/** @param {StateMessage} old @param {StateMessage} next */
function soundOf(old, { outcome, seats: all }) {
  if (!outcome || old.outcome) return "played";
  return outcome.winners.some((seat) => all[seat].yours) ? "won" : "over";
}

// Continues after a reconnect to an unchanged game: a partial turn stays, and an unanswered step is sent again.
function resumeTurn() {
  const again = state.takeUnanswered();
  seats();
  headline();
  buttons();
  sendQueued();
  if (again) step(again);
}

function sendQueued() {
  if (state.queued && send(state.queued)) state.queued = null;
}

// Shows who is present, and offers.
/** @param {AroundMessage} message */
function showUpdate({ type: _type, ...update }) {
  const { game } = state;
  if (!game) return;
  const next = { ...game, ...update };
  if (JSON.stringify(next) === JSON.stringify(game)) return;
  const sentences = news.between(game, next);
  const why = refusal(game, next);
  const needsAttention = (update.again && !game.again) || (update.offer?.asked && !game.offer);
  Object.assign(game, update);
  seats();
  headline();
  buttons();
  if (sentences.length) announce(sentences.join(" "));
  if (needsAttention) sound("played");
  if (why) notify(why);
  if (needsAttention && update.again) notify("The next game is ready.");
}

/** @param {ChatPosted} message */
function showChat(message) {
  const name = message.seat === null && message.name ? `${message.name} (watching)` : message.name;
  const text = chat.show({ ...message, name, colour: state.game?.seats[message.seat ?? -1]?.colour });
  const isNew = state.game && performance.now() - state.connectedAt > CHAT_HISTORY;
  byId("chat").hidden = false; // watchers may have written where no other person plays
  if (text && isNew && byId("chat").getBoundingClientRect().top > innerHeight) notify(text);
}

/** @param {TurnMessage} turn */
function showTurn(turn) {
  if (!state.game || !state.turned(turn)) return undefined;
  headline();
  bar(turn);
  buttons();
  announce(turn.whole ? `${turn.prompt} Press Enter to confirm, or Escape to take it back.` : turn.prompt);
  const shown = board.show(state.turn.svg, turn.choices, { fresh: true });
  board.point(state.hintTargets);
  premoves.update();
  return shown;
}

/** @param {HintAnswer} hint */
function showHint(hint) {
  state.turn.hint = hint;
  board.point(state.hintTargets);
  notify(`Hint: ${hint.words}`);
}

/** @param {WaitingMessage} message */
function showWaiting({ place }) {
  notify(place ? `The server is busy. Place in the queue: ${place}.` : "Thinking…");
}

/** @param {WarningMessage} warning */
function showWarning(warning) {
  headline();
  const dialog = byId("warning-dialog");
  byId("warning-text").textContent = warning.words;
  dialog.returnValue = "no";
  dialog.addEventListener("close", () => {
    if (state.game?.at !== warning.at) return; // the game has moved on
    if (dialog.returnValue === "yes") step({ steps: warning.steps }, { warn: false });
    else back();
  }, { once: true });
  dialog.showModal();
}

// ── actions of the user ──

// Sends a message to the room, or makes the room of a preview; returns whether that was possible.
/** @param {FromClient} message */
function send(message) {
  const { draft } = state;
  if (!draft) return state.connection?.send(message) || false;
  if (message.type !== "look") makeDraftRoom(message);
  else if (!state.isMaking) showPreview(draft).catch((error) => notify(messageOf(error)));
  return true;
}

/** @param {"undo" | "redo" | "hint" | "draw" | "resign"} type */
const sendAction = (type) => state.game && send({ type, at: state.game.at });

/** @param {boolean} yes */
const sendAnswer = (yes) => state.game && send({ type: "answer", at: state.game.at, yes, what: state.game.offer?.what });

/** @param {ChoiceInfo} choice */
function choose(choice) {
  const { turn } = state;
  turn.isOwn = true;
  notify("");
  step({ steps: turn.steps ? `${turn.steps} ${choice.step}` : choice.step, hold: setting("confirm") });
}

// Plays the turn that waits to be confirmed.
function confirm() {
  if (!state.isHeld) return;
  notify("");
  step({ steps: state.turn.steps });
  keepFocus(focusFallback, headline);
}

const endTurn = () => step({ steps: state.turn.steps, end: true });

// Sends a step; without a connection it is sent after the reconnect.
/** @param {Step} request */
function step(request, { warn = request.warn ?? setting("warn") } = {}) {
  const next = { ...request, warn };
  if (!state.game || !state.sending(next)) return board.revertChoice(); // a second touch, or one before the game is loaded
  const isSent = send({ type: "step", at: state.game.at, ...next });
  const early = isSent ? undefined : earlyAnswer(next.steps);
  if (early) return void receive(early);
  if (!isSent) headline();
  if (!isSent || !warn) return undefined;
  clearTimeout(state.timers.checking);
  state.timers.checking = setTimeout(() => (byId("detail").textContent = "Checking whether this move loses…"), 500);
  return undefined;
}

const canCancel = () => Boolean(state.turn.steps) || board.isBegun || !premoves.isEmpty || state.isUnsent;

// Cancels a partial turn, of a turn to be confirmed only the last step; returns whether there was one.
function cancel() {
  if (state.isUnsent) {
    state.pending = state.unanswered = null;
    board.revertChoice();
    headline();
    announce("Cancelled.");
    return true;
  }
  if (board.cancel()) return true;
  if (state.isHeld && state.takeBackStep()) {
    keepFocus(focusFallback, showTurnSoFar);
    announce(`Taken back. ${state.turn.prompt}`);
    return true;
  }
  if (!state.turn.steps || !state.game) return false;
  back();
  announce(`Cancelled. ${state.game.announce}`);
  return true;
}

function back() {
  keepFocus(focusFallback, showStartOfTurn);
}

function cancelAll() {
  while (cancel());
}

function showStartOfTurn() {
  if (!state.game) return;
  state.restartTurn();
  showTurnSoFar();
}

function showTurnSoFar() {
  headline();
  bar(state.turn);
  buttons();
  board.show(state.turn.svg, state.turn.choices);
}

byId("cancel").addEventListener("click", cancel);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !document.querySelector("dialog[open]") && cancel()) event.preventDefault();
});
byId("redo").addEventListener("click", () => sendAction("redo"));
byId("draw").addEventListener("click", () => sendAction("draw"));
byId("undo").addEventListener("click", () => cancel() || sendAction("undo")); // a partial turn is undone first
byId("hint").addEventListener("click", () => {
  cancelAll();
  sendAction("hint"); // for the whole turn
});
byId("offer-yes").addEventListener("click", () => sendAnswer(true));
byId("offer-no").addEventListener("click", () => sendAnswer(false));
byId("flip").addEventListener("click", () => {
  state.flip = !state.flip;
  if (state.turn.steps) cancelAll();
  send({ type: "look", flip: state.flip });
});
byId("resign").addEventListener("click", () => {
  const dialog = byId("resign-dialog");
  dialog.returnValue = "no";
  dialog.showModal();
});
byId("resign-dialog").addEventListener("close", () => {
  if (byId("resign-dialog").returnValue === "yes") sendAction("resign");
});
for (const [name, more] of /** @type {const} */ ([["new", false], ["start-options", true]])) {
  byId(name).addEventListener("click", async () => {
    try {
      const catalogue = await games();
      await state.whenLoaded();
      await openForm(state.game ? sameGame(state.game) : defaultRequest(catalogue), { more });
    } catch (error) {
      failToStart(error);
    }
  });
}
byId("again").addEventListener("click", playAgain);
async function pressGif() {
  try {
    gif ??= new (await import("../gif/button.js")).GifButton(byId("save-gif"), headline);
    gif.press(state.game);
  } catch (error) {
    notify(messageOf(error));
  }
}
byId("save-gif").addEventListener("click", pressGif);
byId("gif").addEventListener("click", () => gif?.isRunning || pressGif());
byId("copy").addEventListener("click", async () => {
  byId("link").select();
  try {
    await navigator.clipboard.writeText(byId("link").value);
    notify("Link copied.");
  } catch {
    notify("The link is selected. Copy it with the keyboard or a long press.");
  }
});
byId("send").hidden = !("share" in navigator); // phones have it
byId("send").addEventListener("click", () => navigator.share({ title: document.title, url: byId("link").value }).catch(() => {}));
byId("code").addEventListener("click", async () => {
  const picture = byId("code-picture");
  picture.hidden = !picture.hidden;
  byId("code").ariaExpanded = String(!picture.hidden);
  if (!picture.hidden) picture.src = await addressOf(`${roomPath()}/code.svg`);
});
byId("join-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await fetchJson(`${roomPath()}/seats`, { name: byId("join-name").value });
    save("name", byId("join-name").value);
    enter(state.room ?? ""); // the server identifies the user when a connection opens
  } catch (error) {
    notify(messageOf(error));
  }
});
// Moving within the page's history is not a change of game.
function isHere() {
  if (state.draft) return state.previewed === pathHere();
  return state.room !== null && decoded(roomInAddress() ?? "") === state.room;
}
addEventListener("popstate", () => isHere() || open());
// Any input checks that the connection is alive.
for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, () => state.connection?.check(), { capture: true, passive: true });

// Sends a chat message of a watcher without a name; the server reads the name when a connection opens.
/** @param {string} name @param {string} text */
function sendAs(name, text) {
  setName(name).then((isAccepted) => {
    if (!isAccepted) return;
    enter(state.room ?? "");
    state.queued = { type: "say", text };
  });
  return true;
}

/** @param {StateMessage} game */
const sameGame = (game) => requestLike(game, { person: PERSON, open: OPEN });

// Opens the follow-up room, which the other players can join and everybody can watch; a game of computers begins anew.
async function playAgain() {
  const { game } = state;
  if (state.isMaking || !game) return undefined; // double click
  state.isMaking = true;
  try {
    if (game.again) return go(game.again);
    const isPlayer = game.seats.some((seat) => seat.yours);
    const { seats: [first, ...rest], ...same } = sameGame(game);
    if (!isPlayer) return await start({ ...same, seats: [...rest, first], options: {}, position: game.start });
    go((await fetchJson(`${roomPath()}/again`, {})).room);
  } catch (error) {
    notify(messageOf(error));
  } finally {
    state.isMaking = false;
  }
  return undefined;
}

// ── around the board ──

function headline() {
  clearTimeout(state.timers.checking);
  const { game } = state;
  if (!game) return;
  const [first, second] = statusTexts(game, state.turn.prompt);
  const { outcome, seats: all, can } = game;
  byId("headline").textContent = first;
  const isThinking = game.turn !== null && !can.play && ![PERSON, OPEN].includes(all[game.turn].who);
  const note = outcome ? "" : game.moves.at(-1)?.note;
  const planned = can.play ? "" : premoveText(state.premove);
  let detail = note ? `${note} ${second}` : second;
  if (past.isShown) detail = `${past.text}.`;
  else if (planned) detail = planned;
  else if (state.preparing && isThinking && !game.trouble) detail = state.preparing;
  else if (state.isEarly && state.isUnsent) detail = "Starting the game…";
  byId("detail").textContent = detail;
  byId("cancel").hidden = !canCancel();
  byId("confirm").hidden = !state.isHeld;
  const isPlayer = all.some((seat) => seat.yours);
  byId("again").hidden = !outcome || (!isPlayer && !game.again && all.some((seat) => seat.who === PERSON));
  const next = isPlayer ? "Go to the next game" : "Watch the next game";
  byId("again").textContent = game.again ? next : "Play again";
  byId("review-link").hidden = !outcome;
  byId("review-link").href = linkTo(`/analyse?room=${encodeURIComponent(state.room ?? "")}&review=`);
  byId("save-gif").hidden = !outcome && !gif?.isRunning;
  showWaitingGames();
  document.title = `${first} · ${game.title}`;
  showIcon(can.play && !outcome && state.room !== null);
  document.body.classList.toggle("over", Boolean(outcome));
}

function seats() {
  const { game } = state;
  if (!game) return;
  const rows = showSeats(game);
  clocks.set(game.clock, state.receivedAt, rows, game.seats.map((seat) => seat.yours));
  showWatching(game.watching);
  showOffer(game.offer, game.seats);
  showOpenSeat(game, state.lanAddress);
  byId("chat").hidden = !company().others && !byId("chat-messages").childElementCount;
  chat.showNameField(!game.can.say);
  chat.showNote(!game.outcome && !game.seats.some((seat) => seat.yours));
  if (state.catalogue) quickStart.show(state.catalogue, game);
}

/** @param {Pick<TurnMessage, "choices" | "may_end">} turn */
const bar = (turn) => showBar(turn, Boolean(state.turn.steps), choose, endTurn);

function buttons() {
  const { game, isOnline } = state;
  for (const what of /** @type {const} */ (["undo", "redo", "hint", "draw", "resign"])) byId(what).disabled = !(isOnline && game?.can[what]);
  byId("flip").disabled = !isOnline || !game;
  byId("gif").disabled = !game?.moves.length;
  byId("gif").hidden = Boolean(game?.outcome); // there is a button beside the result
  const { others, bots } = company();
  byId("hint").hidden = byId("redo").hidden = others;
  byId("draw").hidden = bots; // bots cannot agree to a draw
  byId("undo-label").textContent = others ? "Take back" : "Undo";
}

// The icon of the tab has a dot on the player's turn.
/** @param {boolean} isTurn */
function showIcon(isTurn) {
  const link = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel='icon'][type='image/svg+xml']"));
  const name = isTurn ? "icon-turn.svg" : "icon.svg";
  if (!link.href.endsWith(`/${name}`)) link.href = link.href.replace(/[^/]+$/, name);
}

// Whether other people play, and whether bots do.
function company() {
  const others = (state.game?.seats ?? []).filter((seat) => !seat.yours);
  /** @param {{ who: string }} seat */
  const isPerson = ({ who }) => who === PERSON || who === OPEN;
  return { others: others.some(isPerson), bots: !others.every(isPerson) };
}

// Looks for games that wait for the user.
async function watchGames() {
  clearTimeout(state.timers.waiting);
  state.timers.waiting = setTimeout(watchGames, GAMES_EVERY);
  if (document.hidden) return;
  state.waiting = await waitingGames().catch(() => []);
  showWaitingGames();
}

// Shows the number of other games that wait, beside the Games button; and a link to the first, unless it is the user's turn.
function showWaitingGames() {
  const { game } = state;
  const others = state.waiting.filter(({ room }) => room !== state.room);
  const count = others.length;
  byId("games-waiting").textContent = count ? ` (${count})` : "";
  byId("games-waiting").title = count === 1 ? "One game is waiting for you" : `${count} games are waiting for you`;
  byId("next-game").hidden = !count || !game || (game.can.play && !game.outcome);
  byId("next-game").textContent = count === 1 ? "Your turn in another game" : `Your turn in ${count} other games`;
  if (count) byId("next-game").href = linkTo(others[0].page);
}

// Shows the progress while engines are compiled, which happens once per machine.
async function watchPreparations() {
  try {
    const health = await fetchJson("/api/health");
    state.preparing = health.ready ? null : compilingText(health);
    state.lanAddress = health.others;
    if (state.game) showOpenSeat(state.game, state.lanAddress);
    if (!state.game?.outcome) headline();
    if (!health.ready) setTimeout(watchPreparations, 2000);
  } catch {
    setTimeout(watchPreparations, 5000);
  }
}

byId("join-name").value = saved("name", "");
every(".notes")[0].append(byId("offer")); // so that no message covers it
addEventListener("settings", () => premoves.update({ isDrawn: false }));
initConfirm(() => state.isHeld, confirm);
board.adopt();
byId("start").hidden = roomInAddress() !== null; // else its space is reserved from the start
showEarly();
open();
watchPreparations();
watchGames();
document.addEventListener("visibilitychange", watchGames);
