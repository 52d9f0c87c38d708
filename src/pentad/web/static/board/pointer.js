// Pointer input on the board: clicks, drags between targets, turns of sub-boards, circles and arrows with the right button,
// taps, and a loupe over small targets.
//
// It reports which targets were touched; the board decides what a touch means.

import { centre, make, toDrawing, touchOf } from "./geometry.js";
import { Loupe } from "./loupe.js";
import { Turning, turnsAt } from "./turning.js";

/** @import { Targets } from "../board.js" */
/** @import { Timer } from "../dom.js" */

/**
 * What the pointer asks the board, and tells it.
 * @typedef {{
 *   svg: () => SVGSVGElement, targets: () => Targets, isOpen: (name: string) => boolean,
 *   canDrag: (name: string) => boolean, aimed: () => string | null,
 *   touch: (name: string) => void, lift: (name: string) => void, drop: (name: string, to: string | null) => void,
 *   draw: (from: string, to?: string, colour?: string) => void, isDrawing: () => boolean, clear: () => void, aim: (name: string | null) => void,
 *   turn: (name: string) => boolean,
 * }} Surface
 *
 * What a pointer has pressed; without a target it can only turn a sub-board.
 * @typedef {{
 *   name: string | null, canDrag: boolean, turning: Turning | null, id: number, x: number, y: number, type: string,
 *   draws: boolean, began: number,
 * }} Pressed
 */

/** @type {Record<string, number>} */
const SLACK = { mouse: 5, pen: 6, touch: 10 }; // pixels of movement in a click
const REACH = 36; // pixels from a dropped piece to its target
const THUMB = 24; // pixels; smaller targets are aimed at first
const SMALL = 32; // pixels; smaller targets get a loupe
const HOLD = 160; // milliseconds until the loupe opens; a finger that moves earlier scrolls
const BESIDE = 12; // pixels beside the board that still belong to it

/** @param {SVGGraphicsElement} element */
const middle = (element) => centre(touchOf(element));
const zoomed = () => globalThis.visualViewport?.scale ?? 1; // zooming in enlarges the targets
const thumb = () => THUMB / zoomed();

export class PointerInput {
  /** @type {HTMLElement} */ #root;
  /** @type {Surface} */ #board;
  /** @type {Pressed | null} */ #pressed = null;
  /** @type {SVGGElement | null} */ #carried = null; // the element that follows the pointer
  #dragged = false; // the click after a drag is ignored
  /** @type {{ x: number, y: number } | null} */ #tapped = null; // the point of the last touch press; browsers may move the click that follows
  /** @type {Element | null} */ #over = null;
  #loupe;
  /** @type {Timer} */ #hold = 0; // until the loupe opens
  /** @type {string | null} */ #under = null; // the target in the loupe

