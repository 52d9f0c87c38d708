import assert from "node:assert/strict";
import { test } from "node:test";

import { optionTexts, valueOf } from "../../src/pentad/web/static/options.js";
import { formatTime } from "../../src/pentad/web/static/play/clocks.js";
import { Inbox } from "../../src/pentad/web/static/play/connection.js";
import { invitationText } from "../../src/pentad/web/static/play/invitation.js";
import { defaultRequest, nameOfRules, optionsOf, withSide } from "../../src/pentad/web/static/play/requests.js";
import { premoveText, touchesAfter, wholeTurn } from "../../src/pentad/web/static/play/premoves.js";
import { gameNamed, levelName, opponentKind } from "../../src/pentad/web/static/play/opponents.js";
import { clockText, isSameClock, readClock, readSide, writeClock, writeSide } from "../../src/pentad/web/static/play/terms.js";
import { occupantName, offerText } from "../../src/pentad/web/static/play/sidebar.js";
import { act, begin, isHeld, isUnsent, pointed, receive, redrawn, requestLike } from "../../src/pentad/web/static/play/state.js";
import { headline, news, refusal } from "../../src/pentad/web/static/play/status.js";
import { buttons, connectionText, texts, waitingGames } from "../../src/pentad/web/static/play/view.js";

const seat = (more = {}) => ({ colour: "black", who: "human", name: "", yours: false, here: true, ...more });
const YOU = seat({ yours: true });
const BOB = seat({ colour: "white", name: "Bob" });
const BOT = seat({ colour: "white", who: "engine@2", title: "Computer (level 2)" });
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
  assert.equal(levelName("2"), "level 2");
  assert.equal(levelName("medium"), "medium");
  assert.equal(occupantName(BOT), "Computer (level 2)");
  assert.equal(occupantName(YOU, true), "You");
  assert.equal(occupantName(seat({ who: "open" })), "Open seat");
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
  const resigned = { outcome: { winners: [1] }, status: "Black resigned. White wins.", reason: "Black resigned." };
  assert.deepEqual(headline(game({ ...resigned, seats: [seat(), BOB] }), ""), ["White wins", "Black resigned."]);
  assert.deepEqual(headline(game(resigned), ""), ["You lose", "Black resigned. White wins."]);
});

test("news tell arrivals, departures and returns, once", () => {
  const without = game({ seats: [YOU, { ...BOB, here: false }] });
  assert.deepEqual(news([], null, game()), { sentences: [], away: [] });
  assert.deepEqual(news([], game({ seats: [YOU, seat({ who: "open" })] }), game()).sentences, ["Bob has joined."]);
  assert.deepEqual(news([], game(), without), { sentences: ["Bob is away."], away: [1] });
  assert.deepEqual(news([1], without, game()), { sentences: ["Bob is back."], away: [] });
  assert.deepEqual(news([], game(), game()).sentences, []);
});

test("offers, and what became of them", () => {
  const offer = { what: "draw", seat: 0, yours: true, asked: false, moves: 0 };
  assert.equal(offerText(offer, [YOU, BOB]), "You offered a draw.");
  assert.equal(offerText({ ...offer, what: "undo", seat: 1, yours: false, moves: 2 }, [YOU, BOB]), "Bob asks to take back the last 2 moves.");
  const before = game({ offer });
  assert.equal(refusal(before, game({ declined: { what: "draw", seat: 0, by: 1 } })), "Bob declined the draw.");
  const moved = game({ at: 5, event: "played", moves: [{ seat: 1 }] });
  assert.equal(refusal(before, moved), "Bob moved, so your draw offer has expired.");
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
  assert.deepEqual(opponentKind(["engine@2", "human"], PENTAGO, "human"), { opponent: "computer", strength: "medium" });
  assert.deepEqual(opponentKind(["engine@2", "engine@1"], PENTAGO, "human"), { opponent: null, strength: null });
  assert.deepEqual(opponentKind(["human", "human", "engine@2"], PENTE, "human"), { opponent: null, strength: null });
  assert.throws(() => gameNamed(CATALOGUE, "go"), /no game named go/);
});

