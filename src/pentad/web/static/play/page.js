// The Play page: gives the messages of a game's room and the inputs of the user to the state, draws it, and does what it says.

import { showAnnouncements } from "../announcements.js";
import { Board } from "../board.js";
import { announce, byId, compilingText, keepFocus, messageOf, save, saved } from "../dom.js";
import { saveGame, savedGame } from "../offline.js";
import { initReports } from "../report.js";
import { fetchJson } from "../server.js";
import { setName, setting } from "../settings/preferences.js";
import { Chat } from "./chat.js";
import { initConfirm } from "./confirm.js";
import { Connection, Inbox } from "./connection.js";
import { Drawing } from "./drawing.js";
import { closeCode, initInvitation } from "./invitation.js";
import { showNote } from "./notes.js";
import { Earlier, initPast } from "./past.js";
import { QuickStart } from "./quickstart.js";
import { takeSeat, waitingGames } from "./requests.js";
import { answerTo, earlierPosition, prepareRules } from "./rules.js";
import { play as sound } from "./sound.js";
import { act, begin, isHeld, isUnsent, receive, withoutActions } from "./state.js";
import { Visits, roomInAddress, roomPath } from "./visits.js";

/** @import { Timer } from "../dom.js" */
/** @import { ChatPosted, ToClient, WarningMessage } from "../messages.d.ts" */
/** @import { GifButton } from "../gif/button.js" */
/** @import { Change } from "./connection.js" */
/** @import { Effect, GameMessage, Input, Next, World } from "./state.js" */

const GAMES_MILLISECONDS = 60_000;
const LATE_AFTER = 500; // milliseconds until a note says what the page waits for
const TOUCHES = new Set(["choose", "begun", "planned"]); // they hide nothing that has the focus, and finding that out takes time
const LONG_INBOX = 6; // messages; more are shown without animations

let state = begin;
/** @type {Connection | null} */ let connection = null;
/** @type {GifButton | null} */ let gif = null; // loaded when it is first pressed
/** @type {Array<() => void>} */ const onLoaded = []; // what waits until a game is shown or cannot be
/** @type {{ answer: Timer, waiting: Timer }} */ const timers = { answer: 0, waiting: 0 }; // until a note, and a request

const board = new Board(byId("board"), {
  chosen: (choice) => dispatch({ type: "choose", choice }),
  refused: () => dispatch({ type: "refused" }),
  begun: (label) => dispatch({ type: "begun", label }),
  planned: (targets) => dispatch({ type: "planned", targets }),
  optimistic: true,
});
const chat = new Chat({
  send: (text, name) => (name === null ? say(text) : sendAs(name, text)),
  remove: (number) => connection?.send({ type: "unsay", number }),
  letWatchers: (may) => connection?.send({ type: "watchers", say: may }),
});
const earlier = new Earlier();
const drawing = new Drawing({
  chat,
  quickStart: new QuickStart((choice) => visits.beginAnew(choice)),
  isMakingGif: () => gif?.isRunning ?? false,
  choose: (choice) => dispatch({ type: "choose", choice }),
  end: () => dispatch({ type: "end" }),
});
const visits = new Visits({
  get state() {
    return state;
  },
  world,
  dispatch,
  received,
  leave,
  connect,
  whenLoaded,
});
const inbox = new Inbox((message) => go(receive(state, message, world())));
/** @type {() => SVGElement | null} */
const focusFallback = () => byId("board").querySelector("[tabindex='0']");

// ── the state ──

/** @returns {World} */
function world() {
  return {
    now: performance.now(),
    settings: { confirm: setting("confirm"), warn: setting("warn"), premove: setting("premove") },
    isOpen: connection?.isOpen ?? false,
    planned: board.planned,
    isBegun: board.isBegun,
    answer: (game, message) => (state.isEarly && message.type === "step" ? firstTurns()?.[message.steps] : null) ?? answerTo(game, message),
  };
}

/** @param {Input} input */
function dispatch(input) {
  const next = act(state, input, world());
  if (TOUCHES.has(input.type)) take(next);
  else go(next);
}

// Takes the next state: draws it, and does what it says. The promise waits for an animation.
/** @param {Next} next */
const go = (next) => keepFocus(focusFallback, () => take(next));

/** @param {Next} next */
function take([next, effects]) {
  state = next;
  draw();
  if (state.game) prepareRules(state.game);
  if (!state.isLoading) for (const each of onLoaded.splice(0)) each();
  return Promise.all(effects.map(perform));
}

const draw = () => drawing.draw(state, world());

// Waits until the game is loaded.
async function whenLoaded() {
  if (state.isLoading) await new Promise((settle) => onLoaded.push(() => settle(null)));
}

