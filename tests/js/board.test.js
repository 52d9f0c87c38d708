import assert from "node:assert/strict";
import { test } from "node:test";

import { complete, continuing, firstChoice, fits } from "../../src/pentad/web/static/board/choices.js";
import { showOptimistically } from "../../src/pentad/web/static/board/optimistic.js";
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
  const subBoard = { style: {}, getBBox: () => ({ x: 0, y: 0, width: 30, height: 30 }), querySelectorAll: () => [ball] };
  const part = { querySelectorAll: () => [subBoard] };
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