test("the player has the chosen side, and all seats of others stay", () => {
  assert.deepEqual(defaultRequest(CATALOGUE, { side: 1 }).seats, ["engine@2", "human"]);
  assert.deepEqual(defaultRequest(CATALOGUE, { side: 5 }).seats, ["engine@2", "human"], "the game has no such side");
  assert.deepEqual(withSide(["human", "open", "engine@2"], "human", 2), ["open", "engine@2", "human"]);
  assert.deepEqual(withSide(["open", "engine@2"], "human", 1), ["open", "engine@2"], "nobody plays here");
  const seats = new Set(Array.from({ length: 100 }, () => defaultRequest(CATALOGUE, { game: "pente", side: "random" }).seats.indexOf("human")));
  assert.deepEqual([...seats].sort(), [0, 1, 2]);
});

test("sides and clocks are written in addresses, and read again", () => {
  for (const side of [0, 1, 5, "random"]) assert.equal(readSide(writeSide(side)), side);
  for (const text of ["", null, "0", "x", "12"]) assert.equal(readSide(text), 0);
  for (const clock of [null, { main: 300, increment: 3 }, { main: 90, increment: 0 }, { days: 3 }]) assert.deepEqual(readClock(writeClock(clock)), clock);
  for (const text of ["", null, "5", "5+", "x+1", "1+2+3", "9999d"]) assert.equal(readClock(text), null);
  assert.deepEqual(defaultRequest(CATALOGUE, { clock: readClock("5+3") }).time, { main: 300, increment: 3 });
  assert.deepEqual([null, { main: 300, increment: 3 }, { main: 30 }, { days: 1 }].map(clockText), ["No clock", "5 min + 3 s", "30 s", "1 day per move"]);
  // An open game has all parts of its clock, one that is chosen here only those that are not 0.
  assert.ok(isSameClock({ main: 1800, increment: 0, days: 0 }, { main: 1800 }));
  assert.ok(!isSameClock({ main: 1800, increment: 5, days: 0 }, { main: 1800 }));
  assert.ok(!isSameClock(null, { days: 1 }));
});