  // `board` answers svg(), targets(), isOpen(name), canDrag(name) and aimed(), and handles touch(name), lift(name),
  // drop(name, to), with null for no target, turn(name), draw(from, to), clear() and aim(name).
  /** @param {HTMLElement} root @param {Surface} board */
  constructor(root, board) {
    this.#root = root;
    this.#board = board;
    this.#loupe = new Loupe(root);
    root.addEventListener("pointerdown", (event) => this.#down(event));
    root.addEventListener("pointermove", (event) => this.#move(event));
    root.addEventListener("pointerup", (event) => this.#up(event));
    root.addEventListener("pointercancel", () => this.release());
    root.addEventListener("click", (event) => this.#click(event));
    root.addEventListener("contextmenu", (event) => (this.#tapped && !this.#loupe.isOpen) || event.preventDefault());
    // Dragging a piece, turning a sub-board and aiming with a finger must not scroll the page.
    root.addEventListener("touchmove", (event) => this.#isHeld && event.preventDefault(), { passive: false });
  }

  get #isHeld() {
    return this.#loupe.isOpen || Boolean(this.#pressed?.canDrag || this.#pressed?.turning || this.#pressed?.draws);
  }

  // Drops the held piece, and all else that is held.
  release() {
    clearTimeout(this.#hold);
    this.#loupe.close();
    this.#under = null;
    this.#pressed?.turning?.end();
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
    if (event.button !== 0 && event.button !== 2) return;
    const draws = this.#board.isDrawing() || (event.button === 2 && event.pointerType !== "touch");
    const canDrag = !draws && event.button === 0 && name !== null && this.#board.canDrag(name);
    const turning = !draws && event.button === 0 && !canDrag ? this.#turningAt(event) : null;
    if (name === null && !turning) return;
    this.release();
    this.#pressed = { name, canDrag, turning, id: event.pointerId, x: event.clientX, y: event.clientY, type: event.pointerType, draws, began: event.timeStamp };
    if (this.#tapped && !turning && !draws && this.#isSmall()) this.#hold = setTimeout(() => this.#look(event.clientX, event.clientY), HOLD);
  }

  /** @param {PointerEvent} event */
  #turningAt(event) {
    const found = event.target instanceof Element ? turnsAt(event.target, this.#board.isOpen) : null;
    return found && new Turning(found, { x: event.clientX, y: event.clientY }, (name) => this.#board.targets().get(name));
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const pressed = this.#pressed;
    if (!pressed || event.pointerId !== pressed.id) return;
    const at = { x: event.clientX, y: event.clientY };
    const isFar = Math.hypot(at.x - pressed.x, at.y - pressed.y) >= (SLACK[pressed.type] ?? 6);
    if (pressed.turning) {
      if (!pressed.turning.isBegun && !isFar) return;
      this.#root.setPointerCapture?.(event.pointerId);
      pressed.turning.follow(at);
    } else if (pressed.canDrag && pressed.name !== null) {
      if (this.#carried || isFar) this.#carry({ ...pressed, name: pressed.name }, event);
    } else if (this.#loupe.isOpen) {
      this.#look(at.x, at.y);
    } else if (isFar) {
      clearTimeout(this.#hold); // the finger scrolls the page
    }
  }

  // Moves the held piece; a finger gets a loupe where targets are small.
  /** @param {Pressed & { name: string }} pressed @param {PointerEvent} event */
  #carry(pressed, event) {
    clearTimeout(this.#hold);
    this.#carried ??= this.#lift(pressed, event);
    if (pressed.type === "touch" && this.#isSmall()) this.#look(event.clientX, event.clientY);
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
    const isCarrying = Boolean(this.#carried);
    // On a busy page the loupe may open after a short touch; it is a tap all the same.
    const isAiming = this.#loupe.isOpen && event.timeStamp - (pressed?.began ?? 0) >= HOLD;
    const under = this.#under;
    const turning = pressed?.turning?.isBegun ? pressed.turning : null;
    if (pressed) pressed.turning = null; // its turning ends below
    this.release();
    if (!pressed || event.pointerId !== pressed.id) {
      turning?.end();
    } else if (turning) {
      this.#dragged = true;
      turning.end(this.#board.turn);
    } else if (pressed.draws) {
      this.#dragged = true;
      const to = this.#nameAt(event.clientX, event.clientY);
      if (to !== null && pressed.name !== null) this.#board.draw(pressed.name, to === pressed.name ? undefined : to, colourOf(event));
    } else if (isCarrying && pressed.name !== null) {
      this.#dragged = true;
      const back = this.#nameAt(event.clientX, event.clientY) === pressed.name;
      this.#board.drop(pressed.name, back ? pressed.name : this.#targetNear(event.clientX, event.clientY));
    } else if (isAiming) {
      this.#dragged = true;
      if (under !== null) this.#board.touch(under);
    }
  }

  // ── the loupe ──

  // Shows the point under a finger in the loupe; off the board there is none.
  /** @param {number} x @param {number} y */
  #look(x, y) {
    if (!this.#loupe.isOpen) this.#board.aim(null);
    const svg = this.#board.svg();
    const { left, right, top, bottom } = svg.getBoundingClientRect();
    const isOn = x > left - BESIDE && x < right + BESIDE && y > top - BESIDE && y < bottom + BESIDE;
    this.#under = isOn ? this.#targetNear(x, y) : null;
    this.#loupe.show(svg, { x, y }, this.#board.targets().get(this.#under ?? "") ?? null);
  }

  // Whether the targets that can be touched are small on the screen.
  #isSmall() {
    const sizes = [...this.#board.targets()].filter(([name]) => this.#board.isOpen(name)).map(([, element]) => middle(element).size);
    return sizes.length > 0 && sizes.sort((one, other) => one - other)[sizes.length >> 1] < SMALL / zoomed();
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

// The colour that keys choose while the pointer draws, as on other sites; empty without one.
/** @param {PointerEvent} event */
const colourOf = ({ shiftKey, ctrlKey, altKey, metaKey }) => {
  const [red, blue] = [shiftKey || ctrlKey, altKey || metaKey];
  return red && blue ? "Y" : red ? "R" : blue ? "B" : "";
};

// The target that contains an element.
/** @param {EventTarget | null} element @returns {SVGElement | null} */
const targetAround = (element) => (element instanceof Element ? element.closest("[data-target]") : null);
