// The page of one game: shows what the room says, and says to the room what the person does.

import { Board } from "/static/board.js";
import { announce, ask as askServer, byId, capital, decoded, keep, kept, preparing as inWords, tell } from "/static/dom.js";
import { Clocks } from "/static/play/clocks.js";
import { Connection } from "/static/play/connection.js";
import { holding } from "/static/play/focus.js";
import { gamesThatWait, gameToGoOn, openGames } from "/static/play/lists.js";
import { catalogue, firstWish, makeRoom, NewGameForm, preview } from "/static/play/newgame.js";
import { OPEN, PERSON, addMove, showBar, showFree, showMoves, showOffer, showSeats, showWatching } from "/static/play/side.js";
import { lastRemembered, remember, remembered } from "/static/offline.js";
import { callMe, setUp, setting } from "/static/play/settings.js";
import { play as sound } from "/static/play/sound.js";
import { Start } from "/static/play/start.js";
import { Talk } from "/static/play/talk.js";
import { headline as wordsFor, News, refusal } from "/static/play/words.js";

let known = null; // the catalogue
let connection = null;
let room = null;
let draft = null; // what a room is made for as soon as something is done, while there is none
let state = null; // what the room said last, as a whole
let steps = ""; // of a turn that has been begun
let ownSteps = false; // whether the last move was made here, so that its beginning has been seen already
let pointer = null; // the hint that is being followed
let asked = null; // the steps that were sent last
let choices = [];
let flip = false;
let prompt = ""; // what is asked of whoever is to move
let looking = 0; // the timer until it is said that a move is looked at before it is played
let others = null; // where others in this network find the server, once that is known
let preparing = null; // what is said while engines are compiled
let watching = 0; // the timer until it is looked again which games wait
let making = false; // whether the next game is being made
let visit = 0; // rises when one goes elsewhere: what was asked for before is of no use then
let previewed = ""; // the address of the game that is shown and not made yet
let entered = 0; // when the line to the room began
let pending = null; // the step that was sent and has not been answered
let unanswered = null; // that which was not when the line was lost
let later = null; // what is to be sent once the line is there

const board = new Board(byId("board"), { chosen: choose, refused, begun, foresees: true });
const form = new NewGameForm(start);
const clocks = new Clocks();
const talk = new Talk((text, name) => (name === null ? send({ type: "say", text }) : introduce(name, text)));
const news = new News();
const beginning = new Start(begin);
const home = () => byId("board").querySelector("[tabindex='0']"); // where the keyboard is when what it used is gone

// A touch that means nothing now: whose turn it is learns what is wanted.
function refused() {
  if (state?.can.play && !pending) tell(`Not there: ${prompt}.`);
  else announce("That cannot be chosen now.");
}

// A touch that does not say all: a piece, say, which is to go somewhere.
function begun(label) {
  tell("");
  byId("cancel").hidden = !canCancel();
  if (label) announce(`${capital(label)}: chosen. Now choose where to.`);
}

// ── rooms ──

const roomInAddress = () => /^\/play\/([^/]+)$/.exec(location.pathname)?.[1] ?? null;

// `leads` to a game that waits, if there is one and no other is asked for.
async function open({ leads = true } = {}) {
  const name = roomInAddress();
  if (name) enter(name);
  try {
    known ??= await catalogue();
    if (name) return state && beginning.show(known, state);
    const game = new URLSearchParams(location.search).get("game");
    const next = leads && game === null ? await gameToGoOn().catch(() => null) : null;
    if (next) {
      board.cancel(); // what was touched meanwhile was meant for a new game
      return go(next, { replace: true });
    }
    await prepare(firstWish(known, game ?? undefined));
  } catch (error) {
    if (name) return undefined; // the line to the room says so
    const last = lastRemembered();
    if (last) go(last, { replace: true });
    else tell(`The game cannot begin: ${error.message}.`);
  }
  return undefined;
}

async function start(wish, { replace = false } = {}) {
  go(await makeRoom(wish), { replace });
}

// From the buttons beside a board on which nothing has been played. A friend is asked to a game with more care.
async function begin(name, against) {
  const next = firstWish(known, name, against);
  if (against === "friend") return form.open(known, next);
  if (making) return undefined;
  const change = draft ? "replaceState" : "pushState";
  try {
    await prepare(next, () => history[change](null, "", `/?game=${name}`));
  } catch (error) {
    tell(`The game cannot begin: ${error.message}.`);
  }
  return undefined;
}

