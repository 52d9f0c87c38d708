import assert from "node:assert/strict";
import { test } from "node:test";

import { complete, continuing, firstChoice, fits } from "../../src/pentad/web/static/board/choices.js";
import { showOptimistically } from "../../src/pentad/web/static/board/optimistic.js";
import { enlargement, lensAt } from "../../src/pentad/web/static/board/loupe.js";
import { Angle, chosenTurn, limited } from "../../src/pentad/web/static/board/turning.js";
import { centre, relative, touchOf } from "../../src/pentad/web/static/board/geometry.js";

const choice = (...targets) => ({ step: targets.join("-"), targets, label: "" });
const CHOICES = [choice("a", "b"), choice("a", "c"), choice("d")];

test("touches begin and complete choices in order", () => {
  assert.deepEqual(continuing(CHOICES, ["a"]), CHOICES.slice(0, 2));
  assert.deepEqual(continuing(CHOICES, ["d"]), []);
  assert.deepEqual(complete(CHOICES, ["a", "c"]), [CHOICES[1]]);
  assert.deepEqual(complete(CHOICES, ["c", "a"]), []);
  assert.ok(fits(CHOICES, []));
  assert.ok(!fits(CHOICES, ["b"]));
});

test("premoves give the first choice that they determine, and keep the rest", () => {
  assert.deepEqual(firstChoice(CHOICES, ["d", "a"]), { choice: CHOICES[2], rest: ["a"] });
  assert.deepEqual(firstChoice(CHOICES, ["a", "b", "x"]), { choice: CHOICES[0], rest: ["x"] });
  assert.deepEqual(firstChoice(CHOICES, ["b", "a"]), { choice: null, rest: [] });
});

test("a longer choice is preferred to the one that it continues", () => {
  const both = [choice("a"), choice("a", "b")];
  assert.deepEqual(firstChoice(both, ["a", "b"]), { choice: both[1], rest: [] });
  assert.deepEqual(firstChoice(both, ["a", "c"]), { choice: both[0], rest: ["c"] });
});

// An element of the screen, with its touch area.
const box = (left, top, width, height, touch = null) => ({
  getBoundingClientRect: () => ({ left, top, width, height }),
  querySelector: () => touch,
});

// The browser's, which node lacks.
class Point {
  constructor(x, y) {
    Object.assign(this, { x, y });
  }

  matrixTransform({ a, d, e, f }) {
    return new Point(a * this.x + e, d * this.y + f);
  }
}
globalThis.DOMPoint = Point;

test("a centre has the shorter side as its size", () => {
  assert.deepEqual(centre(box(10, 20, 40, 60)), { x: 30, y: 50, size: 40 });
  assert.deepEqual(centre(box(10, 20, 40, 60), { a: 2, b: 0, d: 2, e: 1, f: 0 }), { x: 61, y: 100, size: 80 });
});

test("a target's position is that of its touch area, from 0 to 1", () => {
  const touch = box(50, 25, 100, 50);
  assert.equal(touchOf(box(0, 0, 1, 1, touch)), touch);
  assert.deepEqual(relative(box(0, 0, 1, 1, touch), box(0, 0, 200, 100)), { x: 0.5, y: 0.5 });
});

test("an arrow turns its sub-board at once, and its marbles stay upright", () => {
  globalThis.matchMedia = () => ({ matches: true }); // no animations
  const ball = { style: {} };
  const subBoard = { style: { rotate: "30deg" }, getBBox: () => ({ x: 0, y: 0, width: 30, height: 30 }), querySelectorAll: (selector) => (selector === ".ball" ? [ball] : []) };
  const part = { querySelector: () => subBoard, closest: () => null };
  const arrow = { dataset: { turns: "A" }, closest: (selector) => (selector === ".part" ? part : arrow) };
  const undo = showOptimistically({}, [arrow], null);
  assert.deepEqual([subBoard.style.rotate, ball.style.rotate], ["-90deg", "90deg"]);
  assert.equal(subBoard.style.transformOrigin, "15px 15px");
  for (const each of undo) each();
  assert.deepEqual([subBoard.style.rotate, ball.style.rotate], ["", ""]);
});

test("a move without a piece and without a marble to place is not drawn", () => {
  const svg = { querySelector: () => null };
  const target = { closest: () => null };
  assert.deepEqual(showOptimistically(svg, [target], null), []);
  assert.deepEqual(showOptimistically(svg, [], null), []);
});

// ── turns by a drag, the loupe ──

const TURNS = [{ name: "1A", degrees: -90 }, { name: "1C", degrees: 90 }];

test("the angle of a pointer is followed around the centre, across the back", () => {
  const angle = new Angle({ x: 0, y: 0 }, 5, { x: -100, y: -1 });
  angle.follow({ x: -100, y: 1 }); // from −179° to 179°, not all around
  assert.ok(Math.abs(angle.degrees) < 3);
  angle.follow({ x: 0, y: 100 });
  angle.follow({ x: 100, y: 0 });
  assert.ok(Math.abs(angle.degrees + 180) < 3);
});

test("near the centre a pointer has no direction", () => {
  const angle = new Angle({ x: 0, y: 0 }, 5, { x: 1, y: 1 });
  assert.equal(angle.follow({ x: -3, y: 2 }), 0);
  angle.follow({ x: 0, y: -50 });
  angle.follow({ x: 2, y: 2 });
  assert.equal(Math.round(angle.follow({ x: 50, y: 0 })), 90);
});

test("a drag of forty degrees chooses a turn that is possible", () => {
  assert.equal(chosenTurn(39, TURNS), null);
  assert.equal(chosenTurn(41, TURNS)?.name, "1C");
  assert.equal(chosenTurn(-120, TURNS)?.name, "1A");
  assert.equal(chosenTurn(-120, TURNS.slice(1)), null);
});

test("the picture turns no further than the turns", () => {
  assert.deepEqual([-300, -20, 30, 200].map((angle) => limited(angle, TURNS)), [-90, -20, 30, 90]);
  assert.equal(limited(-20, TURNS.slice(1)), 0);
});

test("small points are enlarged more", () => {
  assert.equal(enlargement(100), 1.8);
  assert.equal(enlargement(23), 2);
  assert.equal(enlargement(2), 3);
});

test("the lens is above the finger, within the window, and beside it at the top", () => {
  assert.deepEqual(lensAt({ x: 200, y: 400 }, 390), { x: 200, y: 306 });
  assert.equal(lensAt({ x: 5, y: 400 }, 390).x, 66);
  assert.equal(lensAt({ x: 388, y: 400 }, 390).x, 324);
  const [left, right] = [lensAt({ x: 100, y: 40 }, 390), lensAt({ x: 300, y: 40 }, 390)];
  assert.ok(left.x - 60 > 100);
  assert.ok(right.x + 60 < 300);
});
