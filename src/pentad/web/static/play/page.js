// The Play page: shows the state of a game's room and sends the user's actions to it.

import { Board } from "../board.js";
import { announce, byId, capitalize, compilingText, decoded, fetchJson, notify, save, saved } from "../dom.js";
import { Clocks } from "./clocks.js";
import { Connection } from "./connection.js";
import { keepFocus } from "./focus.js";
import { countWaitingGames, gameToResume, openGames } from "./gamelists.js";
import { catalogue as fetchCatalogue, defaultRequest, makeRoom, NewGameForm, preview } from "./newgame.js";
import { OPEN, PERSON, addMove, showBar, showMoves, showOffer, showOpenSeat, showSeats, showWatching } from "./sidebar.js";
import { lastSavedGame, saveGame, savedGame } from "../offline.js";
import { initSettings, setName, setting } from "./settings.js";
import { play as sound } from "./sound.js";
import { QuickStart } from "./quickstart.js";
import { Chat } from "./chat.js";
import { headline as statusTexts, News, refusal } from "./status.js";

let catalogue = null;
let connection = null;
let room = null;
let draft = null; // the request for a room that the first action will make
let state = null; // the latest state of the room
let steps = ""; // of the partial turn
let ownSteps = false; // whether the last move was made here, so that its first step needs no animation
let currentHint = null;
let sentSteps = null; // the latest steps sent
let choices = [];
let flip = false;
let prompt = ""; // what the player to move has to do
let checkingTimer = 0; // until the page says that a move is being checked
let lanAddress = null; // the address of the server in the local network, once known
let preparing = null; // the message while engines are compiled
let waitingTimer = 0; // until the waiting games are counted again
let isMaking = false; // whether a room is being made
let visit = 0; // increases with every change of game, to drop late answers
let previewed = ""; // the address of a preview, which has no room
let connectedAt = 0; // when the connection to the room was accepted
let pending = null; // the step that waits for an answer
let unanswered = null; // the step that waited when the connection was lost
let queued = null; // the message to send once connected
let isLoading = true; // until the game at the address is shown or cannot be
let onLoaded = []; // what waits for that

const board = new Board(byId("board"), { chosen: choose, refused, begun, optimistic: true });
const form = new NewGameForm(start);
const clocks = new Clocks();
const chat = new Chat((text, name) => (name === null ? send({ type: "say", text }) : sendAs(name, text)));
const news = new News();
const quickStart = new QuickStart(begin);
const focusFallback = () => byId("board").querySelector("[tabindex='0']");

// A touch without effect: the player to move is told what to do.
function refused() {
  if (state?.can.play && !pending) notify(`Not possible here. ${prompt}`);
  else announce("Not possible now.");
}

// A touch after which more is needed, such as a destination.
function begun(label) {
  notify("");
  byId("cancel").hidden = !canCancel();
  if (label) announce(`${capitalize(label)} selected. Choose a destination.`);
}

// Ends the loading of the game at the address, successful or not.
function loaded() {
  isLoading = false;
  for (const each of onLoaded.splice(0)) each();
}

// ── rooms ──

const roomInAddress = () => /^\/play\/([^/]+)$/.exec(location.pathname)?.[1] ?? null;

// Opens the room in the address, else a game to resume, if `resume` is set, else a preview.
async function open({ resume = true } = {}) {
  const name = roomInAddress();
  if (name) enter(name);
  try {
    catalogue ??= await fetchCatalogue();
    if (name) return state && quickStart.show(catalogue, state);
    const game = new URLSearchParams(location.search).get("game");
    const next = resume && game === null ? await gameToResume().catch(() => null) : null;
    if (next) {
      board.cancel(); // premoves were meant for a new game
      return go(next, { replace: true });
    }
    await showPreview(defaultRequest(catalogue, game ?? undefined));
  } catch (error) {
    if (name) return undefined; // the connection reports the error
    loaded();
    const last = lastSavedGame();
    if (last) go(last, { replace: true });
    else notify(`Cannot start the game: ${error.message}`);
  }
  return undefined;
}

async function start(request, { replace = false } = {}) {
  go(await makeRoom(request), { replace });
}

