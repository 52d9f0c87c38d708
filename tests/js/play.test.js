import assert from "node:assert/strict";
import { test } from "node:test";

import { optionTexts, valueOf } from "../../src/pentad/web/static/options.js";
import { formatTime } from "../../src/pentad/web/static/play/clocks.js";
import { Inbox } from "../../src/pentad/web/static/play/connection.js";
import { defaultRequest, nameOfRules, optionsOf } from "../../src/pentad/web/static/play/requests.js";
import { premoveText, touchesAfter, wholeTurn } from "../../src/pentad/web/static/play/premoves.js";
import { gameNamed, opponentKind } from "../../src/pentad/web/static/play/opponents.js";
import { botName, occupantName, offerText } from "../../src/pentad/web/static/play/sidebar.js";
import { PageState, redrawn, requestLike } from "../../src/pentad/web/static/play/state.js";
import { News, headline, refusal } from "../../src/pentad/web/static/play/status.js";

const seat = (more = {}) => ({ colour: "black", who: "human", name: "", yours: false, here: true, ...more });
const YOU = seat({ yours: true });
const BOB = seat({ colour: "white", name: "Bob" });
const BOT = seat({ colour: "white", who: "engine@2" });
const game = (more = {}) => ({
  game: "pentago",
  options: {},
  time: {},
  at: 4,
  event: "now",
  seats: [YOU, BOB],
  turn: 0,
  prompt: "Place a marble.",
  outcome: null,
  trouble: null,
  line: 0,
  status: "",
  svg: "one\ntwo",
  choices: [],
  moves: [],
  offer: null,
  declined: null,
  again: null,
  can: { play: true },
  ...more,
});

// ── texts ──

test("times are shown in the unit that fits", () => {
  assert.equal(formatTime(9.96), "10.0");
  assert.equal(formatTime(61), "1:01");
  assert.equal(formatTime(3605), "1:00:05");
  assert.equal(formatTime(90, true), "2 min");
  assert.equal(formatTime(7200, true), "2 h");
  assert.equal(formatTime(3 * 86400, true), "3 days");
});

test("bots have names for people", () => {
  assert.equal(botName("engine@2"), "Engine, level 2");
  assert.equal(botName("lines:deep"), "Lines (deep)");
  assert.equal(botName("random"), "Random");
  assert.equal(occupantName(BOT), "Computer, level 2");
  assert.equal(occupantName(seat({ who: "greedy" })), "Computer (greedy)");
  assert.equal(occupantName(YOU, true), "You");
  assert.equal(occupantName(seat({ who: "open" })), "Open seat");
  assert.equal(occupantName(seat({ who: "engine@1", name: "adaptive" })), "Adaptive computer");
});

test("the headline says whose turn it is", () => {
  assert.deepEqual(headline(game(), "Place."), ["Your turn", "Place."]);
  assert.deepEqual(headline(game({ turn: 1, can: {} }), ""), ["Bob to move", "You play Black."]);
  assert.deepEqual(headline(game({ turn: 1, can: {}, seats: [YOU, BOT] }), ""), ["Computer is thinking…", "You play Black."]);
  const queued = game({ turn: 1, can: {}, seats: [YOU, BOT], line: 3 });
  assert.deepEqual(headline(queued, ""), ["Computer is waiting", "The server is busy. Place in the queue: 3."]);
});

test("the headline says who has won", () => {
  const ended = (winners, seats = [YOU, BOB]) => headline(game({ outcome: { winners }, seats, status: "The end." }), "")[0];
  assert.equal(ended([0]), "You win");
  assert.equal(ended([1]), "You lose");
  assert.equal(ended([]), "Draw");
  assert.equal(ended([1], [seat(), BOB]), "White wins");
  assert.equal(ended([0, 1], [seat(), BOB, seat({ colour: "red" })]), "Black and White share the win");
});

test("news tell arrivals, departures and returns, once", () => {
  const news = new News();
  const without = game({ seats: [YOU, { ...BOB, here: false }] });
  assert.deepEqual(news.between(null, game()), []);
  assert.deepEqual(news.between(game({ seats: [YOU, seat({ who: "open" })] }), game()), ["Bob has joined."]);
  assert.deepEqual(news.between(game(), without), ["Bob is away."]);
  assert.deepEqual(news.between(without, game()), ["Bob is back."]);
  assert.deepEqual(news.between(game(), game()), []);
});

