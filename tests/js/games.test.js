import assert from "node:assert/strict";
import { test } from "node:test";

import { countText, dateOf, detailsOf, endOf, headingOf, isAwaited, isToJoin, leftOf, resultOf, titleOf } from "../../src/pentad/web/static/games/rows.js";

const game = (more = {}) => ({
  room: "abc",
  page: "/play/abc",
  game: "pente",
  title: "Pente",
  options: "",
  time: null,
  seats: ["Ada", "Bob"],
  colours: ["black", "white"],
  bots: [],
  yours: [0],
  moves: 3,
  result: null,
  touched: 0,
  waits: false,
  turn: 0,
  left: null,
  standing: null,
  end: null,
  cursor: null,
  ...more,
});
const NOW = new Date(2026, 10, 24, 17, 30);
const at = (...parts) => new Date(...parts).getTime() / 1000;

test("a row names the game and the opponents", () => {
  const titled = (more) => titleOf(game(more)).join(" ");
  assert.equal(titled(), "Pente against Bob");
  assert.equal(titled({ yours: [1] }), "Pente against Ada");
  assert.equal(titled({ seats: ["Ada", "Computer (hard)"], bots: [1] }), "Pente against Computer (hard)");
  assert.equal(titled({ seats: ["Ada", "human"] }), "Pente against another player");
  const over = (standing) => titled({ seats: ["Ada", "Computer (medium)"], bots: [1], standing });
  assert.deepEqual(["won", "lost", "draw"].map(over), [
    "Pente: you beat Computer (medium)",
    "Pente: you lost to Computer (medium)",
    "Pente: you drew with Computer (medium)",
  ]);
  assert.equal(titled({ seats: ["Ada", "engine@3"] }), "Pente against engine@3"); // a person of this name
  assert.equal(titled({ yours: [0, 1] }), "Pente on one screen");
  assert.equal(titled({ seats: ["Ada", ""] }), "Pente waiting for an opponent");
  assert.equal(titled({ seats: ["Ada", "Bob", "Cleo", "One move ahead"], bots: [3] }), "Pente against Bob, Cleo and One move ahead");
  assert.equal(titled({ seats: ["Ada", "Bob", ""] }), "Pente against Bob, waiting for players");
  assert.equal(titled({ seats: ["Ada", ""], yours: [] }), "Pente against Ada");
  assert.equal(titled({ seats: ["", ""], yours: [] }), "Pente with open seats");
});

test("a result is that of the player, or the score", () => {
  assert.equal(resultOf(game({ standing: "won", result: "1-0" })), "Won");
  assert.equal(resultOf(game({ standing: "lost", result: "0-1" })), "Lost");
  assert.equal(resultOf(game({ standing: "draw", result: "1/2-1/2" })), "Draw");
  assert.equal(resultOf(game({ result: "1-0" })), "1–0");
  assert.equal(resultOf(game()), "");
});

test("it is the player's turn only where others are there", () => {
  assert.equal(isAwaited(game()), true);
  assert.equal(isAwaited(game({ turn: 1 })), false);
  assert.equal(isAwaited(game({ turn: null })), false);
  assert.equal(isAwaited(game({ yours: [0, 1] })), false);
  assert.equal(isAwaited(game({ seats: ["Ada", ""] })), false);
});

test("dates are written as people say them", () => {
  assert.equal(dateOf(at(2026, 10, 24, 9, 5), NOW), "today, 09:05");
  assert.equal(dateOf(at(2026, 10, 23, 23, 59), NOW), "yesterday, 23:59");
  assert.equal(dateOf(at(2026, 10, 22, 23, 59), NOW), "22 November");
  assert.equal(dateOf(at(2025, 10, 24, 9, 5), NOW), "24 November 2025");
  assert.equal(dateOf(at(2026, 11, 31), new Date(2027, 0, 1)), "yesterday, 00:00");
});

test("finished games are under their day or their month", () => {
  assert.equal(headingOf(at(2026, 10, 24, 0, 1), NOW), "Today");
  assert.equal(headingOf(at(2026, 10, 23, 23), NOW), "Yesterday");
  assert.equal(headingOf(at(2026, 10, 22, 23), NOW), "November 2026");
  assert.equal(headingOf(at(2025, 10, 30, 23), NOW), "November 2025");
});

test("details are in one line", () => {
  const one = game({ moves: 1, options: "rules=keryo tournament_rule=false", time: { main: 300, increment: 3 }, left: 61, touched: at(2026, 10, 3) });
  assert.deepEqual(detailsOf(one, NOW), ["1:01 left", "1 move", "rules: keryo", "tournament rule: false", "5 min + 3 s", "3 November"]);
  assert.equal(leftOf(game({ left: 3 * 86400 })), "3 days left");
  assert.equal(leftOf(game({ left: 3 * 86400, turn: 1 })), "opponent has 3 days left");
  assert.equal(detailsOf(game({ moves: 0 }), NOW)[0], "no moves");
});

test("a finished game says which side the player had, and who resigned or lost on time", () => {
  const ended = (kind, seat, more) => endOf(game({ result: "1-0", end: { kind, seats: seat === null ? [] : [seat], words: "" }, ...more }));
  assert.equal(ended("time", 0), "You, Black, lost on time");
  assert.equal(ended("time", 1), "Bob, White, lost on time");
  assert.equal(ended("resigned", 1, { seats: ["Ada", "human"] }), "Another player, White, resigned");
  assert.equal(ended("resigned", 1, { yours: [0, 1] }), "White resigned");
  assert.equal(ended("resigned", 1, { yours: [] }), "Bob, White, resigned");
  assert.equal(ended("agreed", null), "You played Black · Draw by agreement");
  assert.equal(ended("agreed", null, { yours: [0, 1] }), "Draw by agreement");
  assert.equal(endOf(game({ result: "1-0" })), "You played Black");
  assert.equal(endOf(game({ result: "1-0", yours: [0, 1] })), "");
  assert.equal(endOf(game()), "");
});

test("a finished game says what decided on its board", () => {
  const ended = (seats, words, more) => endOf(game({ result: "1-0", end: { kind: "board", seats, words }, ...more }));
  assert.equal(ended([0], "with five in a row"), "You, Black, won with five in a row");
  assert.equal(ended([1], "by captures"), "Bob, White, won by captures");
  assert.equal(ended([1], "by captures", { yours: [0, 1] }), "White won by captures");
  assert.equal(ended([], "the board is full"), "You played Black · Draw: the board is full");
});

test("the number of games is a sentence where there are none", () => {
  assert.deepEqual([1, 12].map((count) => countText(count, true)), ["1 game", "12 games"]);
  assert.deepEqual([true, false].map((isSearch) => countText(0, isSearch)), ["No games match.", "No games yet."]);
});

test("open games of others are found, too", () => {
  const open = game({ yours: [], seats: ["Zoë B.", ""] });
  const search = { opponent: "", game: "", result: "all" };
  assert.equal(isToJoin(open, search), true);
  assert.equal(isToJoin(open, { ...search, opponent: " ZOË", game: "pente" }), true);
  assert.equal(isToJoin(open, { ...search, opponent: "Ada" }), false);
  assert.equal(isToJoin(open, { ...search, game: "pentago" }), false);
  assert.equal(isToJoin(open, { ...search, result: "running" }), false);
  assert.equal(isToJoin(game({ seats: ["Ada", ""] }), search), false); // one's own
});