// Starts a game from the buttons beside a new board; a game with a friend opens the form.
async function begin(name, opponent) {
  const next = defaultRequest(catalogue, name, opponent);
  if (opponent === "friend") return form.open(catalogue, next);
  if (isMaking) return undefined;
  const change = draft ? "replaceState" : "pushState";
  try {
    await showPreview(next, () => history[change](null, "", `/?game=${name}`));
  } catch (error) {
    notify(`Cannot start the game: ${error.message}`);
  }
  return undefined;
}

// Shows a game without a room, which the first action makes; `updateAddress` runs once the preview is there.
async function showPreview(request, updateAddress = () => {}) {
  const mine = ++visit;
  const answer = await preview(request, draft === request && flip);
  if (mine !== visit) return;
  if (draft !== request) leave();
  updateAddress();
  previewed = location.pathname + location.search;
  draft = request;
  const can = Object.fromEntries(Object.entries(answer.can).map(([what, may]) => [what, may && ["play", "hint"].includes(what)]));
  await receive({ ...answer, can });
}

// Makes the room of the preview; the message is sent once connected.
async function makeDraftRoom(message) {
  if (isMaking) return;
  isMaking = true;
  const mine = ++visit;
  let made;
  try {
    made = await makeRoom(draft);
  } catch (error) {
    if (mine !== visit) return;
    pending = null;
    board.revertChoice();
    headline();
    notify(`Cannot start the game: ${error.message}`);
    return;
  } finally {
    isMaking = false;
  }
  if (mine !== visit) return; // the user has left
  room = decoded(made);
  draft = null;
  history.replaceState(null, "", `/play/${encodeURIComponent(room)}`);
  if (message.type !== "step") queued = message; // an unanswered step is sent again anyway
  connect();
}

function go(name, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", `/play/${name}`);
  enter(name);
}

function enter(name) {
  leave();
  room = decoded(name);
  connect();
}

function connect() {
  connection = new Connection(room, { received: receive, changed, isFlipped: () => flip });
}

// Leaves the game and resets the page.
function leave() {
  connection?.end();
  visit++;
  connection = room = draft = null;
  for (const name of ["warning-dialog", "resign-dialog"]) byId(name).close();
  byId("code-picture").hidden = true;
  byId("code").ariaExpanded = "false";
  notify("");
  byId("connection").hidden = true;
  document.body.classList.remove("offline");
  inbox.length = 0;
  pending = unanswered = queued = null;
  board.settle();
  board.revertChoice();
  if (state) board.cancel();
  state = null;
  isLoading = true;
  flip = false;
  reset();
  chat.clear();
  news.clear();
}

function changed(what, why) {
  keepFocus(focusFallback, () => showConnection(what, why));
}

function showConnection(what, why) {
  const line = byId("connection");
  const texts = {
    lost: "Connection lost. Reconnecting…",
    full: `${why || "Too many connections."} This page keeps trying.`,
    gone: "This game does not exist on this server. Start a new one.",
  };
  line.textContent = texts[what] ?? "";
  line.hidden = what === "open";
  document.body.classList.toggle("offline", what !== "open");
  if (what === "open") connectedAt = performance.now();
  unanswered = pending ?? unanswered;
  pending = null;
  if (state) headline();
  if (["lost", "full"].includes(what) && !state) showSavedGame();
  if (what === "gone") {
    board.setPremoves(false);
    board.revertChoice();
    notify("");
    byId("headline").textContent = "Game not found";
    byId("detail").textContent = "";
    byId("board").removeAttribute("aria-busy");
  }
  buttons();
  if (what !== "open") loaded();
}

// Shows the game as last seen in this browser, without any actions.
function showSavedGame() {
  const old = savedGame(room);
  if (!old) return;
  const can = Object.fromEntries(Object.keys(old.can).map((what) => [what, false]));
  const clock = old.clock && { ...old.clock, running: null };
  showState({ ...old, event: "now", choices: [], can, clock });
}

// ── messages of the room ──

const GAMES_EVERY = 60_000; // milliseconds
const CHAT_HISTORY = 1500; // milliseconds after connecting in which older chat messages arrive
const ANSWERS = new Set(["state", "played", "turn", "warning", "error"]); // to a step
const inbox = [];
let isShowing = false;

