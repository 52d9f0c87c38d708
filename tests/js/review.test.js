import assert from "node:assert/strict";
import { test } from "node:test";

import { nodeAt } from "../../src/pentad/web/static/analyse/graph.js";
import { countText, turningPoint } from "../../src/pentad/web/static/analyse/review.js";
import { Tree } from "../../src/pentad/web/static/analyse/tree.js";
import { CHANCES } from "../../src/pentad/web/static/analyse/values.js";
import * as kept from "../../src/pentad/web/static/puzzles/kept.js";
import { mistakesOf } from "../../src/pentad/web/static/puzzles/mistakes.js";
import * as learning from "../../src/pentad/web/static/review/learning.js";
import { keyOf } from "../../src/pentad/web/static/review/link.js";

const node = (id, more = {}) => ({
  id, parent: id ? id - 1 : null, move: id ? `m${id}` : "", notation: "", words: "", seat: id ? (id - 1) % 2 : null, position: `position ${id}`,
  colours: [], comment: "", clock: null, value: null, exact: false, mark: "", shapes: [], missed: "", best: "", values: null, proved: false, ...more,
});
const tree = (...nodes) => new Tree({
  game: "pente", title: "Pente", start: "the start", fresh: "pente", colours: ["white", "black"], tags: {}, result: "1-0", reason: "five", status: "White wins.",
  formats: [], solved: false, count: 1, trouble: "", nodes, main: nodes.map(({ id }) => id),
});
const error = (mark, loss, sentence, better = ["b"]) => ({ mark, loss, sentence, better, missed: sentence });

// ── the review ──

test("the move that decided a game is the worst of a player who did not win", () => {
  const nodes = [node(0), node(1, error("??", 0.9, "one")), node(2, error("?", 0.1, "two")), node(3), node(4, error("??", 0.4, "four")), node(5, { chances: [1, 0] })];
  assert.equal(turningPoint(nodes).sentence, "four");
  nodes[5].chances = [0.5, 0.5];
  assert.equal(turningPoint(nodes).sentence, "one"); // a draw is nobody's
  assert.equal(turningPoint([node(0), node(1, { chances: [1, 0] })]), null);
  const same = [node(0), node(1), node(2, error("??", 0.4, "two")), node(3), node(4, error("??", 0.4, "four")), node(5, { chances: [1, 0] })];
  assert.equal(turningPoint(same).sentence, "four"); // the later one was the last chance
});

test("marks are counted in words", () => {
  assert.equal(countText([node(1, { mark: "??" }), node(2, { mark: "?!" }), node(3, { mark: "??" })]), "1 inaccuracy, 2 blunders.");
  assert.equal(countText([node(1)]), "");
});

test("a press near a marked move is for it", () => {
  const marked = Array.from({ length: 61 }, (_, ply) => ply === 30);
  assert.equal(nodeAt(0.5, 350, marked), 30);
  assert.equal(nodeAt(0.53, 350, marked), 30); // two moves beside it
  assert.equal(nodeAt(0.7, 350, marked), 42);
  assert.equal(nodeAt(0, 350, marked), 0);
  assert.equal(nodeAt(1, 350, marked), 60);
  assert.equal(nodeAt(0.5, 350, [false]), 0);
});

test("the graph shows chances, and nothing where there are none", () => {
  const game = tree(node(0, { chances: [0.75, 0.25] }), node(1));
  assert.deepEqual(CHANCES.levels(game, game.root), [0.5]);
  assert.equal(CHANCES.text(game, game.root), "white 75%");
  assert.equal(CHANCES.levels(game, game.at(1)), null);
});

test("a game has one key, whoever looks at it", () => {
  assert.equal(keyOf("?room=a&seat=1"), keyOf("?room=a"));
  assert.equal(keyOf("?game=pente&moves=K10&learn="), keyOf("?game=pente&moves=K10"));
  assert.notEqual(keyOf("?room=a"), keyOf("?room=b"));
});

// ── learning ──

const game = tree(node(0), node(1, error("??", 0.9, "one", ["b1", "c"])), node(2, error("?", 0.1, "two")), node(3, error("?!", 0.05, "three", [])), node(4), node(5, error("?!", 0.06, "five")));

test("the mistakes of a seat are those that a better move is known for", () => {
  assert.deepEqual(mistakesOf(game, 0), [
    { position: "position 0", colour: "white", ply: 1, played: "m1", text: "m1??", mark: "??", best: "b1" },
    { position: "position 4", colour: "white", ply: 5, played: "m5", text: "m5?!", mark: "?!", best: "b" },
  ]);
  assert.deepEqual(mistakesOf(game, 1).map(({ ply }) => ply), [2]);
});

