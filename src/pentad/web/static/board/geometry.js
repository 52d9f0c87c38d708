// Positions in an SVG drawing, and its elements.

export const NAMESPACE = "http://www.w3.org/2000/svg";

export function make(name, attributes = {}, ...children) {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// The matrix from screen to drawing coordinates.
export const toDrawing = (svg) => svg.getScreenCTM().inverse();

// The touch area of a target.
export const touchOf = (element) => element?.querySelector(".touch") ?? element;

// The centre of an element and its shorter side, in drawing coordinates if a matrix is given, else on the screen.
export function centre(element, matrix = null) {
  const box = element?.getBoundingClientRect();
  if (!box) return { x: 0, y: 0, size: 0 };
  const point = new DOMPoint(box.left + box.width / 2, box.top + box.height / 2);
  const size = Math.min(box.width, box.height);
  if (!matrix) return { x: point.x, y: point.y, size };
  const there = point.matrixTransform(matrix);
  return { x: there.x, y: there.y, size: size * Math.hypot(matrix.a, matrix.b) };
}

// The position of an element in the drawing, from 0 to 1.
export function relative(element, svg) {
  const box = svg.getBoundingClientRect();
  const { x, y } = centre(touchOf(element));
  return { x: (x - box.left) / box.width, y: (y - box.top) / box.height };
}
