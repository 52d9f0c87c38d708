// Pointer input on the board: clicks, drags between targets, circles and arrows with the right button, taps.
//
// It reports which targets were touched; the board decides what a touch means.

import { centre, make, toDrawing, touchOf } from "./geometry.js";

/** @import { Targets } from "../board.js" */

/**
 * What the pointer asks the board, and tells it.
 * @typedef {{
 *   svg: () => SVGSVGElement, targets: () => Targets, isOpen: (name: string) => boolean,
 *   canDrag: (name: string) => boolean, aimed: () => string | null,
 *   touch: (name: string) => void, lift: (name: string) => void, drop: (name: string, to: string | null) => void,
 *   draw: (from: string, to?: string) => void, clear: () => void, aim: (name: string | null) => void,
 * }} Surface
 */

/** @type {Record<string, number>} */
const SLACK = { mouse: 5, pen: 6, touch: 10 }; // pixels of movement in a click
const REACH = 36; // pixels from a dropped piece to its target
const THUMB = 24; // pixels; smaller targets are aimed at first

/** @param {SVGGraphicsElement} element */
const middle = (element) => centre(touchOf(element));
const thumb = () => THUMB / (globalThis.visualViewport?.scale ?? 1); // zooming in enlarges the targets

export class PointerInput {
  /** @type {HTMLElement} */ #root;
  /** @type {Surface} */ #board;
  /** @type {{ name: string, canDrag: boolean, id: number, x: number, y: number, type: string, button: number } | null} */ #pressed = null; // { name, canDrag, id, x, y, type, button }
  /** @type {SVGGElement | null} */ #carried = null; // the element that follows the pointer
  #dragged = false; // the click after a drag is ignored
  /** @type {{ x: number, y: number } | null} */ #tapped = null; // the point of the last touch press; browsers may move the click that follows
  /** @type {Element | null} */ #over = null;

