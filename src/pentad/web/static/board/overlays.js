// Overlays of a board: values of the engine, the user's circles and arrows, premoves.
//
// Kinds differ in shape as well as in colour. Overlays take no pointer events.

import { centre, make, parseDrawing, toDrawing, touchOf } from "./geometry.js";

/** @import { Targets, Mark, Arrow } from "../board.js" */
/** @import { Point } from "./geometry.js" */
/** @typedef {Point & { disc: number, taken: boolean, pixels: number }} Place of a target */

// Path data of the signs in a circle of radius 1.
/** @type {Record<string, string>} */
const SIGNS = {
  win: "M-0.5 0.08L-0.14 0.42L0.52 -0.4",
  draw: "M-0.45 -0.22H0.45M-0.45 0.22H0.45",
  loss: "M-0.6 -0.6L0.6 0.6M-0.6 0.6L0.6 -0.6",
};

export class Overlays {
  /** @type {SVGSVGElement | null} */ #svg = null;
  /** @type {Targets} */ #targets = new Map();
  /** @type {Map<string, SVGGElement>} */ #groups = new Map();

  // Attaches the overlays to a new drawing, empty.
  /** @param {SVGSVGElement} svg @param {Targets} targets */
  attach(svg, targets) {
    this.#svg = svg;
    this.#targets = targets;
    this.#groups.clear();
  }

  // Values and arrows of the engine; unknown targets are skipped.
  /** @param {Mark[]} marks */
  paint(marks) {
    for (const target of this.#targets.values()) target.removeAttribute("aria-description");
    this.#fill("painted", marks.flatMap((mark) => this.#painted(mark)));
    for (const { target, kind, label } of marks) {
      const description = [kind === "arrow" ? "" : kind, label].filter(Boolean).join(", ");
      const element = this.#targets.get(target);
      const before = element?.getAttribute("aria-description");
      if (description) element?.setAttribute("aria-description", before ? `${before}, ${description}` : description);
    }
  }

  // The user's arrows, and circles, which have no `to`.
  /** @param {Arrow[]} marks */
  mark(marks) {
    this.#fill("marked", marks.flatMap(({ from, to, colour }) => {
      const parts = this.#painted({ target: from, to, kind: to ? "arrow" : "circle" });
      if (colour) for (const part of parts) part.classList.add(colour);
      return parts;
    }));
  }

  // Premoves, numbered in order.
  /** @param {string[]} names */
  plan(names) {
    this.#fill("planned", names.flatMap((name, i) => this.#painted({ target: name, kind: "plan", label: names.length > 1 ? `${i + 1}` : "" })));
  }

  // Targets of the later steps of a hint; one that is not in this drawing is copied from a drawing that has it.
  /** @param {string[]} names @param {string} svg */
  hint(names, svg) {
    const other = svg ? parseDrawing(svg) : null;
    this.#fill("hint", names.flatMap((name) => {
      if (this.#targets.has(name)) return this.#painted({ target: name, kind: "later" });
      const target = other?.querySelector(`[data-target="${CSS.escape(name)}"]`);
      const around = target?.closest("[transform]") ?? target;
      if (!around) return [];
      for (const each of [around, ...around.querySelectorAll("[data-target]")]) each.removeAttribute("data-target");
      around.querySelector(".touch")?.remove();
      return [/** @type {SVGElement} */ (around)];
    }));
  }

  // A ring around the target that is aimed at; the next tap there touches it.
  /** @param {string | null} name @param {string} label */
  aim(name, label) {
    this.#fill("aim", name ? this.#painted({ target: name, kind: "aim", label }) : []);
  }

  /** @param {string} kind @param {SVGElement[]} elements */
  #fill(kind, elements) {
    this.#groups.get(kind)?.remove();
    this.#groups.delete(kind);
    if (!this.#svg || !elements.length) return;
    const group = make("g", { class: `layer ${kind}`, "aria-hidden": "true" }, ...elements);
    this.#groups.set(kind, group);
    this.#svg.append(group);
  }

  /** @param {Mark} mark @returns {SVGElement[]} */
  #painted({ target, to, kind, label = "" }) {
    const from = this.#place(target);
    if (!from) return [];
    if (kind === "arrow") {
      const end = this.#place(to);
      return end ? [this.#arrow(from, end)] : [];
    }
    const valued = kind in SIGNS;
    const inDisc = valued && from.disc > 0; // marks the whole disc, with the sign below its arrow
    const badge = valued && (inDisc || from.taken); // leaves the content of the target visible
    const share = kind === "aim" ? Math.max(0.9, 24 / from.pixels) : badge ? 0.22 : valued ? 0.34 : 0.47;
    const radius = inDisc ? from.disc * 0.21 : from.size * share;
    const y = inDisc ? from.y + from.disc * 0.27 : badge ? from.y + from.size * 0.3 : from.y;
    /** @type {SVGElement[]} */
    const parts = [make("circle", { r: radius, class: "edge" }), make("circle", { r: radius, class: "body" })];
    if (inDisc) parts.unshift(make("circle", { cy: from.y - y, r: from.disc * 0.52, class: "ring" }));
    if (valued) parts.push(make("path", { d: SIGNS[kind], class: "sign", transform: `scale(${radius})` }));
    if (label) parts.push(this.#label(label, from, radius, kind));
    return [make("g", { class: `paint ${kind}`, transform: `translate(${from.x} ${y})` }, ...parts)];
  }

  /** @param {string} text @param {{ size: number, pixels: number }} place @param {number} radius @param {string} kind */
  #label(text, { size, pixels }, radius, kind) {
    const large = kind === "aim" || kind === "plan";
    const height = Math.max(size * 0.3, (large ? 13 : 9) * (size / pixels));
    const y = kind === "aim" ? -radius - height * 0.8 : kind === "plan" ? 0 : radius + height * 0.35;
    const element = make("text", { y, "font-size": height, class: "mark-label" });
    element.textContent = text;
    return element;
  }

  /** @param {Place} from @param {Place} to */
  #arrow(from, to) {
    const [right, down] = [to.x - from.x, to.y - from.y];
    const length = Math.hypot(right, down) || 1;
    const size = Math.min(from.size, to.size) * 0.5;
    const end = Math.max(length - size * 0.3, 1);
    const head = Math.min(size, end);
    const d = `M${size * 0.4} 0H${end - head * 0.6}M${end - head} ${-head * 0.55}L${end} 0L${end - head} ${head * 0.55}`;
    const turn = (Math.atan2(down, right) * 180) / Math.PI;
    const paths = ["edge", "body"].map((kind) => make("path", { d, class: kind }));
    return make("g", { class: "paint arrow-mark", transform: `translate(${from.x} ${from.y}) rotate(${turn})` }, ...paths);
  }

  /** @param {string | undefined} name @returns {Place | null} */
  #place(name) {
    const element = this.#targets.get(name ?? "");
    if (!element || !this.#svg) return null;
    const matrix = toDrawing(this.#svg);
    const disc = element.querySelector(".disc");
    const place = { ...centre(touchOf(element), matrix), disc: 0 };
    if (disc) {
      const { x, y, size } = centre(disc, matrix);
      Object.assign(place, { x, y, disc: size });
    }
    const taken = element.querySelector(".ball, .choice") !== null;
    return { ...place, taken, pixels: place.size / Math.hypot(matrix.a, matrix.b) };
  }
}
