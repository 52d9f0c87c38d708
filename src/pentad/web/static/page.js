// The page of one game: shows what the room says, and says to the room what the person does.

import { Board } from "/static/board.js";
import { Connection } from "/static/connection.js";
import { capital, catalogue, dot, firstWish, makeRoom, NewGameForm } from "/static/newgame.js";

const byId = (id) => document.getElementById(id);

const person = "human"; // what the server calls a seat that no bot takes

let known = null; // the catalogue
let connection = null;
let state = null; // what the room said last
let steps = ""; // of a turn that has been begun
let ownSteps = false; // whether the last move was made here, so that its beginning has been seen already
let pointer = null; // the hint that is being followed
let choices = [];
let flip = false;

const board = new Board(byId("board"), { chosen: choose, refused: () => announce("That cannot be chosen now.") });
const form = new NewGameForm(start);

// ── rooms ──

const roomInAddress = () => /^\/play\/([^/]+)$/.exec(location.pathname)?.[1] ?? null;

async function open() {
  const room = roomInAddress();
  if (room) return enter(room);
  try {
    known ??= await catalogue();
    await start(firstWish(known), { replace: true });
  } catch (error) {
    tell(`The game cannot begin: ${error.message}.`);
  }
}

async function start(wish, { replace = false } = {}) {
  const room = await makeRoom(wish);
  history[replace ? "replaceState" : "pushState"](null, "", `/play/${room}`);
  enter(room);
}

function enter(room) {
  connection?.end();
  waiting.length = 0;
  board.settle();
  state = null;
  flip = false;
  reset();
  connection = new Connection(decodeURIComponent(room), { heard, changed });
}

function changed(what) {
  const line = byId("connection");
  const texts = {
    lost: "Connection lost, trying again …",
    gone: "This game is not kept here any more. Start a new one.",
  };
  line.textContent = texts[what] ?? "";
  line.hidden = what === "open";
  document.body.classList.toggle("offline", what !== "open");
  if (what === "open" && flip) send({ type: "look", flip });
  if (what === "gone") {
    tell("");
    byId("headline").textContent = "No game here";
    byId("detail").textContent = "";
    byId("board").removeAttribute("aria-busy");
  }
  buttons();
}

// ── what the room says ──

const waiting = [];
let working = false;

// One message after the other, each shown to its end; only what a person waits for cuts an animation short.
async function heard(message) {
  waiting.push(message);
  if (message.type !== "state" || message.event !== "played" || waiting.length > 6) board.settle();
  if (working) return;
  working = true;
  while (waiting.length) await show(waiting.shift());
  working = false;
}

function show(message) {
  switch (message.type) {
    case "state":
      return showState(message);
    case "turn":
      if (message.at === state?.at) return showTurn(message);
      break;
    case "hint":
      if (message.at === state?.at) showHint(message);
      break;
    case "error":
      tell(`${capital(message.error)}.`);
  }
  return undefined;
}

async function showState(next) {
  const begun = state && next.event === "now" && next.at === state.at && next.can.play ? steps : "";
  const fresh = next.event === "played" && state !== null;
  const seen = ownSteps;
  state = next;
  reset();
  if (next.event !== "now") tell("");
  byId("board").removeAttribute("aria-busy");
  byId("title").textContent = next.title;
  byId("guide").textContent = next.guide;
  byId("flip").ariaPressed = String(next.flip);
  choices = next.choices;
  headline();
  showSeats();
  showMoves();
  showBar(next);
  buttons();
  if (next.event !== "now" || !begun) announce(next.announce);
  if (begun) send({ type: "step", at: next.at, steps: begun });
  await board.show(next.svg, choices, { fresh, delay: !seen });
}

function showTurn(turn) {
  steps = turn.steps;
  choices = turn.choices;
  headline(turn.prompt);
  showBar(turn);
  buttons();
  announce(`${capital(turn.prompt)}.`);
  const shown = board.show(turn.svg, choices, {});
  followHint();
  return shown;
}

function showHint(hint) {
  pointer = hint;
  followHint();
  tell(`Hint: ${hint.words}.`);
}

// Point at the next step of the hint, as long as the turn goes its way.
function followHint() {
  const upTo = (count) => pointer.steps.slice(0, count).map((each) => each.step).join(" ");
  const next = pointer?.steps.find((_, i) => upTo(i) === steps);
  board.point(next ? next.targets : []);
}

function reset() {
  steps = "";
  ownSteps = false;
  pointer = null;
}

// ── what the person does ──

const send = (message) => connection?.send(message) || false;
const ask = (type, more = {}) => state && send({ type, at: state.at, ...more });

function choose(choice) {
  const longer = steps ? `${steps} ${choice.step}` : choice.step;
  ownSteps = true;
  tell("");
  ask("step", { steps: longer });
}

// Back to the beginning of a half-made turn; whether there was one.
function cancel() {
  if (board.cancel()) return true;
  if (!steps) return false;
  reset();
  choices = state.choices;
  headline();
  showBar(state);
  buttons();
  announce(`Cancelled. ${state.announce}`);
  board.show(state.svg, choices, {});
  if (byId("cancel") === document.activeElement) byId("board").querySelector("[tabindex='0']")?.focus();
  return true;
}