// Show a game for which there is no room yet: whatever is done there makes one.
async function prepare(wish, arrive = () => {}) {
  const mine = ++visit;
  const told = await preview(wish, draft === wish && flip);
  if (mine !== visit) return;
  if (draft !== wish) leave();
  arrive();
  previewed = location.pathname + location.search;
  draft = wish;
  const can = Object.fromEntries(Object.entries(told.can).map(([what, may]) => [what, may && ["play", "hint"].includes(what)]));
  await heard({ ...told, can });
}

// Make the room; what was to be done there is sent once the line is there.
async function settle(message) {
  if (making) return;
  making = true;
  const mine = ++visit;
  let made;
  try {
    made = await makeRoom(draft);
  } catch (error) {
    if (mine !== visit) return;
    pending = null;
    board.answered();
    headline();
    tell(`The game cannot begin: ${error.message}.`);
    return;
  } finally {
    making = false;
  }
  if (mine !== visit) return; // somebody has gone elsewhere meanwhile
  room = decoded(made);
  draft = null;
  history.replaceState(null, "", `/play/${encodeURIComponent(room)}`);
  if (message.type !== "step") later = message; // a step is sent again by itself
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
  connection = new Connection(room, { heard, changed, isFlipped: () => flip });
}

// Nothing of a game stays that is left for another.
function leave() {
  connection?.end();
  visit++;
  connection = room = draft = null;
  for (const about of ["warning-dialog", "resign-dialog"]) byId(about).close();
  byId("code-picture").hidden = true;
  byId("code").ariaExpanded = "false";
  tell("");
  byId("connection").hidden = true;
  document.body.classList.remove("offline");
  waiting.length = 0;
  pending = unanswered = later = null;
  board.settle();
  board.answered();
  if (state) board.cancel();
  state = null;
  flip = false;
  reset();
  talk.clear();
  news.clear();
}

function changed(what, why) {
  holding(home, () => showLine(what, why));
}

function showLine(what, why) {
  const line = byId("connection");
  const texts = {
    lost: "Connection lost. Reconnecting …",
    full: `${capital(why || "too many connections")}. This page keeps trying.`,
    gone: "This game is not kept here. Start a new one.",
  };
  line.textContent = texts[what] ?? "";
  line.hidden = what === "open";
  document.body.classList.toggle("offline", what !== "open");
  if (what === "open") entered = performance.now();
  unanswered = pending ?? unanswered;
  pending = null;
  if (state) headline();
  if (["lost", "full"].includes(what) && !state) showRemembered();
  if (what === "gone") {
    board.premove(false);
    board.answered();
    tell("");
    byId("headline").textContent = "No game here";
    byId("detail").textContent = "";
    byId("board").removeAttribute("aria-busy");
  }
  buttons();
}

// As the game stood when it was last looked at from here: to be seen, not to be played.
function showRemembered() {
  const old = remembered(room);
  if (!old) return;
  const can = Object.fromEntries(Object.keys(old.can).map((what) => [what, false]));
  const clock = old.clock && { ...old.clock, running: null };
  showState({ ...old, event: "now", choices: [], can, clock });
}

// ── what the room says ──

const GAMES_EVERY = 60_000; // milliseconds
const OLD_SAYINGS = 1500; // milliseconds after one comes in which all is told that was said before
const ANSWERS = new Set(["state", "played", "turn", "warning", "error"]); // to a step
const waiting = [];
let working = false;

// One message after the other, each shown to its end; only what a person waits for cuts an animation short.
async function heard(message) {
  waiting.push(message);
  if (ANSWERS.has(message.type)) pending = null;
  if (message.type !== "played" || waiting.length > 6) board.settle();
  if (working) return;
  working = true;
  try {
    while (waiting.length) await holding(home, () => show(waiting.shift()));
  } finally {
    working = false;
  }
}

const SHOWN = { state: showState, played: showPlayed, around: showAround, said: showSaid };
const SHOWN_NOW = { turn: showTurn, hint: showHint, waiting: showWaiting, warning: showWarning }; // of use only for the state they are about

function show(message) {
  if (message.type === "error") {
    board.answered();
    if (state) headline();
    return tell(`${capital(message.error)}.`);
  }
  if (message.type in SHOWN) return SHOWN[message.type](message);
  if (message.at === state?.at) return SHOWN_NOW[message.type]?.(message);
  return undefined;
}

