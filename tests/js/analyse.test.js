import assert from "node:assert/strict";
import { test } from "node:test";

import { LruCache } from "../../src/pentad/web/static/lru.js";
import { decodedText } from "../../src/pentad/web/static/analyse/files.js";
import { linesOf } from "../../src/pentad/web/static/analyse/findings.js";
import { address, addressRequest, editLink, studyLink } from "../../src/pentad/web/static/analyse/link.js";
import { bestMarks, exactMarks, short } from "../../src/pentad/web/static/analyse/marks.js";
import { afterReading, gamesOf, namesOf, partsOf, readParts, sourceOf } from "../../src/pentad/web/static/analyse/games.js";
import { GameIndex, merged } from "../../src/pentad/web/static/analyse/openings.js";
import { StudyState } from "../../src/pentad/web/static/analyse/state.js";
import { Tree } from "../../src/pentad/web/static/analyse/tree.js";
import { exactText, formatValue, meaning, valueText } from "../../src/pentad/web/static/analyse/values.js";

const node = (id, parent, move, more = {}) => ({
  id,
  parent,
  move,
  words: "",
  seat: id ? (id - 1) % 2 : null,
  position: `position ${id}`,
  colours: [],
  comment: "",
  clock: null,
  value: null,
  exact: false,
  ...more,
});

// a → b → c, and a → d
const data = (more = {}) => ({
  game: "pente",
  title: "Pente",
  start: "the start",
  fresh: "pente",
  colours: ["black", "white"],
  tags: {},
  result: "1-0",
  reason: "five",
  formats: [],
  solved: false,
  nodes: [node(0, null, ""), node(1, 0, "a"), node(2, 1, "b"), node(3, 2, "c"), node(4, 1, "d")],
  main: [0, 1, 2, 3],
  count: 1,
  trouble: "",
  ...more,
});
const moves = (nodes) => nodes.map((each) => each.move).join("");

test("a tree has lines through every node", () => {
  const tree = new Tree(data());
  assert.equal(moves(tree.line(0)), "abc");
  assert.equal(moves(tree.line(4)), "ad");
  assert.equal(moves(tree.ordered()), "abcd");
  assert.deepEqual(tree.moves(3), ["a", "b", "c"]);
  assert.equal(tree.find(["a", "d"])?.id, 4);
  assert.equal(tree.find(["d"]), null);
  assert.ok(tree.isMain(3) && !tree.isMain(4));
});

test("a move is added once, and a promoted one is the main line", () => {
  const tree = new Tree(data());
  const played = { move: "d", words: "", seat: 1, position: "", colours: [] };
  assert.deepEqual(tree.add(1, played).map((each) => each.id ?? each), [4, false]);
  assert.deepEqual(tree.add(1, { ...played, move: "e" }).map((each) => each.id ?? each), [5, true]);
  tree.promote(5);
  assert.equal(moves(tree.line(0)), "ae");
});

test("a removed line comes back in its place, unless it was played again", () => {
  const tree = new Tree(data());
  assert.equal(tree.remove(2).id, 1);
  assert.equal(moves(tree.ordered()), "ad");
  assert.ok(!tree.restore(4));
  assert.ok(tree.restore(3));
  assert.equal(moves(tree.ordered()), "abcd");
  tree.remove(2);
  tree.add(1, { move: "b", words: "", seat: 1, position: "", colours: [] });
  assert.ok(!tree.restore(2));
  assert.throws(() => tree.remove(0), /start of a game/);
});

test("a tree survives the browser's storage", () => {
  const tree = new Tree(data());
  tree.current = 4;
  tree.remove(3);
  const again = new Tree(JSON.parse(JSON.stringify(tree.plain)));
  assert.deepEqual([again.key, again.current, again.next, again.end], [tree.key, 4, 5, 3]);
  assert.equal(moves(again.ordered()), "abd");
});

test("a written game has the result only where its main line still ends there", () => {
  const tree = new Tree(data());
  tree.at(2).missed = "Missed a win.";
  tree.at(2).best = "x";
  const request = tree.toRequest("pentad");
  assert.deepEqual([request.result, request.reason], ["1-0", "five"]);
  assert.deepEqual(request.nodes?.map((each) => each.parent), [0, 1, 2, 1]);
  assert.equal(request.nodes?.[1].comment, "Missed a win. Better: x");
  assert.equal(tree.toRequest("pentad", tree.line(4)).result, "*");
  tree.promote(4);
  assert.equal(tree.toRequest("pentad").result, "*");
});