// Shows one message after the other. All messages but moves, and a long queue, end the current animation.
async function receive(message) {
  inbox.push(message);
  if (ANSWERS.has(message.type)) pending = null;
  if (message.type !== "played" || inbox.length > 6) board.settle();
  if (isShowing) return;
  isShowing = true;
  try {
    while (inbox.length) await keepFocus(focusFallback, () => show(inbox.shift()));
  } finally {
    isShowing = false;
  }
}

const HANDLERS = { state: showState, played: showPlayed, around: showUpdate, said: showChat };
const ANSWER_HANDLERS = { turn: showTurn, hint: showHint, waiting: showWaiting, warning: showWarning }; // ignored for an older state

function show(message) {
  if (message.type === "error") {
    board.revertChoice();
    if (state) headline();
    return notify(message.error);
  }
  if (message.type in HANDLERS) return HANDLERS[message.type](message);
  if (message.at === state?.at) return ANSWER_HANDLERS[message.type]?.(message);
  return undefined;
}

// Applies a move to the current state.
function showPlayed(message) {
  if (message.at !== state?.at + 1) return send({ type: "look", flip }); // a message is missing
  const { changes, move, ...rest } = { ...message, receivedAt: performance.now() };
  const moves = [...state.moves, move];
  return showState({ ...state, ...rest, type: "state", svg: redrawn(state.svg, changes), moves }, { added: true });
}

// A drawing with some lines replaced.
function redrawn(svg, changes) {
  const lines = svg.split("\n");
  for (const [line, text] of changes) lines[line] = text;
  return lines.join("\n");
}

async function showState(next, { added = false } = {}) {
  const old = state;
  const sentences = news.between(old, next);
  state = { receivedAt: performance.now(), ...next };
  loaded();
  const stays = old && next.event === "now" && next.at === old.at && next.can.play && next.svg === old.svg;
  if (stays && (steps || unanswered)) return resume();
  unanswered = null;
  const fresh = next.event === "played" && old !== null;
  const seen = ownSteps;
  const ended = next.outcome && !old?.outcome && old !== null;
  const mine = state;
  prompt = next.prompt;
  reset();
  const why = refusal(old, next);
  if (next.event !== "now") notify(why);
  byId("board").removeAttribute("aria-busy");
  byId("title").textContent = next.title;
  byId("guide").textContent = next.guide;
  byId("terms").textContent = `This game: ${next.title}, ${next.terms}.`;
  byId("terms").hidden = !next.terms;
  byId("flip").ariaPressed = String(next.flip);
  choices = next.choices;
  headline();
  seats();
  if (added) addMove(next.moves, next.seats);
  else showMoves(next.moves, next.seats);
  bar(next);
  buttons();
  const yours = next.can.play && next.seats.filter((seat) => seat.yours).length === 1 ? ["Your turn."] : [];
  announce([...sentences, next.announce, ...yours].join(" "));
  sendQueued();
  if (next.outcome) for (const name of ["warning-dialog", "resign-dialog"]) byId(name).close();
  if (room && next.seats.some((seat) => seat.yours)) saveGame(room, { ...next, receivedAt: undefined });
  if (fresh) sound(ended ? (isWon() ? "won" : "over") : "played");
  await board.show(next.svg, choices, { fresh, delay: !seen });
  if (state === mine) playPremove();
}

// Continues after a reconnect to an unchanged game: a partial turn stays, and an unanswered step is sent again.
function resume() {
  const again = unanswered;
  unanswered = null;
  seats();
  headline();
  buttons();
  sendQueued();
  if (again) step(again);
}

function sendQueued() {
  if (queued && send(queued)) queued = null;
}

const isWon = () => state.outcome.winners.some((seat) => state.seats[seat].yours);

// Shows who is present, and offers.
function showUpdate({ type: _type, ...update }) {
  const isNew = ([what, value]) => JSON.stringify(value) !== JSON.stringify(state[what]);
  if (!state || !Object.entries(update).some(isNew)) return;
  const sentences = news.between(state, { ...state, ...update });
  const why = refusal(state, { ...state, ...update });
  const needsAttention = (update.again && !state.again) || (update.offer?.asked && !state.offer);
  Object.assign(state, update);
  seats();
  headline();
  buttons();
  if (sentences.length) announce(sentences.join(" "));
  if (needsAttention) sound("played");
  if (why) notify(why);
  if (needsAttention && update.again) notify("The next game is ready.");
}