// One more move: what stood before with what it changes.
function showPlayed(message) {
  if (message.at !== state?.at + 1) return send({ type: "look", flip }); // something is missing
  const { changes, move, ...standing } = { ...message, heard: performance.now() };
  const moves = [...state.moves, move];
  return showState({ ...state, ...standing, type: "state", svg: redrawn(state.svg, changes), moves }, { added: true });
}

// A drawing with some of its lines changed.
function redrawn(svg, changes) {
  const lines = svg.split("\n");
  for (const [line, text] of changes) lines[line] = text;
  return lines.join("\n");
}

async function showState(next, { added = false } = {}) {
  const old = state;
  const told = news.between(old, next);
  state = { heard: performance.now(), ...next };
  const stays = old && next.event === "now" && next.at === old.at && next.can.play && next.svg === old.svg;
  if (stays && (steps || unanswered)) return goOn();
  unanswered = null;
  const fresh = next.event === "played" && old !== null;
  const seen = ownSteps;
  const ended = next.outcome && !old?.outcome && old !== null;
  const mine = state;
  prompt = next.prompt;
  reset();
  const why = refusal(old, next);
  if (next.event !== "now") tell(why);
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
  announce([...told, next.announce, ...yours].join(" "));
  sendLater();
  if (next.outcome) for (const about of ["warning-dialog", "resign-dialog"]) byId(about).close();
  if (room && next.seats.some((seat) => seat.yours)) remember(room, { ...next, heard: undefined });
  if (fresh) sound(ended ? (isWon() ? "won" : "over") : "played");
  await board.show(next.svg, choices, { fresh, delay: !seen });
  if (state === mine) premove();
}

// The line is there again, and nothing has happened meanwhile: what was begun here is as it was. What was sent and not
// answered is sent once more.
function goOn() {
  const again = unanswered;
  unanswered = null;
  seats();
  headline();
  buttons();
  sendLater();
  if (again) step(again);
}

function sendLater() {
  if (later && send(later)) later = null;
}

const isWon = () => state.outcome.winners.some((seat) => state.seats[seat].yours);

// Who is here, and what the players ask each other for.
function showAround({ type: _type, ...around }) {
  const isNew = ([what, value]) => JSON.stringify(value) !== JSON.stringify(state[what]);
  if (!state || !Object.entries(around).some(isNew)) return;
  const told = news.between(state, { ...state, ...around });
  const why = refusal(state, { ...state, ...around });
  const calls = (around.again && !state.again) || (around.offer?.asked && !state.offer);
  Object.assign(state, around);
  seats();
  headline();
  buttons();
  if (told.length) announce(told.join(" "));
  if (calls) sound("played");
  if (why) tell(why);
  if (calls && around.again) tell("The next game is ready: go there to play again.");
}

function showSaid(said) {
  const watches = said.seat === null && said.name ? `${said.name} (watching)` : said.name;
  const words = talk.hear({ ...said, name: watches, colour: state?.seats[said.seat]?.colour });
  const isNew = state && performance.now() - entered > OLD_SAYINGS;
  if (words && isNew && byId("chat").getBoundingClientRect().top > innerHeight) tell(words);
}

function showTurn(turn) {
  if (turn.steps !== asked) return undefined; // it was cancelled meanwhile
  steps = turn.steps;
  choices = turn.choices;
  prompt = turn.prompt;
  headline();
  bar(turn);
  buttons();
  announce(`${capital(turn.prompt)}.`);
  const shown = board.show(turn.svg ?? redrawn(state.svg, turn.changes), choices, { fresh: true });
  followHint();
  premove();
  return shown;
}

function showHint(hint) {
  pointer = hint;
  followHint();
  tell(`Hint: ${hint.words}${hint.claim ? `; that ${hint.claim}` : ""}.`);
}

function showWaiting({ place }) {
  tell(place ? `Many are playing: your question is number ${place} in line.` : "Thinking …");
}

// Point at the next step of the hint, as long as the turn goes its way.
function followHint() {
  const upTo = (count) => pointer.steps.slice(0, count).map((each) => each.step).join(" ");
  const next = pointer?.steps.find((_, i) => upTo(i) === steps);
  board.point(next ? next.targets : []);
}

function showWarning(warning) {
  headline();
  const dialog = byId("warning-dialog");
  byId("warning-words").textContent = `${capital(warning.words)}.`;
  dialog.returnValue = "no";
  dialog.addEventListener("close", () => {
    if (state?.at !== warning.at) return; // the game has gone on meanwhile
    if (dialog.returnValue === "yes") step({ steps: warning.steps }, { warn: false });
    else back();
  }, { once: true });
  dialog.showModal();
}