test("a record's value is for the mover, and the tree's for every seat", () => {
  const tree = new Tree(data({ nodes: [node(0, null, ""), node(1, 0, "a"), node(2, 1, "b", { value: 0.5, exact: true })], main: [0, 1, 2] }));
  assert.deepEqual([tree.at(2).values, tree.at(2).proved], [[-0.5, 0.5], true]);
  assert.equal(tree.toRequest("pentad").nodes?.[1].value, 0.5);
});

test("an address holds the moves, or the position if they are too long", () => {
  const tree = new Tree(data());
  assert.equal(address(tree), "/analyse?game=pente");
  tree.current = 4;
  assert.equal(address(tree), "/analyse?game=pente&moves=a_d");
  tree.fresh = "";
  assert.equal(address(tree), "/analyse?start=the+start&moves=a_d");
  tree.at(4).move = "d".repeat(6000);
  assert.equal(address(tree), "/analyse?start=position+4");
});

test("the ways from a node", () => {
  const state = new StudyState();
  assert.ok(state.isEmpty);
  assert.throws(() => state.tree, /no game/);
  state.open(new Tree(data()), 4);
  assert.deepEqual(state.ways, { first: 0, back: 1, forward: 4, last: 4, above: 2, below: 4 });
  assert.equal(state.go(1), false);
  assert.equal(state.go(2), true);
  assert.equal(state.ways.last, 3);
});

// ── values ──

test("values have the sign of the first colour", () => {
  const tree = new Tree(data());
  assert.equal(formatValue(0.5), "+0.50");
  assert.equal(formatValue(-0.5), "−0.50");
  assert.equal(formatValue(-0.001), "0.00");
  assert.equal(valueText(tree, tree.root, [0.25, -0.25]), "black +0.25");
  assert.equal(meaning(tree), "+ is good for Black, − for White.");
  assert.equal(exactText(tree, tree.root, 0, 1), "black wins");
  assert.equal(exactText(tree, tree.root, 0, -1), "white wins");
  const swapped = { ...tree.root, colours: ["white", "black"] };
  assert.equal(valueText(tree, swapped, [0.25, -0.25]), "black −0.25");
});

const report = (more = {}) => ({ type: "report", depth: 3, nodes: 10, seconds: 0, exact: false, lines: [{ moves: ["a"], value: 0.4, values: [0.4, -0.4], words: "", claim: "" }], ...more });
const won = { moves: ["a"], value: 1, values: [1, -1], words: "", claim: "" };
const known = (more = {}) => {
  const tree = new Tree(data());
  return { tree, node: tree.root, mover: 0, over: false, report: null, search: { kind: "done" }, solution: { kind: "none" }, ...more };
};
const solved = { kind: "values", answer: { values: [-1, 1], moves: [], unknown: 0, summary: "Every move loses." } };
const unsolved = { kind: "unsolved", error: "The exact value of this board is not known here." };

test("the lines of the engine panel by what is known", () => {
  const thinking = { search: { kind: "thinking", reason: "" } };
  const exact = report({ exact: true, lines: [{ ...won, claim: "wins in 3 moves" }] });
  for (const [state, lines] of [
    [{ over: true }, ["", "The game is over."]],
    [thinking, ["", "Thinking…"]],
    [{}, ["", "No result within the time limit."]],
    [{ report: report() }, ["", "Depth 3 · 10 nodes · estimate"]],
    [{ report: report(), solution: unsolved }, [unsolved.error, "Depth 3 · 10 nodes · estimate"]],
    [{ report: exact }, ["Exact value: Black wins in 3 moves.", "Depth 3 · 10 nodes"]],
    [{ report: exact, solution: unsolved }, ["Exact value: Black wins in 3 moves. The values of the other moves are not known.", "Depth 3 · 10 nodes"]],
    [{ report: report({ exact: true, lines: [won] }) }, ["Exact value: Black wins. The length of the win is not known.", "Depth 3 · 10 nodes"]],
    [{ report: report({ exact: true, lines: [won] }), ...thinking }, ["Exact value: Black wins.", "Depth 3 · 10 nodes"]],
    [{ solution: solved, ...thinking }, ["Exact value: White wins. Every move loses.", ""]],
    [{ solution: { ...solved, answer: { ...solved.answer, values: [0, 0], summary: "All 12 moves draw." } } }, ["Exact value: a draw. All 12 moves draw.", ""]],
    [{ solution: { kind: "solving", place: 0 }, ...thinking }, ["Computing exact values of all moves…", "Thinking…"]],
    [{ solution: { kind: "solving", place: 2 }, ...thinking }, ["Exact values: waiting. Place in the queue: 2.", "Thinking…"]],
    [{ solution: { kind: "solving", place: 0 }, search: { kind: "failed", error: "Too many requests." } }, ["", "Too many requests."]],
    [{ search: { kind: "queued", place: 4 } }, ["", "Waiting for an engine. Place in the queue: 4."]],
  ]) {
    const { exact: about, engine } = linesOf(known(state));
    assert.deepEqual([about, engine], lines);
  }
});