test("offers, and what became of them", () => {
  const offer = { what: "draw", seat: 0, yours: true, asked: false, moves: 0 };
  assert.equal(offerText(offer, [YOU, BOB]), "You offered a draw.");
  assert.equal(offerText({ ...offer, what: "undo", seat: 1, yours: false, moves: 2 }, [YOU, BOB]), "Bob asks to take back the last 2 moves.");
  const before = game({ offer });
  assert.equal(refusal(before, game({ declined: { what: "draw", seat: 0, by: 1 } })), "Bob declined the draw.");
  const moved = game({ at: 5, event: "played", moves: [{ seat: 1 }] });
  assert.equal(refusal(before, moved), "Bob moved. Your draw offer has lapsed.");
  assert.equal(refusal(game(), game()), "");
});

// ── requests ──

const PENTAGO = { name: "pentago", players: 2, default_opponent: "engine@2", strengths: { easy: "engine@1", medium: "engine@2" } };
const PENTE = { name: "pente", players: 3, default_opponent: "engine@1", strengths: {} };
const CATALOGUE = { person: "human", games: [PENTAGO, PENTE], friends: true, friends_server: "" };

test("a new game is against the default opponent", () => {
  assert.deepEqual(defaultRequest(CATALOGUE), { game: "pentago", options: {}, seats: ["human", "engine@2"] });
  assert.deepEqual(defaultRequest(CATALOGUE, { game: "pente", opponent: "friend" }).seats, ["human", "open", "open"]);
  assert.equal(defaultRequest(CATALOGUE, { game: "unknown" }).game, "pentago");
  assert.deepEqual(opponentKind(["human", "engine@2"], PENTAGO, "human"), { opponent: "computer", strength: "medium" });
  assert.deepEqual(opponentKind(["human", "adaptive"], PENTAGO, "human"), { opponent: "computer", strength: "adaptive" });
  assert.deepEqual(opponentKind(["human", "engine@1"], PENTE, "human"), { opponent: "computer", strength: null });
  assert.deepEqual(opponentKind(["human", "open", "open"], PENTE, "human"), { opponent: "friend", strength: null });
  assert.deepEqual(opponentKind(["engine@2", "human"], PENTAGO, "human"), { opponent: null, strength: null });
  assert.throws(() => gameNamed(CATALOGUE, "go"), /no game named go/);
});

test("rules with a name have options, and more players their seats", () => {
  const pentago = { ...PENTAGO, presets: { "Three players": { rows: 3, players: 3 }, Late: { win_on_placement: false } } };
  const options = optionsOf(pentago, "Three players");
  const request = defaultRequest({ ...CATALOGUE, games: [pentago] }, { options });
  assert.deepEqual(request, { game: "pentago", options: { rows: 3, players: 3 }, seats: ["human", "engine@2", "engine@2"] });
  assert.deepEqual(optionsOf(pentago, "Unknown"), {});
  assert.equal(nameOfRules(pentago, { players: 3, rows: 3 }), "Three players");
  assert.equal(nameOfRules(pentago, {}), "Standard");
  assert.equal(nameOfRules(pentago, { rows: 3 }), null);
});

test("the same game again: other people join by a link", () => {
  const same = game({ seats: [YOU, BOB, BOT, seat({ who: "engine@1", name: "adaptive" })], time: { main: 60 } });
  const request = requestLike(same, { person: "human", open: "open" });
  assert.deepEqual(request.seats, ["human", "open", "engine@2", "adaptive"]);
  assert.deepEqual(request.time, { main: 60 });
  assert.ok(!("time" in requestLike(game(), { person: "human", open: "open" })));
});

test("options are sent as name=value", () => {
  assert.deepEqual(optionTexts({ line: 4, swap: true }), ["line=4", "swap=true"]);
  assert.equal(valueOf({ name: "line", default: 5 }, {}), 5);
  assert.equal(valueOf({ name: "swap", default: true }, { swap: false }), false);
});

// ── the state of the page ──

test("a drawing changes line by line", () => {
  assert.equal(redrawn("one\ntwo\nthree", [[1, "2"]]), "one\n2\nthree");
});

test("a step is sent once, and again after the connection was lost", () => {
  const state = new PageState();
  assert.equal(state.sending({ steps: "a1" }), false, "no game yet");
  state.arrived(game());
  assert.equal(state.sending({ steps: "a1" }), true);
  assert.equal(state.sending({ steps: "a2" }), false, "a second touch");
  state.disconnected();
  assert.ok(state.isUnsent);
  assert.equal(state.arrived(game()), true, "the turn goes on");
  assert.deepEqual(state.takeUnanswered(), { steps: "a1" });
  assert.equal(state.takeUnanswered(), null);
});