function reset() {
  steps = "";
  asked = null;
  ownSteps = false;
  pointer = null;
}

// While the others move one may already touch what one will choose then; it is chosen when it can be.
function premove() {
  const mine = state.seats.some((seat) => seat.yours);
  if (state.can.play) {
    const choice = board.takePremove(choices);
    if (choice) {
      board.expect(choice);
      choose(choice);
    }
  }
  board.premove(mine && !state.can.play && !state.outcome && connection?.isOpen && setting("premove"));
}

// ── what the person does ──

// Whether something could be sent.
function send(message) {
  if (!draft) return connection?.send(message) || false;
  if (message.type === "look") making || prepare(draft).catch((error) => tell(`${capital(error.message)}.`));
  else settle(message);
  return true;
}

const ask = (type, more = {}) => state && send({ type, at: state.at, ...more });

function choose(choice) {
  const longer = steps ? `${steps} ${choice.step}` : choice.step;
  ownSteps = true;
  tell("");
  step({ steps: longer });
}

const endTurn = () => step({ steps, end: true });

// Ask for a step; what cannot be sent now is once the line is there again.
function step(wish, { warn = wish.warn ?? setting("warn") } = {}) {
  if (pending || !state) return board.answered(); // touched twice, or before the next game is there
  pending = { ...wish, warn };
  asked = wish.steps;
  const isSent = ask("step", pending);
  if (!isSent) headline();
  if (!isSent || !warn) return undefined;
  clearTimeout(looking);
  looking = setTimeout(() => (byId("detail").textContent = "Looking whether this move loses …"), 500);
  return undefined;
}

// Whether something was chosen that cannot be sent now.
const isUnsent = () => !draft && !connection?.isOpen && Boolean(pending ?? unanswered);
const canCancel = () => Boolean(steps) || board.isBegun || isUnsent();

// Back to the beginning of a half-made turn; whether there was one.
function cancel() {
  if (isUnsent()) {
    pending = unanswered = null;
    board.answered();
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
  holding(home, showBeginning);
}

function showBeginning() {
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
for (const type of ["redo", "draw"]) byId(type).addEventListener("click", () => ask(type));
byId("undo").addEventListener("click", () => cancel() || ask("undo")); // a half-made turn is undone first
byId("hint").addEventListener("click", () => {
  cancel();
  ask("hint"); // which is about the whole turn
});
byId("offer-yes").addEventListener("click", () => ask("answer", { yes: true, what: state.offer?.what }));
byId("offer-no").addEventListener("click", () => ask("answer", { yes: false, what: state.offer?.what }));
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
  if (event.target.returnValue === "yes") ask("resign");
});
byId("new").addEventListener("click", async () => {
  try {
    known ??= await catalogue();
    form.open(known, state ? wish() : firstWish(known));
  } catch (error) {
    tell(`A new game cannot begin: ${error.message}.`);
  }
});
byId("games").addEventListener("click", openGames);
byId("again").addEventListener("click", again);
byId("copy").addEventListener("click", async () => {
  byId("link").select();
  try {
    await navigator.clipboard.writeText(byId("link").value);
    tell("The link is copied.");
  } catch {
    tell("The link is marked; copy it with the keyboard or a long touch.");
  }
});
byId("send").hidden = !navigator.share; // which phones have
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
    await askServer(`/api/rooms/${encodeURIComponent(room)}/seats`, { name: byId("join-name").value });
    keep("name", byId("join-name").value);
    enter(room); // the line is told who one is when it begins
  } catch (error) {
    tell(`${capital(error.message)}.`);
  }
});
// A step to another place of the same page is none to another game.
const isHere = () => (draft ? previewed === location.pathname + location.search : room !== null && decoded(roomInAddress() ?? "") === room);
addEventListener("popstate", () => isHere() || open({ leads: false }));
// Whoever does anything finds out whether the line still carries it.
for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, () => connection?.check(), { capture: true, passive: true });

// Somebody who only watches and wants to say something: the line is told who one is when it begins.
function introduce(name, text) {
  callMe(name).then((known) => {
    if (!known) return;
    enter(room);
    later = { type: "say", text };
  });
  return true;
}

// Who is to sit there in a game like this one: another person by a link, since only one's own screen is here.
function wished(seat) {
  if (seat.who === PERSON) return seat.yours ? PERSON : OPEN;
  return seat.name === "adaptive" ? "adaptive" : seat.who;
}