test("an exact value never stands beside a line that denies it", () => {
  const proved = known().tree;
  proved.root.values = [1, -1];
  proved.root.proved = true;
  const searches = [{ kind: "thinking", reason: "" }, { kind: "queued", place: 1 }, { kind: "lost", isLocal: false }, { kind: "failed", error: "Failed." }, { kind: "done" }];
  for (const search of searches) {
    for (const solution of [{ kind: "none" }, { kind: "solving", place: 0 }, unsolved, solved]) {
      for (const found of [null, report(), report({ exact: true, lines: [won] })]) {
        for (const tree of [known().tree, proved]) {
          const isProved = tree === proved || Boolean(found?.exact) || solution === solved;
          const { exact, engine } = linesOf(known({ tree, node: tree.root, report: found, search, solution }));
          assert.equal(exact.startsWith("Exact value: "), isProved);
          assert.ok(!(isProved && (exact.includes(unsolved.error) || engine.endsWith("estimate"))), `${exact} ${engine}`);
        }
      }
    }
  }
});

test("marks show the best value through each next target", () => {
  const step = (name) => ({ step: name, targets: [name], label: "" });
  const all = [
    { move: "", steps: [step("a"), step("x")], value: -1 },
    { move: "", steps: [step("a"), step("y")], value: 1 },
    { move: "", steps: [step("b")], value: 0 },
  ];
  assert.deepEqual(exactMarks(all, ""), [{ target: "a", kind: "win" }, { target: "b", kind: "draw" }]);
  assert.deepEqual(exactMarks(all, "a"), [{ target: "x", kind: "loss" }, { target: "y", kind: "win" }]);
  assert.deepEqual(exactMarks(all, "c"), []);
});

test("the best move is marked step by step", () => {
  const choices = [{ step: "a1", targets: ["a1"], label: "" }, { step: "a1 b", targets: ["p", "q"], label: "" }];
  assert.deepEqual(bestMarks("a1 1C", "", choices), [{ target: "a1", kind: "best" }]);
  assert.deepEqual(bestMarks("a1 b c", "", choices), [{ target: "p", kind: "best" }, { target: "p", to: "q", kind: "arrow" }]);
  assert.deepEqual(bestMarks("a1 1C", "b2", choices), []);
});

test("a line is cut where it does not fit, after two moves at least", () => {
  assert.equal(short(Array(20).fill("abcdefgh")).length, 6);
  assert.deepEqual(short(["x".repeat(99), "y".repeat(99), "z"]), ["x".repeat(99), "y".repeat(99)]);
});

test("a cache drops the entry used longest ago", () => {
  const recent = new LruCache(2);
  recent.set("a", 1);
  recent.set("b", 2);
  assert.equal(recent.get("a"), 1);
  recent.set("c", 3);
  assert.deepEqual(["a", "b", "c"].map((key) => recent.get(key)), [1, undefined, 3]);
});

test("files are read in the encodings that programs write", () => {
  const bytes = (...all) => new Uint8Array(all).buffer;
  assert.equal(decodedText(bytes(0xc3, 0xa9)), "é");
  assert.equal(decodedText(bytes(0xe9)), "é");
  assert.equal(decodedText(bytes(0xff, 0xfe, 0xe9, 0)), "é");
  assert.equal(decodedText(bytes(0xfe, 0xff, 0, 0xe9)), "é");
  assert.equal(decodedText(bytes()), "");
});

// ── the opening tree ──

const joined = (parts) => parts.map((part) => part.text).join("");

// Whether the number of lines before each part is right.
function areCounted(parts) {
  for (const part of parts) assert.equal(part.lines, joined(parts.slice(0, parts.indexOf(part))).split("\n").length - 1);
}