test("each mistake has the first of its results", () => {
  const four = [1, 2, 3, 4].map((ply) => ({ ...mistakesOf(game, 0)[0], ply }));
  let state = learning.begin(four);
  assert.equal(learning.current(state).ply, 1);
  state = learning.next(learning.solved(state));
  state = learning.next(learning.solved(learning.missed(learning.missed(state, "wrong"), "hint")));
  state = learning.next(learning.solved(learning.missed(state, "solution")));
  assert.equal(learning.current(state).ply, 4);
  assert.equal(state.isHelped, false); // help with one says nothing about the next
  state = learning.next(state);
  assert.equal(learning.isOver(state), true);
  assert.equal(learning.current(state), null);
  assert.deepEqual(state.results, ["found", "helped", "shown", "skipped"]);
  assert.equal(learning.summary(state), "1 found at once, 1 found after another try, 1 answer shown, 1 skipped.");
  assert.equal(learning.next(state), state);
  assert.equal(learning.solved(state), state);
});

// ── kept puzzles ──

const DAY = 86_400_000;
const NOW = 1_000_000 * DAY;
const OF = { game: "pente", title: "Pente", link: "/review?room=a", date: "2026-02-28" };
const some = () => kept.withMistakes([], mistakesOf(game, 0), OF, NOW);

test("mistakes are kept once, and are due at once", () => {
  const puzzles = some();
  assert.deepEqual(puzzles.map(({ number, due, stage }) => [number, due, stage]), [[1, NOW, 0], [2, NOW, 0]]);
  assert.deepEqual(kept.withMistakes(puzzles, mistakesOf(game, 0), OF, NOW + DAY), puzzles);
  const third = kept.withMistakes(kept.without(puzzles, 1), mistakesOf(game, 1), OF, NOW);
  assert.deepEqual(third.map(({ number }) => number), [2, 3]); // numbers in links are not used again while a later one is there
});

test("a solved puzzle is due again after 1, 3, 7 and 21 days, and then it is learned", () => {
  let puzzles = some();
  let now = NOW;
  for (const days of [1, 3, 7, 21]) {
    puzzles = kept.answered(puzzles, 1, true, now);
    assert.equal(puzzles[0].due, now + days * DAY);
    assert.deepEqual(kept.answered(puzzles, 1, true, now + 1), puzzles); // too early to count
    assert.equal(kept.daysUntil(puzzles[0].due, now + 1), days);
    now = puzzles[0].due;
  }
  puzzles = kept.answered(puzzles, 1, true, now);
  assert.equal(puzzles[0].due, null);
  assert.deepEqual(kept.counts(puzzles, now), { due: 1, later: 0, learned: 1 });
  assert.deepEqual(kept.inOrder(puzzles).map(({ number }) => number), [2, 1]);
  puzzles = kept.answered(puzzles, 1, false, now); // a mistake begins it anew
  assert.deepEqual([puzzles[0].stage, puzzles[0].due], [0, now + DAY]);
  assert.equal(puzzles[1].due, NOW);
});

test("of too many puzzles the learned and then the oldest are dropped", () => {
  const mistakes = Array.from({ length: kept.MOST + 1 }, (_, i) => ({ ...mistakesOf(game, 0)[0], position: `p${i}` }));
  const puzzles = kept.withMistakes([], mistakes, OF, NOW);
  assert.equal(puzzles.length, kept.MOST);
  assert.equal(puzzles[0].number, 2);
  const learned = puzzles.map((each) => (each.number === 50 ? { ...each, due: null } : each));
  const next = kept.withMistakes(learned, [{ ...mistakes[0], position: "another" }], OF, NOW);
  assert.deepEqual([next.length, next[0].number, next.some(({ number }) => number === 50)], [kept.MOST, 2, false]);
});

test("what is stored is read back, and anything else is refused in one line", () => {
  const puzzles = some();
  assert.deepEqual(kept.read(JSON.stringify(puzzles)), { puzzles, trouble: "" });
  assert.deepEqual(kept.read(null), { puzzles: [], trouble: "" });
  const [first, second] = puzzles;
  const wrong = [
    "{", "7", "null", "{}", "[1]", "[null]", '"x"', "[[]]",
    ...[{ link: "javascript:alert(1)" }, { link: "https://elsewhere" }, { date: "yesterday" }, { due: "soon" }, { stage: -1 }, { number: 1.5 }, { position: 5 }, { best: undefined }]
      .map((fault) => JSON.stringify([{ ...first, ...fault }])),
    JSON.stringify([first, { ...second, number: 1 }]),
    JSON.stringify([first]).padEnd(2_000_000),
  ];
  for (const text of wrong) {
    const { puzzles: none, trouble } = kept.read(text);
    assert.deepEqual(none, [], text.slice(0, 80));
    assert.match(trouble, /^The puzzles from your games [^.\n]+\. Remove them to start anew\.$/);
  }
});

test("a browser that stores nothing keeps nothing", () => {
  assert.deepEqual(kept.load(), { puzzles: [], trouble: "" });
  assert.equal(kept.update(() => some()), "This browser has no room for the puzzles from your games.");
});