const wish = () => ({
  game: state.game,
  options: state.options,
  seats: state.seats.map(wished),
  ...(Object.keys(state.time).length ? { time: state.time } : {}),
});

// With others: the room that follows this one, in which they are expected too. Alone: the same game once more.
async function again() {
  if (making) return undefined; // pressed twice
  making = true;
  try {
    if (state.again) return go(state.again);
    const others = state.seats.some((seat) => seat.who === PERSON && !seat.yours);
    const { seats: [first, ...rest], ...same } = wish();
    if (!others) return await start({ ...same, seats: [...rest, first], options: {}, position: state.start });
    go((await askServer(`/api/rooms/${encodeURIComponent(room)}/again`, {})).room);
  } catch (error) {
    tell(`${capital(error.message)}.`);
  } finally {
    making = false;
  }
  return undefined;
}

// ── what stands around the board ──

function headline() {
  clearTimeout(looking);
  const [first, second] = wordsFor(state, prompt);
  const { outcome, seats: all, can } = state;
  byId("headline").textContent = first;
  const thinks = state.turn !== null && !can.play && ![PERSON, OPEN].includes(all[state.turn].who);
  const note = outcome ? "" : state.moves.at(-1)?.note;
  if (preparing && thinks) byId("detail").textContent = preparing;
  else byId("detail").textContent = note ? `${note} ${second}` : second;
  byId("cancel").hidden = !canCancel();
  const mine = all.some((seat) => seat.yours);
  byId("again").hidden = !outcome || (!mine && all.some((seat) => seat.who === PERSON));
  byId("again").textContent = state.again ? "Go to the next game" : "Play again";
  byId("study").hidden = !outcome;
  byId("study").href = `/analyse?room=${encodeURIComponent(room)}`;
  document.title = `${first} · ${state.title}`;
  document.body.classList.toggle("over", Boolean(outcome));
}

function seats() {
  const rows = showSeats(state);
  clocks.set(state.clock, state.heard, rows, state.seats.map((seat) => seat.yours));
  showWatching(state.watching);
  showOffer(state.offer, state.seats);
  showFree(state, others);
  byId("chat").hidden = !company().others;
  talk.askName(!state.can.say);
  if (known) beginning.show(known, state);
}

const bar = (turn) => showBar(turn, Boolean(steps), choose, endTurn);

function buttons() {
  const online = draft !== null || (connection?.isOpen ?? false);
  for (const what of ["undo", "redo", "hint", "draw", "resign"]) byId(what).disabled = !(online && state?.can[what]);
  byId("flip").disabled = !online || !state;
  const { others, bots } = company();
  byId("hint").hidden = byId("redo").hidden = others;
  byId("draw").hidden = bots; // who cannot agree to one
  byId("undo-word").textContent = others ? "Take back" : "Undo";
}

// Whether other people play too, and whether bots do.
function company() {
  const is = (seat) => (seat.yours ? "mine" : [PERSON, OPEN].includes(seat.who) ? "other" : "bot");
  const all = (state?.seats ?? []).map(is);
  return { others: all.includes("other"), bots: all.includes("bot") };
}

// Beside the word for the list of games: how many of them wait for whoever is here.
async function watchGames() {
  clearTimeout(watching);
  watching = setTimeout(watchGames, GAMES_EVERY);
  if (document.hidden) return;
  const count = await gamesThatWait(room).catch(() => 0);
  byId("games-wait").textContent = count ? ` (${count})` : "";
  byId("games-wait").title = count === 1 ? "One game waits for you" : `${count} games wait for you`;
}

// Bots are compiled once a machine; until then whoever waits for one is told.
async function watchPreparations() {
  try {
    const health = await askServer("/api/health");
    const { ready } = health;
    preparing = ready ? null : inWords(health);
    others = health.others;
    if (state) showFree(state, others);
    if (state && !state.outcome) headline();
    if (!ready) setTimeout(watchPreparations, 2000);
  } catch {
    setTimeout(watchPreparations, 5000);
  }
}

byId("join-name").value = kept("name", "");
document.querySelector(".notes").append(byId("offer")); // so that nothing that is told lies over it
setUp(() => state && premove());
board.adopt();
byId("start").hidden = roomInAddress() !== null; // else there is room for it from the first moment
open();
watchPreparations();
watchGames();
document.addEventListener("visibilitychange", watchGames);
