// How a drawing comes out of the one before: what moved glides or flies, what was turned comes round, what went fades.
//
// A drawing names what may move by `data-piece`, says what was turned by `data-turned`, and draws the way that
// something went as a path of class `way`. Everything else is found by comparing the two.

import { centre, make, toDrawing } from "./places.js";

const FLIGHT = 420;
const EASE = "cubic-bezier(0.45, 0.05, 0.2, 1)";
const STEPS = 32; // points of a way that are kept, so that corners stay corners

export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Where everything is that may move, and which stones stand on which targets.
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

// Set everything going; what has to be put right again afterwards, in the order in which it is to be done.
export function begin(svg, before, targets, carried) {
  const undo = raise(svg, [...svg.querySelectorAll("[data-turned]")]);
  if (still()) return undo;
  svg.querySelectorAll(".sub-board").forEach(pin);
  const moved = movements(svg, before.pieces, carried);
  const glides = along(svg, moved);
  undo.unshift(...raise(svg, moved.map(({ element }) => element)));
  const longest = Math.max(0, ...glides.values());
  for (const { element, from, to } of moved.filter((each) => !glides.has(each.element))) {
    const size = from.size && to.size ? from.size / to.size : 1;
    fly(element, { x: from.x - to.x, y: from.y - to.y, size }, { x: 0, y: 0 }, longest && longest * 0.8);
  }
  undo.unshift(...leave(svg, before.stones, targets));
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

// What went along the drawn way follows it over all its corners, there or, if it was swapped, back.
function along(svg, moved) {
  const way = svg.querySelector("path.way");
  const glides = new Map();
  if (!way) return glides;
  const length = way.getTotalLength();
  const points = Array.from({ length: STEPS + 1 }, (_, i) => way.getPointAtLength((length * i) / STEPS));
  const near = (one, other) => Math.hypot(one.x - other.x, one.y - other.y) < 60;
  const duration = Math.min(1000, 260 + length * 0.8);
  for (const { element, from, to } of moved) {
    const there = near(from, points[0]) && near(to, points.at(-1));
    const back = near(to, points[0]) && near(from, points.at(-1));
    if (!there && !back) continue;
    const course = there ? points : points.toReversed();
    const shifts = course.map((point, i) => {
      const part = i / STEPS; // a stack is not quite where the way ends
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

// Through the air, straight to its place, a little larger on the way. Both ends are told from where it is drawn.
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

// Stones that stood before where nothing stands now; not where they went along with what was turned.
function leave(svg, stones, targets) {
  const gone = [...stones].filter(([name]) => {
    const target = targets.get(name);
    return target && !target.querySelector(".ball") && !target.closest("[data-turned]");
  });
  if (!gone.length) return [];
  const layer = make("g", { class: "leaving", "aria-hidden": "true" });
  svg.append(layer);
  for (const [, stone] of gone) {
    layer.append(stone);
    stone.animate(
      [{ opacity: 1, transform: "none" }, { opacity: 1, transform: "scale(1.15)", offset: 0.3 }, { opacity: 0, transform: "scale(0.2)" }],
      { duration: 460, delay: 160, easing: "ease-in", fill: "both" },
    );
  }
  return [() => layer.remove()];
}

// Told where its middle is, a sub-board turns around it everywhere: Firefox takes what moves on it for a part of its size.
export function pin(element) {
  const { x, y, width, height } = element.getBBox();
  element.style.transformBox = "view-box";
  element.style.transformOrigin = `${x + width / 2}px ${y + height / 2}px`;
}

// What moves is drawn above its neighbours meanwhile.
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