byId("cancel").addEventListener("click", cancel);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !document.querySelector("dialog[open]") && cancel()) event.preventDefault();
});
for (const type of ["undo", "redo", "hint"]) byId(type).addEventListener("click", () => ask(type));
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
const wish = () => ({ game: state.game, options: state.options, seats: state.seats.map((seat) => seat.who) });
byId("new").addEventListener("click", async () => {
  try {
    known ??= await catalogue();
    form.open(known, state ? wish() : firstWish(known));
  } catch (error) {
    tell(`A new game cannot begin: ${error.message}.`);
  }
});
byId("again").addEventListener("click", () => start(wish()).catch((error) => tell(`${capital(error.message)}.`)));
addEventListener("popstate", open);

// ── words ──

function headline(prompt = state.prompt) {
  const { turn, outcome, seats, trouble, can } = state;
  const mine = seats.filter((seat) => seat.yours);
  let first;
  let second = "";
  if (outcome) {
    const winners = outcome.winners.map((seat) => seats[seat]);
    const alone = mine.length === 1;
    if (!outcome.winners.length || outcome.winners.length === seats.length) first = "A draw";
    else if (alone && winners.includes(mine[0])) first = winners.length === 1 ? "You win" : "You share the win";
    else if (winners.length > 1) first = `${winners.map((seat) => capital(seat.colour)).join(" and ")} share the win`;
    else first = `${capital(winners[0].colour)} wins`;
    second = `${capital(rest(state.status, first))}.`;
  } else if (trouble) {
    first = `${capital(seats[turn].colour)} cannot move`;
    second = `${capital(trouble)}.`;
  } else if (can.play) {
    first = mine.length > 1 ? `${capital(seats[turn].colour)} to move` : "Your turn";
    second = `${capital(prompt)}.`;
  } else {
    const seat = seats[turn];
    first = seat.who !== person ? `${capital(seat.who)} is thinking …` : `${capital(seat.colour)} to move`;
    second = mine.length ? `You play ${mine.map((each) => each.colour).join(" and ")}.` : "You are watching.";
  }
  byId("headline").textContent = first;
  byId("detail").textContent = second;
  byId("cancel").hidden = !steps;
  byId("again").hidden = !outcome || (!mine.length && seats.some((seat) => seat.who === person));
  document.title = `${first} · ${state.title}`;
  document.body.classList.toggle("over", Boolean(outcome));
}

// What a line of words says beyond another, with which it begins perhaps.
function rest(words, beginning) {
  const repeats = words.toLowerCase().startsWith(beginning.toLowerCase());
  return (repeats && words.slice(beginning.length).replace(/^[\s:,]+/, "")) || words;
}

function tell(text) {
  const line = byId("message");
  line.textContent = text;
  line.hidden = !text;
}

function announce(text) {
  const line = byId("announcer");
  // The same words twice are only read out again if something about them is new.
  line.textContent = line.textContent === text ? `${text}\u00a0` : text;
}

// ── the side ──

function showSeats() {
  const alone = state.seats.filter((seat) => seat.yours).length === 1;
  const rows = state.seats.map((seat, i) => {
    const row = document.createElement("li");
    const who = document.createElement("span");
    who.className = "who";
    who.textContent = seat.yours && alone ? "you" : seat.who === person ? "person" : `${seat.who} bot`;
    row.append(dot(seat.colour), capital(seat.colour), who);
    if (state.turn === i) {
      row.setAttribute("aria-current", "true");
      const to = document.createElement("span");
      to.className = "unseen";
      to.textContent = ", to move";
      row.append(to);
    }
    if (state.outcome?.winners.includes(i)) row.classList.add("won");
    return row;
  });
  byId("seats").replaceChildren(...rows);
}

function showMoves() {
  const list = byId("moves");
  const rows = state.moves.map((move) => {
    const row = document.createElement("li");
    row.append(dot(state.seats[move.seat].colour), move.text);
    row.title = capital(move.words);
    return row;
  });
  list.replaceChildren(...rows);
  list.classList.toggle("wide", state.moves.some((move) => move.text.length > 9));
  list.hidden = !rows.length;
  byId("no-moves").hidden = rows.length > 0;
  list.scrollTop = list.scrollHeight;
}

// Choices that no touch of the board can single out, and the end of a turn that might go on, as buttons.
function showBar({ choices: all, may_end: mayEnd }) {
  const key = (choice) => JSON.stringify(choice.targets);
  const count = new Map();
  for (const choice of all) count.set(key(choice), (count.get(key(choice)) ?? 0) + 1);
  const buttons = all
    .filter((choice) => !choice.targets.length || count.get(key(choice)) > 1)
    .map((choice) => button(capital(choice.label), () => choose(choice)));
  if (mayEnd && all.length && steps) buttons.push(button("End the turn", () => ask("step", { steps, end: true })));
  byId("bar").replaceChildren(...buttons);
  byId("bar").hidden = !buttons.length;
}

function button(text, act) {
  const element = document.createElement("button");
  element.type = "button";
  element.className = "choice";
  element.textContent = text;
  element.addEventListener("click", act);
  return element;
}

function buttons() {
  const online = connection?.isOpen ?? false;
  const can = (what) => online && Boolean(state?.can[what]);
  byId("undo").disabled = !can("undo");
  byId("redo").disabled = !can("redo");
  byId("hint").disabled = !can("hint");
  byId("resign").disabled = !can("resign");
  byId("flip").disabled = !online || !state;
}

open();