test("an invitation says who invites to what", () => {
  const seats = [seat({ yours: true, name: "Ann" }), seat({ colour: "white", who: "open" })];
  const invitation = (more) => invitationText({ seats, title: "Pente", time: {}, ...more });
  assert.equal(invitation({ time: { main: 300, increment: 0 } }), "Ann invites you to Pente, 5 minutes each. You play White.");
  assert.equal(invitation({ time: { main: 60, increment: 1 } }), "Ann invites you to Pente, one minute each and one second a move. You play White.");
  assert.equal(invitation({ time: { days: 3 } }), "Ann invites you to Pente, 3 days a move. You play White.");
  assert.equal(invitation({ seats: [YOU, seats[1]] }), "You are invited to Pente, without a clock. You play White.");
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

const WORLD = { now: 0, settings: { confirm: false, warn: false, premove: true }, isOpen: true, planned: [], isBegun: false, answer: () => null };
const A1 = { step: "a1", targets: ["a1"], label: "a1" };
const C1 = { step: "1C", targets: ["twist 1C"], label: "1C" };
const mine = (more = {}) => game({ type: "state", choices: [A1], flip: false, announce: "Black to move.", ...more });
const theirs = (more = {}) => mine({ turn: 1, can: {}, choices: [], ...more });
const turnMessage = (more = {}) => ({ type: "turn", at: 4, steps: "a1", choices: [C1], prompt: "Twist.", may_end: false, whole: false, svg: null, changes: [[0, "1"]], ...more });
const PLAYED = { type: "played", at: 5, event: "played", turn: 1, can: {}, choices: [], changes: [[1, "2"]], move: { text: "a1 1C", seat: 0 }, announce: "White to move." };

// The page in a room: its state, and what it had to do, one list for each step.
class Page {
  state = act(begin, { type: "enter", room: "r" }, WORLD)[0];
  done = [];
  world = { ...WORLD };

  #go([state, effects]) {
    Object.freeze(state);
    Object.freeze(state.turn);
    this.state = state;
    this.done = effects;
    return this;
  }

  receive(message) {
    this.#go(act(this.state, { type: "answered", message }, this.world));
    return this.#go(receive(this.state, message, this.world));
  }

  act(type, more = {}) {
    return this.#go(act(this.state, { type, ...more }, this.world));
  }

  what(kind) {
    return this.done.filter((effect) => effect.do === kind);
  }

  get sent() {
    return this.what("send").map((effect) => effect.message);
  }

  get shown() {
    return this.what("show").map(({ svg }) => svg);
  }

  get said() {
    return this.what("notify").map(({ text }) => text);
  }
}

const inGame = (first = mine()) => new Page().act("connection", { what: "open" }).receive(first);

test("a drawing changes line by line", () => {
  assert.equal(redrawn("one\ntwo\nthree", [[1, "2"]]), "one\n2\nthree");
});

test("a game is shown, said and saved when it comes", () => {
  const page = inGame();
  assert.deepEqual(page.shown, ["one\ntwo"]);
  assert.deepEqual(page.what("announce"), [{ do: "announce", text: "Black to move. Your turn." }]);
  assert.equal(page.what("save").length, 1);
  assert.deepEqual([page.what("sound"), page.said], [[], []]);
  assert.deepEqual(texts(page.state, page.world), ["Your turn", "Place a marble."]);
});

test("a turn goes step by step to the server, and its moves come back", () => {
  const page = inGame();
  assert.deepEqual(page.act("choose", { choice: A1 }).sent, [{ type: "step", at: 4, steps: "a1", hold: false, warn: false }]);
  assert.deepEqual(page.act("choose", { choice: A1 }).what("revert").length, 1, "a second touch");
  assert.deepEqual(page.receive(turnMessage()).shown, ["1\ntwo"]);
  assert.deepEqual(texts(page.state, page.world), ["Your turn", "Twist."]);
  assert.equal(page.act("choose", { choice: C1 }).sent[0].steps, "a1 1C");
  page.receive(PLAYED);
  assert.deepEqual(page.what("show"), [{ do: "show", svg: "one\n2", choices: [], fresh: true, delay: false, arrival: page.state.arrival }]);
  assert.deepEqual(page.what("sound"), [{ do: "sound", name: "played" }]);
  assert.deepEqual(page.state.game.moves.map((move) => move.text), ["a1 1C"]);
  assert.deepEqual([page.state.pending, page.state.turn.steps], [null, ""]);
});

test("a missing move is asked for", () => {
  assert.deepEqual(inGame().receive({ ...PLAYED, at: 7 }).sent, [{ type: "look", flip: false }]);
});

test("a step that is refused is taken back from the board", () => {
  const page = inGame().act("choose", { choice: A1 });
  page.receive({ type: "error", error: "a1 is taken." });
  assert.deepEqual(page.done, [{ do: "revert" }, { do: "notify", text: "a1 is taken." }]);
  assert.equal(page.state.pending, null);
});

test("a step is sent once, and again after the connection was lost", () => {
  const page = new Page().act("choose", { choice: A1 });
  assert.deepEqual(page.what("revert").length, 1, "no game yet");
  page.act("connection", { what: "open" }).receive(mine());
  page.world.isOpen = false;
  page.act("choose", { choice: A1 });
  assert.deepEqual(page.sent, []);
  page.act("connection", { what: "lost" });
  assert.ok(isUnsent(page.state, page.world));
  assert.equal(connectionText(page.state), "Connection lost. Reconnecting…");
  page.world.isOpen = true;
  page.act("connection", { what: "open" });
  assert.deepEqual(page.receive(mine()).sent.map((each) => each.steps), ["a1"]);
  assert.deepEqual([page.shown, page.state.unanswered], [[], null], "the turn goes on");
});

test("a step without a connection can be cancelled", () => {
  const page = inGame();
  page.world.isOpen = false;
  page.act("choose", { choice: A1 });
  page.act("cancel");
  assert.deepEqual(page.done, [{ do: "revert" }, { do: "announce", text: "Cancelled." }]);
  assert.ok(!isUnsent(page.state, page.world));
});

const knowing = (page) => {
  page.world.answer = (_, { steps }) => ({ a1: turnMessage() })[steps] ?? null;
  return page;
};

test("only a whole turn is sent if the page knows the answer to its first steps", () => {
  const page = knowing(inGame()).act("choose", { choice: A1 });
  assert.deepEqual([page.sent, page.what("receive")], [[], [{ do: "receive", message: turnMessage() }]]);
  page.receive(turnMessage());
  assert.deepEqual(texts(page.state, page.world), ["Your turn", "Twist."]);
  assert.equal(page.act("choose", { choice: C1 }).sent[0].steps, "a1 1C");
});

test("a preview makes its room with the first step, though the page knows the answer", () => {
  const page = knowing(new Page().act("leave").act("previewed", { request: {}, path: "/play" }).receive(mine()));
  page.act("choose", { choice: A1 });
  assert.deepEqual(page.done.map((effect) => effect.do), ["notify", "make", "receive"]);
});

test("a turn is made without a connection, and sent once to an unchanged game", () => {
  const page = knowing(inGame());
  page.world.isOpen = false;
  page.act("connection", { what: "lost" }).act("choose", { choice: A1 }).receive(turnMessage());
  assert.deepEqual(texts(page.state, page.world), ["Your turn", "Twist."]);
  page.act("choose", { choice: C1 });
  assert.equal(texts(page.state, page.world)[1], "Your move is sent when the connection is back.");
  page.world.isOpen = true;
  page.act("connection", { what: "open" }).receive(mine());
  assert.deepEqual([page.sent.map(({ at, steps }) => [at, steps]), page.said], [[[4, "a1 1C"]], []]);
  assert.deepEqual(page.receive(mine()).sent, []);
});

test("a turn that the game has overtaken is dropped with a word, one that was played is not", () => {
  const WORD = "The game has changed. Your turn was not played.";
  const half = () => knowing(inGame()).act("choose", { choice: A1 }).receive(turnMessage());
  const after = (page, more) => page.act("connection", { what: "lost" }).act("connection", { what: "open" }).receive(theirs({ at: 5, ...more }));
  assert.deepEqual(after(half(), { outcome: { winners: [0] } }).said, [WORD]);
  assert.deepEqual(after(half().act("choose", { choice: C1 }), { outcome: { winners: [0] } }).said, [WORD]);
  assert.deepEqual(after(half().act("choose", { choice: C1 }), { moves: [{ seat: 0 }] }).said, []);
  assert.deepEqual(after(inGame(), { moves: [{ seat: 1 }] }).said, [], "no turn had begun");
});

test("the status says if the answer takes long", () => {
  const page = inGame().act("choose", { choice: A1 });
  assert.equal(page.what("wait").length, 1);
  assert.equal(texts(page.act("late").state, page.world)[1], "Waiting for the server…");
  page.receive(turnMessage());
  assert.equal(texts(page.act("late").state, page.world)[1], "Twist.");
});

test("a partial turn survives a state that changes nothing, and no other", () => {
  const page = inGame().act("choose", { choice: A1 });
  page.receive(turnMessage({ steps: "b2" }));
  assert.deepEqual(page.done, [], "cancelled meanwhile");
  page.receive(turnMessage());
  page.receive(mine());
  assert.deepEqual([page.state.turn.steps, page.shown], ["a1", []]);
  page.receive(mine({ at: 5 }));
  assert.deepEqual([page.state.turn.steps, page.state.turn.prompt], ["", "Place a marble."]);
});

test("a partial turn is cancelled", () => {
  const page = inGame().act("choose", { choice: A1 }).receive(turnMessage());
  assert.ok(buttons(page.state, page.world).canCancel);
  page.act("cancel");
  assert.deepEqual([page.shown, page.state.turn.steps], [["one\ntwo"], ""]);
  assert.deepEqual(page.act("cancel").done, []);
  assert.ok(!buttons(page.state, page.world).canCancel);
});

test("answers for an older state are dropped", () => {
  for (const type of ["turn", "hint", "premove", "warning", "waiting"]) assert.deepEqual(inGame().receive({ type, at: 3 }).done, []);
});

test("a hint points at the next step while the turn follows it", () => {
  const page = inGame().receive({ type: "hint", at: 4, words: "a1, then 1C", steps: [A1, C1], svg: "later" });
  assert.deepEqual(page.done, [{ do: "point", targets: ["a1"], later: ["twist 1C"], svg: "later" }, { do: "notify", text: "Hint: a1, then 1C" }]);
  page.act("choose", { choice: A1 }).receive(turnMessage());
  assert.deepEqual(page.what("point"), [{ do: "point", targets: ["twist 1C"], later: [], svg: "" }]);
  assert.deepEqual(pointed({ turn: { ...page.state.turn, steps: "b2" } }), { do: "point", targets: [], later: [], svg: "" });
});

test("a move is checked first, and played in spite of the warning or not", () => {
  const page = inGame();
  page.world.settings = { ...WORLD.settings, warn: true };
  page.act("choose", { choice: A1 });
  assert.equal(page.what("wait").length, 1);
  assert.equal(texts(page.act("late").state, page.world)[1], "Checking whether this move loses…");
  const warning = { type: "warning", at: 4, steps: "a1", words: "It loses." };
  assert.deepEqual(page.receive(warning).done, [{ do: "warn", warning }]);
  assert.equal(texts(page.state, page.world)[1], "Place a marble.");
  assert.deepEqual(new Page().act("warned", { yes: true, warning }).done, [], "the game has moved on");
  assert.deepEqual(page.act("warned", { yes: false, warning }).shown, ["one\ntwo"]);
  assert.equal(page.act("warned", { yes: true, warning }).sent[0].warn, false);
});

test("a removed chat message goes, whatever the state, and the chat for watchers is told of", () => {
  const page = inGame();
  assert.deepEqual(page.receive({ type: "unsaid", number: 7 }).done, [{ do: "remove chat", number: 7 }]);
  const around = { type: "around", seats: [YOU, BOB], offer: null, declined: null, again: null, can: { play: true }, watching: 1, watchers_say: true, line: 0 };
  page.receive(around);
  assert.deepEqual(page.receive({ ...around, watchers_say: false }).done, [{ do: "announce", text: "The chat for watchers is off." }]);
  assert.deepEqual(page.receive(around).done, [{ do: "announce", text: "The chat for watchers is on." }]);
});

test("what happens around the board is told, and the turn goes on", () => {
  const page = inGame().act("choose", { choice: A1 }).receive(turnMessage());
  const offer = { what: "draw", seat: 1, yours: false, asked: true, moves: 0 };
  const around = { type: "around", seats: [YOU, BOB], offer, declined: null, again: null, can: { play: true }, watching: 0, line: 0 };
  page.receive(around);
  assert.deepEqual(page.done, [{ do: "announce", text: "Bob offers a draw." }, { do: "sound", name: "played" }]);
  assert.deepEqual(page.receive(around).done, [], "the same again");
  assert.deepEqual(page.receive({ ...around, offer: null, again: "next" }).said, ["The rematch has been accepted."]);
  assert.deepEqual([page.state.turn.steps, buttons(page.state, page.world).again], ["a1", "Rematch accepted. Go to the game"]);
});

test("the end of a game closes questions and has its sound", () => {
  const page = inGame().receive({ ...PLAYED, outcome: { winners: [0] }, turn: null, status: "Black wins." });
  assert.deepEqual([page.what("close dialogs").length, page.what("sound")[0].name], [1, "won"]);
  const shown = buttons(page.state, page.world);
  assert.deepEqual([shown.isOver, shown.hasAgain], [true, false]);
});

test("a rematch says who and what, and the others are asked", () => {
  const again = (more) => {
    const page = inGame(mine({ outcome: { winners: [] }, turn: null, can: { rematch: true }, ...more }));
    const { hasAgain, again: text } = buttons(page.state, page.world);
    return hasAgain ? text : "";
  };
  assert.equal(again({ seats: [YOU, BOB] }), "Rematch with Bob, colours swapped");
  assert.equal(again({ seats: [YOU, BOT] }), "Rematch with Computer (level 2), colours swapped");
  assert.equal(again({ seats: [YOU, BOB, BOT] }), "Rematch with Bob and Computer (level 2), each with the next colour");
  assert.equal(again({ seats: [YOU, YOU] }), "Play again");
  assert.equal(again({ seats: [YOU, BOB], can: {} }), "", "it is answered by the offer");
  assert.equal(again({ seats: [YOU, BOB], can: {}, again: "next" }), "Rematch accepted. Go to the game");
  assert.equal(again({ seats: [YOU, BOT], can: {}, again: "next" }), "Go to the rematch");
  assert.equal(again({ seats: [seat(), BOB], can: {}, again: "next" }), "Watch the rematch");
  const offer = { what: "rematch", seat: 1, yours: false, asked: true, moves: 0 };
  assert.equal(offerText(offer, [YOU, BOB]), "Bob wants a rematch, colours swapped.");
  assert.equal(offerText({ ...offer, yours: true }, [YOU, BOB]), "You asked for a rematch.");
  const before = game({ offer, outcome: { winners: [0] } });
  const declined = (by) => refusal(before, game({ outcome: { winners: [0] }, declined: { what: "rematch", seat: 1, by } }));
  assert.equal(declined(1), "Bob no longer wants a rematch.");
  assert.equal(declined(0), "", "the player's own answer");
});

test("a game that is over has a review, from the player's seat if there is one", () => {
  const over = { outcome: { winners: [0] }, turn: null, moves: [{ text: "a1 1C", seat: 0 }] };
  const review = (more) => {
    const page = inGame(mine({ ...over, ...more }));
    return buttons(page.state, page.world).review;
  };
  assert.equal(review({}), "/review?room=r&seat=0");
  assert.equal(review({ seats: [YOU, { ...BOB, yours: true }] }), "/review?room=r");
  assert.equal(review({ seats: [BOT, BOB] }), "/review?room=r");
  assert.equal(review({ moves: [] }), null);
  assert.equal(review({ outcome: null }), null);
});

test("an earlier position stays while the game goes on, and no longer than its move", () => {
  const moves = [{ text: "a1 1C", seat: 0, words: "Black plays a1." }, { text: "b2 1C", seat: 1, words: "White plays b2." }];
  const page = inGame(mine({ moves }));
  assert.deepEqual(page.act("look", { moves: 1 }).done, [{ do: "fetch earlier", moves: 1 }]);
  assert.equal(texts(page.state, page.world)[1], "After move 1 of 2. Black plays a1.");
  assert.deepEqual(page.act("earlier", { moves: 0, earlier: { svg: "0", status: "" } }).done, [], "another one is wanted");
  assert.deepEqual(page.act("earlier", { moves: 1, earlier: { svg: "1", status: "White to move." } }).shown, ["1"]);
  assert.deepEqual([page.receive(PLAYED).shown, page.state.past], [[], 1]);
  assert.deepEqual(page.receive(mine({ at: 6, event: "undone", moves: [] })).state.past, null);
  assert.deepEqual(page.shown, ["one\ntwo"]);
  page.receive(mine({ at: 6, moves })).act("look", { moves: 0 });
  assert.deepEqual(page.act("look", { moves: 2 }).what("update premoves").length, 1);
});

test("the first action of a preview makes its room", () => {
  const page = new Page().act("leave").act("previewed", { request: { game: "pentago" }, path: "/play" }).receive(mine());
  page.world.isOpen = false;
  const [{ do: what, message }] = page.act("choose", { choice: A1 }).what("make");
  assert.deepEqual([what, message.steps, page.what("save")], ["make", "a1", []]);
  page.act("failed");
  assert.deepEqual([page.state.pending, page.done], [null, [{ do: "revert" }]]);
});

test("a step on the board that came with the page is answered at once, and sent to the room", () => {
  const page = new Page().act("leave").receive(mine()).act("early");
  page.world.isOpen = false;
  knowing(page);
  assert.deepEqual(page.act("choose", { choice: A1 }).done.at(-1), { do: "receive", message: turnMessage() });
  page.receive(turnMessage()).act("choose", { choice: C1 });
  assert.equal(texts(page.state, page.world)[1], "Starting the game…");
  page.act("previewed", { request: {}, path: "/play" }).receive(mine());
  assert.equal(page.what("make")[0].message.steps, "a1 1C");
});

test("a game that is gone says so", () => {
  const page = new Page().act("connection", { what: "gone" });
  assert.deepEqual(texts(page.state, page.world), ["Game not found", ""]);
  assert.deepEqual([page.state.isLoading, connectionText(page.state)], [false, "This game does not exist on this server. Start a new one."]);
  assert.equal(connectionText(page.act("leave").state), "");
});

test("other games that wait are counted", () => {
  const page = inGame(theirs()).act("know", { what: { waiting: [{ room: "r", page: "/play/r" }, { room: "s", page: "/play/s" }] } });
  assert.deepEqual(waitingGames(page.state), { count: " (1)", title: "One game is waiting for you", page: "/play/s", link: "Your turn in another game" });
  assert.equal(waitingGames({ ...page.state, game: mine() }).page, null, "it is the user's turn here");
});

test("what waits for the game goes on once it is there, or cannot be", () => {
  assert.ok(new Page().state.isLoading);
  assert.ok(!inGame().state.isLoading);
  assert.ok(!new Page().act("loaded").state.isLoading);
  assert.ok(inGame().act("leave").state.isLoading);
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
  assert.equal(premoveText({ ...whole, prompt: "Black plays a0." }), "Premove: Black plays a0.");
  assert.equal(premoveText(premove(["a0"], 1)), "Premove: Twist.");
  assert.equal(premoveText(premove(["piece"], 0)), "");
  assert.equal(premoveText(null), "");
});

test("a premove is asked for, and its answer is drawn", () => {
  const page = inGame(theirs());
  page.act("shown", { arrival: page.state.arrival });
  assert.deepEqual(page.done, [{ do: "allow premoves", allowed: true }]);
  page.world.planned = ["a1"];
  assert.deepEqual(page.act("planned", { targets: ["a1"] }).sent, [{ type: "premove", at: 4, targets: ["a1"] }]);
  const answer = { type: "premove", at: 4, targets: ["a1"], used: 1, steps: "a1", lines: [[1, "twists"]], prompt: "Twist.", whole: false };
  assert.deepEqual(page.receive({ ...answer, targets: ["b2"] }).done, [], "touched again meanwhile");
  assert.deepEqual(page.receive(answer).shown, ["one\ntwists"]);
  assert.equal(texts(page.state, page.world)[1], "Premove: Twist.");
  page.world.planned = ["a1", "twist 1C"];
  page.receive({ ...answer, targets: page.world.planned, used: 2, steps: "a1 1C", whole: true });
  assert.deepEqual(page.what("end plan").length, 1);
  page.receive({ ...answer, targets: page.world.planned, used: 1 });
  assert.deepEqual([page.what("plan")[0].targets, page.sent[0].targets], [["twist 1C"], ["twist 1C"]], "another turn begins");
  page.world.planned = [];
  assert.deepEqual(page.act("planned", { targets: [] }).shown, ["one\ntwo"]);
});

test("a premove is not asked for if the page knows the answer", () => {
  const page = inGame(theirs());
  const answer = { type: "premove", at: 4, targets: ["a1"], used: 1, steps: "a1", lines: [], prompt: "Twist.", whole: false };
  page.world.answer = (_, { type, at, targets }) => ({ ...answer, type, at, targets });
  page.act("planned", { targets: ["a1"] });
  assert.deepEqual([page.sent, page.what("receive")], [[], [{ do: "receive", message: answer }]]);
});

test("a whole premove is played at once when the turn comes, others step by step", () => {
  const page = inGame(theirs());
  page.world.planned = ["a1", "twist 1C"];
  const answer = { type: "premove", at: 4, targets: page.world.planned, used: 2, steps: "a1 1C", lines: [], prompt: "", whole: true };
  page.receive(answer).receive(mine({ at: 5 }));
  page.act("shown", { arrival: page.state.arrival });
  assert.deepEqual(page.done.map((effect) => effect.do), ["take premove", "expect", "plan", "notify", "send", "wait", "allow premoves"]);
  assert.deepEqual([page.sent[0].steps, page.state.turn.isPremove], ["a1 1C", true]);
  page.receive({ type: "error", error: "a1 is taken." });
  assert.deepEqual(page.said, ["Premove cancelled: a1 is taken."]);
  page.world.planned = ["a1"];
  page.act("update premoves");
  assert.equal(page.sent[0].steps, "a1");
  page.receive(mine({ at: 6 }));
  page.world.planned = ["z9"];
  assert.deepEqual(page.act("update premoves").said, ["Your premove is no longer possible."]);
  assert.deepEqual(page.sent, []);
});

test("no premoves while the animation of another state is shown, or after the game", () => {
  const page = inGame(theirs());
  assert.deepEqual(page.act("shown", { arrival: page.state.arrival - 1 }).done, []);
  page.receive(theirs({ outcome: { winners: [1] }, turn: null }));
  assert.deepEqual(page.act("update premoves").what("allow premoves"), [{ do: "allow premoves", allowed: false }]);
});

test("a premove ends with the game", () => {
  const page = inGame(theirs());
  page.world.planned = ["a1"];
  page.receive({ type: "premove", at: 4, targets: ["a1"], used: 1, steps: "a1", lines: [], prompt: "Twist.", whole: false });
  page.receive(theirs({ at: 5, outcome: { winners: [1] }, turn: null, status: "Black resigned. White wins." }));
  page.act("update premoves");
  assert.deepEqual([page.sent, page.state.premove], [[], null]);
  assert.equal(texts(page.state, page.world)[1], "Black resigned. White wins.");
});

test("a turn waits to be confirmed, and its last step can be taken back", () => {
  const page = inGame();
  page.world.settings = { ...WORLD.settings, confirm: true };
  page.act("choose", { choice: A1 }).receive(turnMessage());
  assert.ok(!isHeld(page.state));
  assert.equal(page.act("choose", { choice: C1 }).sent[0].hold, true);
  const whole = turnMessage({ steps: "a1 1C", choices: [], changes: [[0, "2"]], whole: true });
  page.receive(whole);
  assert.ok(isHeld(page.state));
  assert.deepEqual([page.shown, page.state.turn.prompt], [["2\ntwo"], "Confirm your move."]);
  assert.deepEqual(page.act("refused").said, ["Confirm your move or cancel it first."]);
  assert.deepEqual(page.act("cancel").shown, ["1\ntwo"]);
  assert.deepEqual([page.state.turn.steps, page.state.turn.choices, isHeld(page.state)], ["a1", [C1], false]);
  assert.deepEqual(page.receive(whole).done, [], "taken back meanwhile");
  assert.deepEqual(page.act("confirm").done, [], "nothing is held");
  page.act("choose", { choice: C1 }).receive(whole);
  assert.deepEqual(page.act("confirm").sent, [{ type: "step", at: 4, steps: "a1 1C", warn: false }]);
});
