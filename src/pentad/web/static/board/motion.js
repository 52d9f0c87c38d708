// Animation from one drawing to the next: pieces move, sub-boards turn, captured stones fade out.
//
// A drawing names movable pieces in `data-piece`, marks a turned sub-board with `data-turned`, and draws the path of a
// piece with class `way`. Everything else follows from comparing the two drawings.

import { centre, shapes, make, toDrawing } from "./geometry.js";

/** @import { Point } from "./geometry.js" */
/** @import { Targets } from "../board.js" */
/** @typedef {{ element: SVGGraphicsElement, from: Point, to: Point }} Movement of a piece */

const FLIGHT = 420;
const EASE = "cubic-bezier(0.45, 0.05, 0.2, 1)";
const STEPS = 32; // sample points of a path; enough to keep its corners

export const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// The positions of all movable pieces, and the stones on each target.
/** @param {SVGSVGElement | null} svg */
export function snapshot(svg) {
  const matrix = svg && toDrawing(svg);
  const pieces = svg ? shapes(svg, ".ball[data-piece]") : [];
  const stones = svg ? shapes(svg, "[data-target] > .ball:not([data-piece])") : [];
  return {
    pieces: new Map(pieces.map((piece) => [piece.dataset.piece, centre(piece, matrix)])),
    stones: new Map(stones.map((stone) => [stone.parentElement?.dataset.target ?? "", stone])),
  };
}

// Starts the animations; returns the functions to call afterwards, in order.
/**
 * @param {SVGSVGElement} svg
 * @param {ReturnType<typeof snapshot>} before
 * @param {Targets} targets
 * @param {string | null} carried
 */
export function begin(svg, before, targets, carried) {
  const undo = raise(svg, shapes(svg, "[data-turned]"));
  if (prefersReducedMotion()) return undo;
  shapes(svg, ".sub-board").forEach(pinOrigin);
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

/** @param {SVGSVGElement} svg @param {Map<string | undefined, Point>} before @param {string | null} carried */
function movements(svg, before, carried) {
  const matrix = toDrawing(svg);
  /** @type {Movement[]} */
  const found = [];
  for (const element of shapes(svg, ".ball[data-piece]")) {
    const from = before.get(element.dataset.piece);
    const to = centre(element, matrix);
    if (!from || element.dataset.piece === carried || Math.hypot(from.x - to.x, from.y - to.y) < 3) continue;
    found.push({ element, from, to });
  }
  return found;
}

// Moves a piece along the drawn path; a piece that was swapped goes the path backwards.
/** @param {SVGSVGElement} svg @param {Movement[]} moved */
function animateAlongPath(svg, moved) {
  /** @type {SVGPathElement | null} */
  const path = svg.querySelector("path.way");
  /** @type {Map<Element, number>} */
  const glides = new Map();
  if (!path) return glides;
  const length = path.getTotalLength();
  /** @type {DOMPoint[]} */
  const points = Array.from({ length: STEPS + 1 }, (_, i) => path.getPointAtLength((length * i) / STEPS));
  /** @type {(one: { x: number, y: number }, other?: { x: number, y: number }) => boolean} */
  const near = (one, other = one) => Math.hypot(one.x - other.x, one.y - other.y) < 60;
  const duration = Math.min(1000, 260 + length * 0.8);
  for (const { element, from, to } of moved) {
    const there = near(from, points[0]) && near(to, points[STEPS]);
    const back = near(to, points[0]) && near(from, points[STEPS]);
    if (!there && !back) continue;
    const course = there ? points : [...points].reverse();
    const [first, last] = [course[0], course[STEPS]];
    const shifts = course.map((point, i) => {
      const part = i / STEPS; // a stacked piece is slightly off the end of the path
      /** @param {"x" | "y"} axis */
      const at = (axis) => point[axis] + (from[axis] - first[axis]) * (1 - part) + (to[axis] - last[axis]) * part - to[axis];
      return { transform: `translate(${at("x")}px, ${at("y")}px)` };
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
/**
 * @param {Element} element
 * @param {{ x: number, y: number, size?: number }} from
 * @param {{ x: number, y: number }} to
 */
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
/** @param {SVGSVGElement} svg @param {Map<string, Element>} stones @param {Targets} targets */
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

// Sets the centre of a sub-board's rotation explicitly: that of its tile, without its shadow. Firefox also includes moving
// marbles in its size.
/** @param {SVGGraphicsElement} element */
export function pinOrigin(element) {
  const [tile = element] = shapes(element, ".tile");
  const { x, y, width, height } = tile.getBBox();
  element.style.transformBox = "view-box";
  element.style.transformOrigin = `${x + width / 2}px ${y + height / 2}px`;
}

// Draws moving elements above their neighbours; returns functions that restore the order.
/** @param {SVGSVGElement} svg @param {Element[]} elements */
export function raise(svg, elements) {
  /** @type {Array<() => void>} */
  const undo = [];
  for (const element of elements) {
    const layer = layerOf(element, svg);
    const next = layer.nextSibling;
    if (next) undo.unshift(() => next.parentNode === svg && keepFocus(svg, () => svg.insertBefore(layer, next)));
    keepFocus(svg, () => svg.append(layer));
  }
  return undo;
}

// Draws a part of the drawing above its later siblings by moving these before it, so that the pointer that holds it does not
// lose it; returns a function that restores the order.
/** @param {Element} part */
export function raisePart(part) {
  const svg = part.closest("svg");
  const parent = part.parentNode;
  if (!svg || !parent) return () => {};
  /** @type {Element[]} */
  const later = [];
  for (let next = part.nextElementSibling; next?.matches(".part"); next = next.nextElementSibling) later.push(next);
  keepFocus(svg, () => later.forEach((each) => parent.insertBefore(each, part)));
  return () => {
    if (part.parentNode !== parent) return;
    const after = part.nextSibling;
    keepFocus(svg, () => later.forEach((each) => parent.insertBefore(each, after)));
  };
}

// The child of the drawing that contains an element.
/** @type {(element: Element, svg: SVGSVGElement) => Element} */
const layerOf = (element, svg) => (element.parentElement && element.parentElement !== /** @type {Element} */ (svg) ? layerOf(element.parentElement, svg) : element);

// Changes the order of elements; a moved element loses the focus otherwise.
/** @param {SVGSVGElement} svg @param {() => void} change */
function keepFocus(svg, change) {
  const focused = document.activeElement;
  change();
  if (focused instanceof SVGElement && svg.contains(focused)) focused.focus({ preventScroll: true });
}
