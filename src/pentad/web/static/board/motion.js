// Animation from one drawing to the next: pieces move, sub-boards turn, captured stones fade out.
//
// A drawing names movable pieces in `data-piece`, marks a turned sub-board with `data-turned`, and draws the path of a
// piece with class `way`. Everything else follows from comparing the two drawings.

import { centre, make, toDrawing } from "./geometry.js";

const FLIGHT = 420;
const EASE = "cubic-bezier(0.45, 0.05, 0.2, 1)";
const STEPS = 32; // sample points of a path; enough to keep its corners

export const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// The positions of all movable pieces, and the stones on each target.
export function snapshot(svg) {
  const pieces = new Map();
  const stones = new Map();
  if (!svg) return { pieces, stones };
  const matrix = toDrawing(svg);
  for (const piece of svg.querySelectorAll(".ball[data-piece]")) pieces.set(piece.dataset.piece, centre(piece, matrix));
  for (const stone of svg.querySelectorAll("[data-target] > .ball:not([data-piece])")) {
    stones.set(stone.parentNode.dataset.target, stone);
  }
  return { pieces, stones };
}

// Starts the animations; returns the functions to call afterwards, in order.
export function begin(svg, before, targets, carried) {
  const undo = raise(svg, [...svg.querySelectorAll("[data-turned]")]);
  if (prefersReducedMotion()) return undo;
  svg.querySelectorAll(".sub-board").forEach(pinOrigin);
  const moved = movements(svg, before.pieces, carried);
  const glides = animateAlongPath(svg, moved);
  undo.unshift(...raise(svg, moved.map(({ element }) => element)));
  const longest = Math.max(0, ...glides.values());
  for (const { element, from, to } of moved.filter((each) => !glides.has(each.element))) {
    const size = from.size && to.size ? from.size / to.size : 1;
    fly(element, { x: from.x - to.x, y: from.y - to.y, size }, { x: 0, y: 0 }, longest && longest * 0.8);
  }
  undo.unshift(...fadeOut(svg, before.stones, targets));
  return undo;
}

function movements(svg, before, carried) {
  const matrix = toDrawing(svg);
  const found = [];
  for (const element of svg.querySelectorAll(".ball[data-piece]")) {
    const from = before.get(element.dataset.piece);
    const to = centre(element, matrix);
    if (!from || element.dataset.piece === carried || Math.hypot(from.x - to.x, from.y - to.y) < 3) continue;
    found.push({ element, from, to });
  }
  return found;
}

// Moves a piece along the drawn path; a piece that was swapped goes the path backwards.
function animateAlongPath(svg, moved) {
  const path = svg.querySelector("path.way");
  const glides = new Map();
  if (!path) return glides;
  const length = path.getTotalLength();
  const points = Array.from({ length: STEPS + 1 }, (_, i) => path.getPointAtLength((length * i) / STEPS));
  const near = (one, other) => Math.hypot(one.x - other.x, one.y - other.y) < 60;
  const duration = Math.min(1000, 260 + length * 0.8);
  for (const { element, from, to } of moved) {
    const there = near(from, points[0]) && near(to, points.at(-1));
    const back = near(to, points[0]) && near(from, points.at(-1));
    if (!there && !back) continue;
    const course = there ? points : points.toReversed();
    const shifts = course.map((point, i) => {
      const part = i / STEPS; // a stacked piece is slightly off the end of the path
      const [x, y] = ["x", "y"].map((axis) =>
        point[axis] + (from[axis] - course[0][axis]) * (1 - part) + (to[axis] - course.at(-1)[axis]) * part - to[axis]);
      return { transform: `translate(${x}px, ${y}px)` };
    });
    element.animate(shifts, { duration, easing: "ease-in-out", fill: "backwards" });
    glides.set(element, duration);
  }
  if (glides.size) {
    for (const line of svg.querySelectorAll("path.way, path.way-edge")) {
      line.animate(
        [{ strokeDasharray: 1, strokeDashoffset: 1 }, { strokeDasharray: 1, strokeDashoffset: 0 }],
        { duration, easing: "ease-in-out", fill: "backwards" },
      );
    }
  }
  return glides;
}

// Moves a piece in a straight line, slightly enlarged on the way. Both ends are relative to where it is drawn.
export function fly(element, from, to, delay = 0) {
  const { size = 1 } = from;
  const [x, y] = [(from.x + to.x) / 2, (from.y + to.y) / 2];
  return element.animate(
    [
      { transform: `translate(${from.x}px, ${from.y}px) scale(${size})` },
      { transform: `translate(${x}px, ${y}px) scale(${1.2 * Math.max(1, size)})` },
      { transform: `translate(${to.x}px, ${to.y}px)` },
    ],
    { duration: FLIGHT, delay, easing: EASE, fill: "backwards" },
  );
}

// Fades out stones whose target is empty now, except those on a turned sub-board.
function fadeOut(svg, stones, targets) {
  const removed = [...stones].filter(([name]) => {
    const target = targets.get(name);
    return target && !target.querySelector(".ball") && !target.closest("[data-turned]");
  });
  if (!removed.length) return [];
  const layer = make("g", { class: "leaving", "aria-hidden": "true" });
  svg.append(layer);
  for (const [, stone] of removed) {
    layer.append(stone);
    stone.animate(
      [{ opacity: 1, transform: "none" }, { opacity: 1, transform: "scale(1.15)", offset: 0.3 }, { opacity: 0, transform: "scale(0.2)" }],
      { duration: 460, delay: 160, easing: "ease-in", fill: "both" },
    );
  }
  return [() => layer.remove()];
}

// Sets the centre of a sub-board's rotation explicitly: Firefox includes moving marbles in its size.
export function pinOrigin(element) {
  const { x, y, width, height } = element.getBBox();
  element.style.transformBox = "view-box";
  element.style.transformOrigin = `${x + width / 2}px ${y + height / 2}px`;
}

// Draws moving elements above their neighbours; returns functions that restore the order.
export function raise(svg, elements) {
  const undo = [];
  const focused = document.activeElement;
  const had = svg.contains(focused);
  for (const element of elements) {
    let layer = element;
    while (layer.parentNode !== svg) layer = layer.parentNode;
    const next = layer.nextSibling;
    if (next) undo.unshift(() => lower(layer, next));
    svg.append(layer);
  }
  if (had) focused.focus({ preventScroll: true });
  return undo;
}

function lower(layer, next) {
  if (next.parentNode !== layer.parentNode) return;
  const focused = document.activeElement;
  const had = layer.contains(focused);
  layer.parentNode.insertBefore(layer, next);
  if (had) focused.focus({ preventScroll: true });
}