function showChat(message) {
  const name = message.seat === null && message.name ? `${message.name} (watching)` : message.name;
  const text = chat.show({ ...message, name, colour: state?.seats[message.seat]?.colour });
  const isNew = state && performance.now() - connectedAt > CHAT_HISTORY;
  if (text && isNew && byId("chat").getBoundingClientRect().top > innerHeight) notify(text);
}

function showTurn(turn) {
  if (turn.steps !== sentSteps) return undefined; // cancelled
  steps = turn.steps;
  choices = turn.choices;
  prompt = turn.prompt;
  headline();
  bar(turn);
  buttons();
  announce(turn.prompt);
  const shown = board.show(turn.svg ?? redrawn(state.svg, turn.changes), choices, { fresh: true });
  followHint();
  playPremove();
  return shown;
}

function showHint(hint) {
  currentHint = hint;
  followHint();
  notify(`Hint: ${hint.words}`);
}

function showWaiting({ place }) {
  notify(place ? `The server is busy. Place in the queue: ${place}.` : "Thinking…");
}

// Highlights the next step of the hint while the turn follows it.
function followHint() {
  const upTo = (count) => currentHint.steps.slice(0, count).map((each) => each.step).join(" ");
  const next = currentHint?.steps.find((_, i) => upTo(i) === steps);
  board.point(next ? next.targets : []);
}

function showWarning(warning) {
  headline();
  const dialog = byId("warning-dialog");
  byId("warning-text").textContent = warning.words;
  dialog.returnValue = "no";
  dialog.addEventListener("close", () => {
    if (state?.at !== warning.at) return; // the game has moved on
    if (dialog.returnValue === "yes") step({ steps: warning.steps }, { warn: false });
    else back();
  }, { once: true });
  dialog.showModal();
}

function reset() {
  steps = "";
  sentSteps = null;
  ownSteps = false;
  currentHint = null;
}

// Plays a premove on the user's turn, and allows premoves otherwise.
function playPremove() {
  const mine = state.seats.some((seat) => seat.yours);
  if (state.can.play) {
    const choice = board.takePremove(choices);
    if (choice) {
      board.expect(choice);
      choose(choice);
    }
  }
  board.setPremoves(mine && !state.can.play && !state.outcome && connection?.isOpen && setting("premove"));
}

// ── actions of the user ──

// Sends a message to the room, or makes the room of a preview; returns whether that was possible.
function send(message) {
  if (!draft) return connection?.send(message) || false;
  if (message.type === "look") isMaking || showPreview(draft).catch((error) => notify(error.message));
  else makeDraftRoom(message);
  return true;
}

const sendAction = (type, more = {}) => state && send({ type, at: state.at, ...more });

function choose(choice) {
  const longer = steps ? `${steps} ${choice.step}` : choice.step;
  ownSteps = true;
  notify("");
  step({ steps: longer });
}

const endTurn = () => step({ steps, end: true });

// Sends a step; without a connection it is sent after the reconnect.
function step(request, { warn = request.warn ?? setting("warn") } = {}) {
  if (pending || !state) return board.revertChoice(); // a second touch, or one before the game is loaded
  pending = { ...request, warn };
  sentSteps = request.steps;
  const isSent = sendAction("step", pending);
  if (!isSent) headline();
  if (!isSent || !warn) return undefined;
  clearTimeout(checkingTimer);
  checkingTimer = setTimeout(() => (byId("detail").textContent = "Checking whether this move loses…"), 500);
  return undefined;
}

// Whether a step waits for the connection.
const isUnsent = () => !draft && !connection?.isOpen && Boolean(pending ?? unanswered);
const canCancel = () => Boolean(steps) || board.isBegun || isUnsent();

// Cancels a partial turn; returns whether there was one.
function cancel() {
  if (isUnsent()) {
    pending = unanswered = null;
    board.revertChoice();
    headline();
    announce("Cancelled.");
    return true;
  }
  if (board.cancel()) return true;
  if (!steps) return false;
  back();
  announce(`Cancelled. ${state.announce}`);
  return true;
}