  // `board` answers svg(), targets(), isOpen(name), canDrag(name) and aimed(), and handles touch(name), lift(name),
  // drop(name, to), with null for no target, draw(from, to), clear() and aim(name).
  /** @param {HTMLElement} root @param {Surface} board */
  constructor(root, board) {
    this.#root = root;
    this.#board = board;
    root.addEventListener("pointerdown", (event) => this.#down(event));
    root.addEventListener("pointermove", (event) => this.#move(event));
    root.addEventListener("pointerup", (event) => this.#up(event));
    root.addEventListener("pointercancel", () => this.release());
    root.addEventListener("click", (event) => this.#click(event));
    root.addEventListener("contextmenu", (event) => this.#tapped || event.preventDefault());
    // Dragging a piece with a finger must not scroll the page.
    root.addEventListener("touchmove", (event) => this.#pressed?.canDrag && event.preventDefault(), { passive: false });
  }

  // Drops the held piece.
  release() {
    this.#carried?.remove();
    this.#carried = null;
    this.#over?.classList.remove("over");
    this.#over = null;
    this.#pressed = null;
  }

  /** @param {number} x @param {number} y */
  #nameAt(x, y) {
    const target = targetAround(document.elementFromPoint(x, y));
    return target && this.#root.contains(target) ? (target.dataset.target ?? null) : null;
  }

  /** @param {PointerEvent} event */
  #down(event) {
    this.#tapped = event.pointerType === "touch" ? { x: event.clientX, y: event.clientY } : null;
    this.#dragged = false;
    if (!event.isPrimary) return this.release();
    const name = targetAround(event.target)?.dataset.target ?? null;
    if (event.button === 0) this.#board.clear();
    if (name === null || (event.button !== 0 && event.button !== 2)) return;
    const canDrag = event.button === 0 && this.#board.canDrag(name);
    this.#pressed = { name, canDrag, id: event.pointerId, x: event.clientX, y: event.clientY, type: event.pointerType, button: event.button };
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const pressed = this.#pressed;
    if (!pressed || event.pointerId !== pressed.id || !pressed.canDrag) return;
    const far = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y);
    if (!this.#carried && far < (SLACK[pressed.type] ?? 6)) return;
    this.#carried ??= this.#lift(pressed, event);
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(toDrawing(this.#board.svg()));
    this.#carried.setAttribute("transform", `translate(${at.x} ${at.y})`);
    const over = this.#board.targets().get(this.#targetNear(event.clientX, event.clientY) ?? "");
    if (over === this.#over) return;
    this.#over?.classList.remove("over");
    over?.classList.add("over");
    this.#over = over ?? null;
  }

  /** @param {{ name: string }} pressed @param {PointerEvent} event */
  #lift(pressed, event) {
    this.#board.lift(pressed.name);
    const svg = this.#board.svg();
    const ball = this.#board.targets().get(pressed.name)?.querySelector(".ball");
    const inner = make("g");
    if (ball) {
      const { x, y } = centre(ball, toDrawing(svg));
      inner.setAttribute("transform", `translate(${-x} ${-y})`);
      const copy = /** @type {Element} */ (ball.cloneNode(true));
      copy.removeAttribute("data-piece"); // piece names are unique
      inner.append(copy);
    }
    const carried = make("g", { class: "carried", "aria-hidden": "true" }, inner);
    svg.append(carried);
    this.#root.setPointerCapture?.(event.pointerId);
    return carried;
  }

  // The open target at a point, or the nearest one within reach.
  /** @param {number} x @param {number} y */
  #targetNear(x, y, reach = REACH) {
    const here = this.#nameAt(x, y);
    if (here !== null && this.#board.isOpen(here)) return here;
    let best = null;
    let least = reach;
    for (const [name, element] of this.#board.targets()) {
      if (!this.#board.isOpen(name)) continue;
      const to = middle(element);
      const far = Math.hypot(to.x - x, to.y - y);
      if (far < least) [best, least] = [name, far];
    }
    return best;
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const pressed = this.#pressed;
    const carrying = Boolean(this.#carried);
    this.release();
    if (!pressed || event.pointerId !== pressed.id) return;
    if (pressed.button === 2 && pressed.type !== "touch") {
      const to = this.#nameAt(event.clientX, event.clientY);
      if (to !== null) this.#board.draw(pressed.name, to === pressed.name ? undefined : to);
    } else if (carrying) {
      this.#dragged = true;
      const back = this.#nameAt(event.clientX, event.clientY) === pressed.name;
      this.#board.drop(pressed.name, back ? pressed.name : this.#targetNear(event.clientX, event.clientY));
    }
  }

  /** @param {MouseEvent} event */
  #click(event) {
    if (this.#dragged) {
      this.#dragged = false;
      return;
    }
    const name = targetAround(event.target)?.dataset.target ?? null;
    if (this.#tapped && event.detail > 0) this.#tap(this.#tapped.x, this.#tapped.y); // not a key or a screen reader
    else if (name !== null) this.#board.touch(name);
  }

  // A tap touches the target at its centre. Small targets are aimed at first: a second tap on the same target touches
  // it, a tap elsewhere aims again.
  /** @param {number} x @param {number} y */
  #tap(x, y) {
    const here = this.#nameAt(x, y);
    const aimed = this.#board.aimed();
    if (aimed === null && !this.#isAmbiguous(here, x, y)) {
      if (here !== null) this.#board.touch(here);
      return;
    }
    const near = this.#targetNear(x, y);
    if (near === null) {
      this.#board.aim(null);
      if (here !== null) this.#board.touch(here);
    } else if (near !== aimed) {
      this.#board.aim(near);
    } else if (here === near || (here === null && this.#isNear(near, x, y))) {
      this.#board.touch(near);
    }
  }

  // Whether a tap is ambiguous: the targets are small, and several open ones are near.
  /** @param {string | null} name @param {number} x @param {number} y */
  #isAmbiguous(name, x, y) {
    const targets = this.#board.targets();
    const box = targets.get(name ?? [...targets.keys()][0])?.getBoundingClientRect();
    if (!box || Math.sqrt(box.width * box.height) >= thumb()) return false;
    return [...targets.keys()].filter((each) => this.#board.isOpen(each) && this.#isNear(each, x, y)).length > 1;
  }

  /** @param {string} name @param {number} x @param {number} y */
  #isNear(name, x, y) {
    const target = this.#board.targets().get(name);
    if (!target) return false;
    const to = middle(target);
    return Math.hypot(to.x - x, to.y - y) < thumb();
  }
}

// The target that contains an element.
/** @param {EventTarget | null} element @returns {SVGElement | null} */
const targetAround = (element) => (element instanceof Element ? element.closest("[data-target]") : null);