test("a partial turn survives a state that changes nothing, and no other", () => {
  const state = new PageState();
  state.arrived(game());
  state.sending({ steps: "a1" });
  assert.equal(state.turned({ steps: "b2", choices: [], prompt: "" }), false, "cancelled meanwhile");
  assert.equal(state.turned({ steps: "a1", choices: [], prompt: "Twist." }), true);
  assert.equal(state.arrived(game()), true);
  assert.equal(state.turn.steps, "a1");
  assert.equal(state.arrived(game({ at: 5 })), false);
  assert.equal(state.turn.steps, "");
  assert.equal(state.turn.prompt, "Place a marble.");
});

test("a hint points at the next step while the turn follows it", () => {
  const state = new PageState();
  state.arrived(game());
  state.turn.hint = { steps: [{ step: "a1", targets: ["a1"] }, { step: "1C", targets: ["twist 1C"] }] };
  assert.deepEqual(state.hintTargets, ["a1"]);
  state.turn.steps = "a1";
  assert.deepEqual(state.hintTargets, ["twist 1C"]);
  state.turn.steps = "b2";
  assert.deepEqual(state.hintTargets, []);
});

test("what waits for the game goes on once it is there, or cannot be", async () => {
  const state = new PageState();
  let isThere = false;
  const waiting = state.whenLoaded().then(() => (isThere = true));
  await Promise.resolve();
  assert.ok(!isThere);
  state.loaded();
  await waiting;
  await state.whenLoaded();
  state.leave();
  assert.ok(state.isLoading);
});

test("messages are shown one after the other", async () => {
  const shown = [];
  let finish = () => {};
  const inbox = new Inbox((message) => {
    shown.push(message);
    return message === 1 ? new Promise((settle) => (finish = settle)) : null;
  });
  const first = inbox.add(1);
  inbox.add(2);
  inbox.add(3);
  assert.deepEqual([shown, inbox.length], [[1], 2]);
  finish();
  await first;
  assert.deepEqual([shown, inbox.length], [[1, 2, 3], 0]);
});

// ── premoves, and turns to be confirmed ──

const premove = (targets, used, more = {}) => ({ targets, used, steps: targets.slice(0, used).join(" "), whole: false, prompt: "Twist.", ...more });

test("a touch that cannot follow begins another premove", () => {
  assert.equal(touchesAfter(premove(["a0", "1C"], 2)), null);
  assert.deepEqual(touchesAfter(premove(["a0", "1C", "b1"], 2)), ["b1"]);
  assert.equal(touchesAfter(premove(["a0"], 0)), null, "the others' moves may make it possible");
});

test("a premove is played at once if its touches are a whole turn", () => {
  const whole = premove(["a0", "1C"], 2, { whole: true });
  assert.equal(wholeTurn(whole, ["a0", "1C"]), "a0 1C");
  assert.equal(wholeTurn(whole, ["a0"]), null);
  assert.equal(wholeTurn(premove(["a0"], 1), ["a0"]), null);
  assert.equal(wholeTurn(null, ["a0"]), null);
  assert.equal(premoveText(whole), "Premove: a0 1C");
  assert.equal(premoveText(premove(["a0"], 1)), "Premove: Twist.");
  assert.equal(premoveText(premove(["piece"], 0)), "");
  assert.equal(premoveText(null), "");
});

test("a turn waits to be confirmed, and its last step can be taken back", () => {
  const state = new PageState();
  const message = { prompt: "Twist.", may_end: false, whole: false, svg: null };
  state.arrived(game());
  state.sending({ steps: "a0" });
  assert.ok(state.turned({ ...message, steps: "a0", choices: [1], changes: [[0, "1"]] }));
  state.pending = null;
  assert.ok(!state.isHeld);
  state.sending({ steps: "a0 1C", hold: true });
  state.pending = null;
  state.turned({ ...message, steps: "a0 1C", choices: [], changes: [[0, "2"]], whole: true });
  assert.ok(state.isHeld);
  assert.equal(state.turn.svg, "2\ntwo");
  assert.ok(state.takeBackStep());
  assert.deepEqual([state.turn.steps, state.turn.choices, state.turn.svg, state.isHeld], ["a0", [1], "1\ntwo", false]);
  assert.ok(!state.takeBackStep());
  assert.ok(!state.turned({ ...message, steps: "a0 1C", choices: [], changes: [], whole: true }), "taken back meanwhile");
});