function back() {
  keepFocus(focusFallback, showStartOfTurn);
}

function showStartOfTurn() {
  reset();
  choices = state.choices;
  prompt = state.prompt;
  headline();
  bar(state);
  buttons();
  board.show(state.svg, choices, {});
}

byId("cancel").addEventListener("click", cancel);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !document.querySelector("dialog[open]") && cancel()) event.preventDefault();
});
for (const type of ["redo", "draw"]) byId(type).addEventListener("click", () => sendAction(type));
byId("undo").addEventListener("click", () => cancel() || sendAction("undo")); // a partial turn is undone first
byId("hint").addEventListener("click", () => {
  cancel();
  sendAction("hint"); // for the whole turn
});
byId("offer-yes").addEventListener("click", () => sendAction("answer", { yes: true, what: state.offer?.what }));
byId("offer-no").addEventListener("click", () => sendAction("answer", { yes: false, what: state.offer?.what }));
byId("flip").addEventListener("click", () => {
  flip = !flip;
  if (steps) cancel();
  send({ type: "look", flip });
});
byId("resign").addEventListener("click", () => {
  const dialog = byId("resign-dialog");
  dialog.returnValue = "no";
  dialog.showModal();
});
byId("resign-dialog").addEventListener("close", (event) => {
  if (event.target.returnValue === "yes") sendAction("resign");
});
byId("new").addEventListener("click", async () => {
  try {
    catalogue ??= await fetchCatalogue();
    if (isLoading) await new Promise((settle) => onLoaded.push(settle));
    form.open(catalogue, state ? sameGame() : defaultRequest(catalogue));
  } catch (error) {
    notify(`Cannot start a new game: ${error.message}`);
  }
});
byId("games").addEventListener("click", openGames);
byId("again").addEventListener("click", playAgain);
byId("copy").addEventListener("click", async () => {
  byId("link").select();
  try {
    await navigator.clipboard.writeText(byId("link").value);
    notify("Link copied.");
  } catch {
    notify("The link is selected. Copy it with the keyboard or a long press.");
  }
});
byId("send").hidden = !navigator.share; // phones have it
byId("send").addEventListener("click", () => navigator.share({ title: document.title, url: byId("link").value }).catch(() => {}));
byId("code").addEventListener("click", () => {
  const picture = byId("code-picture");
  picture.hidden = !picture.hidden;
  if (!picture.hidden) picture.src = `/api/rooms/${encodeURIComponent(room)}/code.svg`;
  byId("code").ariaExpanded = String(!picture.hidden);
});
byId("join-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await fetchJson(`/api/rooms/${encodeURIComponent(room)}/seats`, { name: byId("join-name").value });
    save("name", byId("join-name").value);
    enter(room); // the server identifies the user when a connection opens
  } catch (error) {
    notify(error.message);
  }
});
// Moving within the page's history is not a change of game.
const isHere = () => (draft ? previewed === location.pathname + location.search : room !== null && decoded(roomInAddress() ?? "") === room);
addEventListener("popstate", () => isHere() || open({ resume: false }));
// Any input checks that the connection is alive.
for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, () => connection?.check(), { capture: true, passive: true });

// Sends a chat message of a watcher without a name; the server reads the name when a connection opens.
function sendAs(name, text) {
  setName(name).then((isAccepted) => {
    if (!isAccepted) return;
    enter(room);
    queued = { type: "say", text };
  });
  return true;
}

// The occupant of a seat in a game like this one; other people join by a link.
function sameOccupant(seat) {
  if (seat.who === PERSON) return seat.yours ? PERSON : OPEN;
  return seat.name === "adaptive" ? "adaptive" : seat.who;
}

const sameGame = () => ({
  game: state.game,
  options: state.options,
  seats: state.seats.map(sameOccupant),
  ...(Object.keys(state.time).length ? { time: state.time } : {}),
});