test("a long file is sent in parts of whole games, each with the number of lines before it", () => {
  const game = `[Game "pente"]\n[Result "*"]\n\n${"1. K10 ".repeat(200)}*\n\n`;
  const text = game.repeat(10);
  const parts = partsOf(text);
  assert.equal(joined(parts), text);
  assert.equal(parts.length, 5);
  for (const part of parts) assert.ok(part.text.length <= 4000 && part.text.startsWith("[Game"));
  areCounted(parts);
  assert.deepEqual(partsOf("short"), [{ text: "short", lines: 0 }]);
  assert.throws(() => partsOf(`{"pentad": 1, ${" ".repeat(64_000)}}`), /longer than 64,000 characters/);
});

test("games begin with tags or with their first move, but not in comments", () => {
  const games = [
    '[Game "pente"]\n[Result "*"]\n\n{ a comment:\n1-0\n\n[Event "no game"]\n1. no game } 1. K10 L11\n2. K9 *\n\n',
    '[Game "pente"]\n1. K10\n',
    '[Game "pente"]\n\n[Result "*"]\n\n1. K10 1-0 2. K9 *\n', // a blank line between tags, a result within a line
    "1. K10 L11 1-0\n",
    "1) K10 L11 1/2-1/2\n\n",
    "1. K10 L11 *\nK10 L12 *\n", // no number: it is found when the game before it is read
  ];
  const found = gamesOf(games.join(""));
  assert.deepEqual(found.map((each) => each.text), games);
  areCounted(found);
  for (const text of ["(;GM[4]SZ[19])\n\n[a ", '{"pentad": 1}', "", "a2 1C"]) assert.deepEqual(gamesOf(text), [{ text, lines: 0 }]);
  assert.equal(gamesOf("1. K10 L11 *\n".repeat(5042)).length, 5042);
  assert.equal(gamesOf(`[Game "x"]\n${"{".repeat(60_000)}${"\n".repeat(60_000)}`).length, 1); // without long searches
});

test("what is not read at once is sent again", async () => {
  const sent = [];
  const answers = await readParts("1. a *\n1. b *\n", async (part) => {
    sent.push(part);
    return { read: 7 };
  });
  assert.equal(answers.length, 2);
  assert.deepEqual(sent, [{ text: "1. a *\n1. b *\n", lines: 0 }, { text: "1. b *\n", lines: 1 }]);
});

test("one of many games is opened, and others are found on the way", () => {
  const source = sourceOf("1. a *\r\nb *\r\nc *\r\n1. d *\r\n", "pente");
  assert.deepEqual(namesOf(source), ["1 of 2", "2 of 2"]);
  const first = afterReading(source, 0, { count: 2, read: 11 });
  assert.deepEqual(namesOf(first), ["1", "2", "3 and later", "4"]);
  assert.deepEqual(first.parts[first.places[2].part], { text: "c *\n", lines: 2 });
  const third = afterReading(first, 2, { count: 1, read: 4 });
  assert.deepEqual(namesOf(third), ["1 of 4", "2 of 4", "3 of 4", "4 of 4"]);
  assert.equal(third.at, 2);
  assert.equal(afterReading(third, 1, { count: 2, read: 11 }).places, third.places); // they are known
  const tree = new Tree(data({ source: third }));
  assert.equal(tree.plain.source, third);
  assert.equal("source" in new Tree(data({ source: sourceOf("1. K10 L11 *\n".repeat(5042), "pente") })).plain, false);
});

test("branches of several sources are one list, the most frequent first", () => {
  const ply = (name, result) => ({ key: "start", name, result });
  const index = new GameIndex([[ply("a", 1)], [ply("b", null)], [ply("b", -1)], [{ ...ply("c", 0), key: "other" }]]);
  const site = { name: "a", times: 3, wins: 0, draws: 1, losses: 2 };
  assert.deepEqual(merged([site, ...index.branches("start")]), [
    { name: "a", times: 4, wins: 1, draws: 1, losses: 2 },
    { name: "b", times: 2, wins: 0, draws: 0, losses: 1 },
  ]);
  assert.equal(site.times, 3);
  assert.deepEqual(index.branches("nowhere"), []);
});

test("the key of a study is in the fragment of the link to edit alone", () => {
  const link = editLink("a name", "k/e+y");
  assert.equal(link, "/analyse?study=a+name#key=k%2Fe%2By");
  const request = (path) => addressRequest(new URL(path, "http://pentad"));
  assert.equal(request(link).key, "k/e+y");
  assert.equal(request(link).study, "a name");
  assert.equal(request("/analyse?study=a&key=b").key, "");
  assert.equal(studyLink({ study: "a", number: 2 }), "/analyse?study=a&chapter=2");
  assert.equal(address(new Tree(data({ chapter: { study: "a", number: 2 } }))), "/analyse?study=a&chapter=2");
});
