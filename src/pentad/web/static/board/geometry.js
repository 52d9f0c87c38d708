// Positions in an SVG drawing, and its elements.

/** @typedef {{ x: number, y: number, size: number }} Point the centre and the shorter side of an element */

const NAMESPACE = "http://www.w3.org/2000/svg";

// The elements within which all parts of a board stay: a dialog is above the page, and `pentad-board` has the colours.
export const ALONE = "dialog, .pentad-board";

/**
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 */
export function make(name, attributes = {}, ...children) {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

// The drawing in a text.
/** @param {string} text */
export function parseDrawing(text) {
  const { documentElement } = new DOMParser().parseFromString(text, "image/svg+xml");
  return /** @type {SVGSVGElement} */ (/** @type {Element} */ (document.importNode(documentElement, true)));
}

// The matrix from screen to drawing coordinates.
/** @param {SVGSVGElement} svg */
export const toDrawing = (svg) => /** @type {DOMMatrix} */ (svg.getScreenCTM()).inverse();

// The touch area of a target.
/** @param {SVGGraphicsElement} element @returns {SVGGraphicsElement} */
export const touchOf = (element) => element.querySelector(".touch") ?? element;

// The elements of a drawing that match a selector.
/** @param {ParentNode} root @param {string} selector */
export const shapes = (root, selector) => [.../** @type {NodeListOf<SVGGraphicsElement>} */ (root.querySelectorAll(selector))];

// The centre of an element and its shorter side, in drawing coordinates if a matrix is given, else on the screen.
/** @param {Element} element @param {DOMMatrix | null} matrix @returns {Point} */
export function centre(element, matrix = null) {
  const box = element.getBoundingClientRect();
  const point = new DOMPoint(box.left + box.width / 2, box.top + box.height / 2);
  const size = Math.min(box.width, box.height);
  if (!matrix) return { x: point.x, y: point.y, size };
  const there = point.matrixTransform(matrix);
  return { x: there.x, y: there.y, size: size * Math.hypot(matrix.a, matrix.b) };
}

// The position of an element in the drawing, from 0 to 1.
/** @param {SVGGraphicsElement} element @param {SVGSVGElement} svg */
export function relative(element, svg) {
  const box = svg.getBoundingClientRect();
  const { x, y } = centre(touchOf(element));
  return { x: (x - box.left) / box.width, y: (y - box.top) / box.height };
}