/** @param {Effect} effect */
function perform(effect) {
  switch (effect.do) {
    case "notify":
      return showNote(effect.text);
    case "announce":
      return announce(effect.text);
    case "sound":
      return sound(effect.name);
    case "send":
      return void connection?.send(effect.message);
    case "make":
      return void visits.makeDraftRoom(effect.message);
    case "receive":
      return void received(effect.message);
    case "show":
      return showBoard(effect);
    case "point":
      return board.point(effect.targets, effect.later, effect.svg);
    case "expect":
      return board.expect(effect.choice);
    case "plan":
      return board.plan(effect.targets);
    case "end plan":
      return board.endPlan();
    case "take premove":
      return void board.takePremove(effect.choices);
    case "allow premoves":
      return board.setPremoves(effect.allowed);
    case "update premoves":
      return dispatch({ type: "update premoves" });
    case "revert":
      return board.revertChoice();
    case "settle":
      return board.settle();
    case "chat":
      return showChat(effect.message, effect.isNew);
    case "remove chat":
      return chat.remove(effect.number);
    case "warn":
      return showWarning(effect.warning);
    case "fetch earlier":
      return void showEarlier(effect.moves);
    case "close dialogs":
      return closeDialogs();
    case "wait":
      return noteLate();
    case "save":
      return void (state.room !== null && state.game && saveGame(state.room, state.game));
    default:
      return undefined;
  }
}

/** @param {Extract<Effect, { do: "show" }>} effect */
async function showBoard({ svg, choices, fresh, delay, arrival }) {
  await board.show(svg, choices, { fresh, delay });
  if (arrival !== undefined) dispatch({ type: "shown", arrival });
}

function closeDialogs() {
  byId("warning-dialog").close();
  byId("resign-dialog").close();
}

function noteLate() {
  clearTimeout(timers.answer);
  timers.answer = setTimeout(() => dispatch({ type: "late" }), LATE_AFTER);
}

// Shows one message after the other. All messages but moves, and a long queue, end the current animation.
/** @param {ToClient} message */
function received(message) {
  if (message.type === "announcements") return Promise.resolve(showAnnouncements(message));
  [state] = act(state, { type: "answered", message }, world());
  if (message.type !== "played" || inbox.length >= LONG_INBOX) board.settle();
  return inbox.add(message);
}

/** @param {ChatPosted} message @param {boolean} isNew */
function showChat(message, isNew) {
  const seats = state.game?.seats ?? [];
  const canRemove = message.seat === null && seats.some((seat) => seat.yours);
  const text = chat.show({ ...message, colour: seats[message.seat ?? -1]?.colour, canRemove });
  byId("chat").hidden = false; // watchers may have written where no other person plays
  if (text && isNew && byId("chat").getBoundingClientRect().top > innerHeight) showNote(text);
}

/** @param {WarningMessage} warning */
function showWarning(warning) {
  const dialog = byId("warning-dialog");
  byId("warning-text").textContent = warning.words;
  dialog.returnValue = "no";
  dialog.addEventListener("close", () => dispatch({ type: "warned", yes: dialog.returnValue === "yes", warning }), { once: true });
  dialog.showModal();
}

// Shows the position after so many moves, once it is there.
/** @param {number} moves */
async function showEarlier(moves) {
  const { room, game } = state;
  if (room === null || !game) return;
  const isWanted = () => state.past === moves && state.room === room && state.game?.flip === game.flip;
  try {
    const found = earlierPosition(game, moves) ?? (await earlier.position(room, game, moves));
    if (isWanted()) dispatch({ type: "earlier", earlier: found, moves });
  } catch (error) {
    if (isWanted()) showNote(messageOf(error));
  }
}

// ── rooms ──

/** @param {string} room */
function connect(room) {
  connection = new Connection(room, { received, changed, isFlipped: () => state.flip });
}

// The answers to the first steps of a turn on that board, if the page contains them.
/** @returns {Record<string, GameMessage> | null} */
const firstTurns = () => (turns ??= JSON.parse(document.getElementById("first-turns")?.textContent || "null"));
/** @type {Record<string, GameMessage> | null} */ let turns = null; // once they are read

// Leaves the game, perhaps for a room, and resets the page.
/** @param {Extract<Input, { type: "leave" | "enter" }>} input */
function leave(input) {
  const hadGame = state.game !== null;
  gif?.cancel();
  connection?.end();
  connection = null;
  dispatch(input);
  closeDialogs();
  closeCode();
  showNote("");
  inbox.clear();
  board.settle();
  board.revertChoice();
  if (hadGame) board.disable();
  chat.clear();
}

// The connection was accepted or lost. Without a connection the game is shown as last seen in this browser.
/** @param {Change} what @param {string} [why] */
function changed(what, why) {
  dispatch({ type: "connection", what, why });
  const old = ["lost", "full"].includes(what) && !state.game ? savedGame(state.room ?? "") : null;
  if (old) go(receive(state, withoutActions(old), world()));
}

// ── actions of the user ──

// Cancels what is begun: a step that is not sent, what is touched on the board, or a partial turn; returns whether there was
// anything.
function cancel() {
  const isWaiting = isUnsent(state, world());
  if (!isWaiting && board.cancel()) return true;
  const isBegun = isWaiting || isHeld(state) || Boolean(state.turn.steps && state.game);
  dispatch({ type: "cancel" });
  return isBegun;
}

function cancelAll() {
  while (cancel());
}

