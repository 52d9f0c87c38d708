// A loupe above the finger: shows the point that is aimed at enlarged, with its name, as the finger covers it.

import { ALONE, centre, make as shape, toDrawing, touchOf } from "./geometry.js";
import { make } from "../dom.js";

const RADIUS_PIXELS = 60;
const ABOVE = 34; // pixels between the finger and the edge of the lens
const MARGIN = 6; // pixels to the edge of the window
const LARGE = 46; // pixels of an enlarged point
const [LEAST, MOST] = [1.8, 3];
const LONG_NAME = 14; // characters; a longer name has several lines

// How much small points are enlarged.
/** @param {number} pixels the size of a point */
export const enlargement = (pixels) => Math.min(Math.max(LARGE / Math.max(pixels, 1), LEAST), MOST);

// The centre of the lens: above the finger, or beside it near the top of the window.
/** @param {{ x: number, y: number }} finger @param {number} width of the window */
export function lensAt({ x, y }, width) {
  /** @param {number} at */
  const within = (at) => Math.min(Math.max(at, RADIUS_PIXELS + MARGIN), width - RADIUS_PIXELS - MARGIN);
  const top = y - ABOVE - RADIUS_PIXELS;
  if (top >= RADIUS_PIXELS + MARGIN) return { x: within(x), y: top };
  const aside = RADIUS_PIXELS + 2 * ABOVE;
  return { x: within(x < width / 2 ? x + aside : x - aside), y: RADIUS_PIXELS + MARGIN };
}

export class Loupe {
  /** @type {HTMLElement} */ #root;
  /** @type {HTMLElement | null} */ #element = null;
  /** @type {SVGSVGElement | null} */ #copy = null;
  /** @type {SVGGElement | null} */ #ring = null;

  /** @param {HTMLElement} root the board */
  constructor(root) {
    this.#root = root;
  }

  get isOpen() {
    return this.#element !== null;
  }

  // Shows the drawing around the finger, with a ring around the target; without one, nothing is shown.
  /** @param {SVGSVGElement} svg @param {{ x: number, y: number }} finger @param {SVGGraphicsElement | null} target */
  show(svg, finger, target) {
    if (!this.#element) this.#open(svg);
    const [lens, copy] = [this.#element, this.#copy];
    if (!lens || !copy) return;
    lens.hidden = target === null;
    if (!target) return;
    const matrix = toDrawing(svg);
    const place = centre(touchOf(target), matrix);
    const scale = enlargement(place.size / Math.hypot(matrix.a, matrix.b));
    const box = svg.getBoundingClientRect();
    const at = lensAt(finger, innerWidth);
    Object.assign(lens.style, { left: `${at.x - RADIUS_PIXELS}px`, top: `${at.y - RADIUS_PIXELS}px` });
    Object.assign(copy.style, {
      width: `${box.width * scale}px`,
      height: `${box.height * scale}px`,
      left: `${RADIUS_PIXELS - (finger.x - box.left) * scale}px`,
      top: `${RADIUS_PIXELS - (finger.y - box.top) * scale}px`,
    });
    this.#aim(svg, target, place);
    const name = lens.querySelector(".loupe-name");
    if (!name) return;
    name.textContent = target.getAttribute("aria-label")?.split(",")[0] ?? "";
    name.classList.toggle("long", name.textContent.length > LONG_NAME);
  }

  close() {
    this.#element?.remove();
    this.#element = this.#copy = this.#ring = null;
  }

  /** @param {SVGSVGElement} svg */
  #open(svg) {
    const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
    for (const each of [copy, ...copy.querySelectorAll("*")]) {
      for (const name of ["role", "tabindex", "data-target", "data-piece"]) each.removeAttribute(name);
    }
    this.#copy = copy;
    const glass = make("div", { className: "board loupe-glass" });
    glass.append(copy);
    this.#element = make("div", { className: "loupe", ariaHidden: "true" }, glass, make("span", { className: "loupe-name" }));
    (this.#root.closest(ALONE) ?? document.body).append(this.#element);
  }

  // A ring around the target, and the stone that would be placed there.
  /** @param {SVGSVGElement} svg @param {SVGGraphicsElement} target @param {{ x: number, y: number, size: number }} place */
  #aim(svg, target, { x, y, size }) {
    this.#ring?.remove();
    const circles = ["edge", "body"].map((kind) => shape("circle", { r: size * 0.55, class: kind }));
    const next = target.querySelector(".ball, .choice") ? null : svg.querySelector("defs.next > .ball");
    const stone = next ? [/** @type {Element} */ (next.cloneNode(true))] : [];
    this.#ring = shape("g", { class: "layer paint aim", transform: `translate(${x} ${y})` }, ...stone, ...circles);
    this.#copy?.append(this.#ring);
  }
}
