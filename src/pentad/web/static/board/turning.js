// A sub-board turned by a drag: its picture follows the pointer around its centre.
//
// No rules are needed: the drawing says what an arrow turns (`data-turns`), and which arrows can be chosen.

import { centre, shapes } from "./geometry.js";
import { pinOrigin, prefersReducedMotion, raisePart } from "./motion.js";

/** @typedef {{ name: string, degrees: number }} Turn a target, and how far it turns its sub-board */

const ENOUGH = 40; // degrees after which a drag chooses a turn
const CORE = 0.1; // the part of a sub-board's side around its centre in which the pointer has no direction
const BACK = { duration: 180, easing: "cubic-bezier(0.2, 0.7, 0.3, 1)" };

// How far an arrow turns its sub-board, clockwise.
/** @param {SVGElement} arrow */
export const degreesOf = (arrow) => (arrow.dataset.turns === "A" ? -90 : 90);

// The rotation of an element that was set by script.
/** @param {SVGElement} element */
export const rotationOf = (element) => Number.parseFloat(element.style.rotate) || 0;

// The sub-board of an arrow, if the drawing has one.
/** @param {Element} arrow @returns {SVGGraphicsElement | null} */
export const turnedBy = (arrow) => arrow.closest(".part")?.querySelector(".sub-board") ?? null;

// Rotates a sub-board's picture; its marbles stay upright. Returns the elements with their angles.
/** @param {SVGGraphicsElement} board @param {number} degrees @returns {Array<[SVGGraphicsElement, number]>} */
export function rotate(board, degrees) {
  /** @type {Array<[SVGGraphicsElement, number]>} */
  const all = [[board, degrees], ...shapes(board, ".ball").map((ball) => /** @type {[SVGGraphicsElement, number]} */ ([ball, -degrees]))];
  for (const [element, by] of all) element.style.rotate = by ? `${by}deg` : "";
  return all;
}

// The turns that a drag on an element can choose.
/** @param {Element} element @param {(name: string) => boolean} isOpen @returns {{ board: SVGGraphicsElement, turns: Turn[] } | null} */
export function turnsAt(element, isOpen) {
  /** @type {SVGGraphicsElement | null} */
  const board = element.closest(".sub-board");
  const part = board?.closest(".part");
  if (!board || !part) return null;
  const turns = shapes(part, "[data-turns]").flatMap((arrow) => {
    const name = shapes(arrow, "[data-target]")[0]?.dataset.target ?? null;
    return name !== null && isOpen(name) ? [{ name, degrees: degreesOf(arrow) }] : [];
  });
  return turns.length ? { board, turns } : null;
}

// The turn that a drag by an angle chooses.
/** @param {number} angle @param {Turn[]} turns */
export const chosenTurn = (angle, turns) => turns.find(({ degrees }) => angle * Math.sign(degrees) >= ENOUGH) ?? null;

// The nearest angle that the turns allow.
/** @param {number} angle @param {Turn[]} turns */
export function limited(angle, turns) {
  const all = [0, ...turns.map(({ degrees }) => degrees)];
  return Math.min(Math.max(angle, Math.min(...all)), Math.max(...all));
}

// The angle of a pointer that moves around a centre; it has none near the centre.
export class Angle {
  degrees = 0;
  #centre;
  #core;
  /** @type {number | null} */ #last = null;

  /** @param {{ x: number, y: number }} middle @param {number} core radius @param {{ x: number, y: number }} from */
  constructor(middle, core, from) {
    this.#centre = middle;
    this.#core = core;
    this.follow(from);
  }

  /** @param {{ x: number, y: number }} point */
  follow({ x, y }) {
    const [right, down] = [x - this.#centre.x, y - this.#centre.y];
    if (Math.hypot(right, down) < this.#core) return this.degrees;
    const now = (Math.atan2(down, right) * 180) / Math.PI;
    if (this.#last !== null) this.degrees += ((now - this.#last + 540) % 360) - 180;
    this.#last = now;
    return this.degrees;
  }
}

export class Turning {
  #board;
  #turns;
  #angle;
  /** @type {(name: string) => Element | undefined} */ #target;
  isBegun = false;
  /** @type {() => void} */ #lower = () => {};

  /**
   * @param {{ board: SVGGraphicsElement, turns: Turn[] }} what
   * @param {{ x: number, y: number }} from
   * @param {(name: string) => Element | undefined} target
   */
  constructor({ board, turns }, from, target) {
    this.#board = board;
    this.#turns = turns;
    this.#target = target;
    const { x, y, size } = centre(board.querySelector(".tile") ?? board); // its shadow does not count
    this.#angle = new Angle({ x, y }, size * CORE, from);
  }

  // The sub-board follows the pointer. Without motion it only shows what the drag chooses.
  /** @param {{ x: number, y: number }} point */
  follow(point) {
    if (!this.isBegun) {
      this.isBegun = true;
      pinOrigin(this.#board);
      const part = this.#board.closest(".part");
      if (part) this.#lower = raisePart(part);
    }
    this.#angle.follow(point);
    const chosen = this.chosen;
    rotate(this.#board, prefersReducedMotion() ? (chosen?.degrees ?? 0) : limited(this.#angle.degrees, this.#turns));
    for (const { name } of this.#turns) this.#target(name)?.classList.toggle("over", name === chosen?.name);
  }

  get chosen() {
    return chosenTurn(this.#angle.degrees, this.#turns);
  }

  // Ends the drag by `choose`, which gets the chosen turn's name and returns whether the sub-board stays where it is; else it
  // springs back.
  /** @param {(name: string) => boolean} choose */
  end(choose = () => false) {
    this.#lower();
    this.#lower = () => {};
    for (const { name } of this.#turns) this.#target(name)?.classList.remove("over");
    const { chosen } = this;
    const kept = chosen !== null && choose(chosen.name);
    const angle = rotationOf(this.#board);
    if (kept || !angle) return;
    const all = rotate(this.#board, 0);
    if (prefersReducedMotion()) return;
    for (const [element] of all) {
      const by = element === this.#board ? angle : -angle;
      element.animate([{ rotate: `${by}deg` }, { rotate: "0deg" }], BACK);
    }
  }
}