// Goes some moves forth, or back if negative; returns whether that is possible.
/** @param {number} by */
function stepBy(by) {
  const latest = state.game?.moves.length ?? 0;
  const at = state.past ?? latest;
  const moves = Math.min(latest, Math.max(0, at + by));
  if (moves !== at) dispatch({ type: "look", moves });
  return moves !== at;
}

byId("cancel").addEventListener("click", cancel);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !document.querySelector("dialog[open]") && cancel()) event.preventDefault();
});
byId("redo").addEventListener("click", () => dispatch({ type: "ask", what: "redo" }));
byId("draw").addEventListener("click", () => dispatch({ type: "ask", what: "draw" }));
byId("undo").addEventListener("click", () => cancel() || dispatch({ type: "ask", what: "undo" })); // a partial turn is undone first
byId("hint").addEventListener("click", () => {
  cancelAll();
  dispatch({ type: "ask", what: "hint" }); // for the whole turn
});
byId("offer-yes").addEventListener("click", () => (state.game?.offer?.what === "rematch" ? visits.playAgain() : dispatch({ type: "answer", yes: true })));
byId("offer-no").addEventListener("click", () => dispatch({ type: "answer", yes: false }));
byId("flip").addEventListener("click", () => {
  if (state.turn.steps) cancelAll();
  dispatch({ type: "flip" });
});
byId("resign").addEventListener("click", () => {
  const dialog = byId("resign-dialog");
  dialog.returnValue = "no";
  dialog.showModal();
});
byId("resign-dialog").addEventListener("close", () => {
  if (byId("resign-dialog").returnValue === "yes") dispatch({ type: "ask", what: "resign" });
});
for (const [name, more] of /** @type {const} */ ([["new", false], ["share-options", false], ["start-options", true]])) {
  byId(name).addEventListener("click", () => visits.openFormHere({ more }));
}
byId("begin").addEventListener("click", () => visits.begin());
byId("again").addEventListener("click", () => visits.playAgain());
async function pressGif() {
  try {
    gif ??= new (await import("../gif/button.js")).GifButton(byId("save-gif"), draw);
    gif.press(state.game);
  } catch (error) {
    showNote(messageOf(error));
  }
}
byId("save-gif").addEventListener("click", pressGif);
byId("gif").addEventListener("click", () => gif?.isRunning || pressGif());
initInvitation({ roomPath: () => roomPath(state), know: (network) => dispatch({ type: "know", what: { network } }) });
initReports({
  place: () => (state.room === null || !state.game ? null : { place: "game", name: state.room, part: state.past ?? state.game.moves.length }),
  lines: () => chat.others,
  say: showNote,
});
byId("people").addEventListener("click", () => {
  const { room } = state;
  if (room === null) showNote("There is nobody else yet.");
  else import("./people.js").then(({ openPeople }) => openPeople(room), (error) => showNote(messageOf(error)));
});
byId("join-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await takeSeat(state.room ?? "", byId("join-name").value);
    save("name", byId("join-name").value);
    visits.enter(state.room ?? ""); // the server identifies the user when a connection opens
  } catch (error) {
    showNote(messageOf(error));
  }
});
addEventListener("popstate", () => visits.isHere() || visits.open());
// Any input checks that the connection is alive.
for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, () => connection?.check(), { capture: true, passive: true });

// Sends a chat message; returns whether that was possible.
/** @param {string} text */
function say(text) {
  if (!state.draft) return connection?.send({ type: "say", text }) ?? false;
  visits.makeDraftRoom({ type: "say", text });
  return true;
}

// Sends a chat message of a watcher without a name; the server reads the name when a connection opens.
/** @param {string} name @param {string} text */
function sendAs(name, text) {
  setName(name).then((isAccepted) => {
    if (!isAccepted) return;
    visits.enter(state.room ?? "");
    dispatch({ type: "queue", message: { type: "say", text } });
  });
  return true;
}

// Looks for games that wait for the user.
async function watchGames() {
  clearTimeout(timers.waiting);
  timers.waiting = setTimeout(watchGames, GAMES_MILLISECONDS);
  if (document.hidden) return;
  dispatch({ type: "know", what: { waiting: await waitingGames().catch(() => []) } });
}

// Watches the progress while engines are compiled, which happens once per machine.
async function watchPreparations() {
  try {
    const health = await fetchJson("/api/health");
    dispatch({ type: "know", what: { preparing: health.ready ? null : compilingText(health), network: health } });
    if (!health.ready) setTimeout(watchPreparations, 2000);
  } catch {
    setTimeout(watchPreparations, 5000);
  }
}

byId("join-name").value = saved("name", "");
showNote("");
addEventListener("settings", () => dispatch({ type: "update premoves" }));
initConfirm(() => isHeld(state), () => dispatch({ type: "confirm" }));
initPast({ step: stepBy, look: (moves) => dispatch({ type: "look", moves }) });
board.adopt();
byId("start").hidden = roomInAddress() !== null; // else its space is reserved from the start
visits.showEarly();
visits.open();
watchPreparations();
watchGames();
document.addEventListener("visibilitychange", watchGames);