// Opens the follow-up room, which the other players can join; without others, the same game with the seats rotated.
async function playAgain() {
  if (isMaking) return undefined; // double click
  isMaking = true;
  try {
    if (state.again) return go(state.again);
    const hasOthers = state.seats.some((seat) => seat.who === PERSON && !seat.yours);
    const { seats: [first, ...rest], ...same } = sameGame();
    if (!hasOthers) return await start({ ...same, seats: [...rest, first], options: {}, position: state.start });
    go((await fetchJson(`/api/rooms/${encodeURIComponent(room)}/again`, {})).room);
  } catch (error) {
    notify(error.message);
  } finally {
    isMaking = false;
  }
  return undefined;
}

// ── around the board ──

function headline() {
  clearTimeout(checkingTimer);
  const [first, second] = statusTexts(state, prompt);
  const { outcome, seats: all, can } = state;
  byId("headline").textContent = first;
  const isThinking = state.turn !== null && !can.play && ![PERSON, OPEN].includes(all[state.turn].who);
  const note = outcome ? "" : state.moves.at(-1)?.note;
  if (preparing && isThinking) byId("detail").textContent = preparing;
  else byId("detail").textContent = note ? `${note} ${second}` : second;
  byId("cancel").hidden = !canCancel();
  const mine = all.some((seat) => seat.yours);
  byId("again").hidden = !outcome || (!mine && all.some((seat) => seat.who === PERSON));
  byId("again").textContent = state.again ? "Go to the next game" : "Play again";
  byId("review-link").hidden = !outcome;
  byId("review-link").href = `/analyse?room=${encodeURIComponent(room)}`;
  document.title = `${first} · ${state.title}`;
  document.body.classList.toggle("over", Boolean(outcome));
}

function seats() {
  const rows = showSeats(state);
  clocks.set(state.clock, state.receivedAt, rows, state.seats.map((seat) => seat.yours));
  showWatching(state.watching);
  showOffer(state.offer, state.seats);
  showOpenSeat(state, lanAddress);
  byId("chat").hidden = !company().others;
  chat.showNameField(!state.can.say);
  if (catalogue) quickStart.show(catalogue, state);
}

const bar = (turn) => showBar(turn, Boolean(steps), choose, endTurn);

function buttons() {
  const online = draft !== null || (connection?.isOpen ?? false);
  for (const what of ["undo", "redo", "hint", "draw", "resign"]) byId(what).disabled = !(online && state?.can[what]);
  byId("flip").disabled = !online || !state;
  const { others, bots } = company();
  byId("hint").hidden = byId("redo").hidden = others;
  byId("draw").hidden = bots; // bots cannot agree to a draw
  byId("undo-label").textContent = others ? "Take back" : "Undo";
}

// Whether other people play, and whether bots do.
function company() {
  const is = (seat) => (seat.yours ? "mine" : [PERSON, OPEN].includes(seat.who) ? "other" : "bot");
  const all = (state?.seats ?? []).map(is);
  return { others: all.includes("other"), bots: all.includes("bot") };
}

// Shows the number of games that wait for the user, beside the Games button.
async function watchGames() {
  clearTimeout(waitingTimer);
  waitingTimer = setTimeout(watchGames, GAMES_EVERY);
  if (document.hidden) return;
  const count = await countWaitingGames(room).catch(() => 0);
  byId("games-waiting").textContent = count ? ` (${count})` : "";
  byId("games-waiting").title = count === 1 ? "One game is waiting for you" : `${count} games are waiting for you`;
}

// Shows the progress while engines are compiled, which happens once per machine.
async function watchPreparations() {
  try {
    const health = await fetchJson("/api/health");
    const { ready } = health;
    preparing = ready ? null : compilingText(health);
    lanAddress = health.others;
    if (state) showOpenSeat(state, lanAddress);
    if (state && !state.outcome) headline();
    if (!ready) setTimeout(watchPreparations, 2000);
  } catch {
    setTimeout(watchPreparations, 5000);
  }
}

byId("join-name").value = saved("name", "");
document.querySelector(".notes").append(byId("offer")); // so that no message covers it
initSettings(() => state && playPremove());
board.adopt();
byId("start").hidden = roomInAddress() !== null; // else its space is reserved from the start
open();
watchPreparations();
watchGames();
document.addEventListener("visibilitychange", watchGames);
