// Optimistic moves: a choice is drawn before the server confirms it.
//
// No rules are needed. The drawing names the piece to place (`defs.next`, or a piece with the ring `in-hand`), the pieces
// that can move (`data-piece`) and what an arrow turns (`data-turns`). All else, such as captures, comes from the server.

import { fly, pinOrigin, raise, raisePart, prefersReducedMotion } from "./motion.js";
import { centre, make, toDrawing, touchOf } from "./geometry.js";
import { degreesOf, rotate, rotationOf, turnedBy } from "./turning.js";

const TURN = { duration: 380, easing: "cubic-bezier(0.5, 0, 0.2, 1)" }; // the same as in board-look.css
const DROP = { duration: 220, easing: "cubic-bezier(0.2, 0.7, 0.3, 1)" };

// Draws the choice of these elements and returns functions that revert it. The piece `dragged` is not animated.
/**
 * @param {SVGSVGElement} svg
 * @param {SVGGraphicsElement[]} elements
 * @param {string | null} dragged
 * @returns {Array<() => void>}
 */
export function showOptimistically(svg, elements, dragged) {
  const target = elements.at(-1);
  if (!target) return [];
  /** @type {SVGElement | null} */
  const arrow = target.closest("[data-turns]");
  if (arrow) return turn(arrow);
  /** @type {SVGGraphicsElement | null} */
  const piece = (elements.length > 1 && elements[0].querySelector(".ball[data-piece]")) || inHand(svg);
  if (piece) return move(svg, piece, target, dragged === piece.dataset.piece);
  const next = svg.querySelector("defs.next > .ball");
  return next && !target.querySelector(".ball, .choice") ? place(next, target) : [];
}

/** @type {(svg: SVGSVGElement) => SVGGraphicsElement | null} */
const inHand = (svg) => svg.querySelector(".ball[data-piece]:has(.in-hand)");

/** @param {Element} next @param {SVGGraphicsElement} target */
function place(next, target) {
  const { x, y, width, height } = touchOf(target).getBBox();
  const stone = /** @type {Element} */ (next.cloneNode(true));
  const group = make("g", { class: "optimistic", transform: `translate(${x + width / 2} ${y + height / 2})` }, stone);
  target.append(group);
  if (!prefersReducedMotion()) stone.animate([{ opacity: 0, scale: 1.5 }, {}], DROP);
  return [() => group.remove()];
}

/** @param {SVGSVGElement} svg @param {SVGGraphicsElement} piece @param {SVGGraphicsElement} target @param {boolean} isThere */
function move(svg, piece, target, isThere) {
  const matrix = toDrawing(svg);
  const [from, to] = [centre(piece, matrix), centre(touchOf(target), matrix)];
  const [x, y] = [to.x - from.x, to.y - from.y];
  const undo = raise(svg, [piece]);
  piece.style.transform = `translate(${x}px, ${y}px)`;
  const flight = isThere || prefersReducedMotion() ? null : fly(piece, { x: 0, y: 0 }, { x, y });
  return [() => flight?.cancel(), () => (piece.style.transform = ""), ...undo];
}

// Turns the sub-board of an arrow, from where a drag left it.
/** @param {SVGElement} arrow */
function turn(arrow) {
  const board = turnedBy(arrow);
  if (!board) return [];
  const from = rotationOf(board);
  pinOrigin(board);
  const lower = raisePart(/** @type {Element} */ (arrow.closest(".part")));
  const turned = rotate(board, degreesOf(arrow)).map(([element, by]) => {
    const start = element === board ? from : -from; // marbles stay upright while it turns
    const turning = prefersReducedMotion() ? null : element.animate([{ rotate: `${start}deg` }, { rotate: `${by}deg` }], TURN);
    return () => {
      turning?.cancel();
      element.style.rotate = "";
    };
  });
  return [...turned, lower];
}
