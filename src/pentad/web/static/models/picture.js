// A picture that can be zoomed, fitted to the width, and scrolled.

import { parseDrawing, shapes } from "../board/geometry.js";
import { make } from "../dom.js";

const STEP = 1.3;
const MIN_SCALE = 0.15;
const MAX_SCALE = 4;
const LEGIBLE = 0.62; // the smallest initial scale; wider pictures scroll

export class Picture {
  /** @type {HTMLElement} */ #viewport;
  /** @type {SVGSVGElement | null} */ #svg = null;
  /** @type {number | null} */ #scale = null; // null fits the width
  #scaleLabel;

  /** @param {HTMLElement} root @param {string} label */
  constructor(root, label) {
    /** @param {string} text @param {string} name @param {() => void} act */
    const zoomButton = (text, name, act) => make("button", { type: "button", onclick: act, ariaLabel: `${name}: ${label}`, title: name }, text);
    this.#scaleLabel = make("span", { className: "scale", ariaHidden: "true" });
    const bar = make(
      "div",
      { className: "zoom" },
      zoomButton("−", "Zoom out", () => this.#zoom(this.#currentScale() / STEP)),
      zoomButton("+", "Zoom in", () => this.#zoom(this.#currentScale() * STEP)),
      zoomButton("Fit", "Fit", () => this.#zoom(this.#fitScale())),
      this.#scaleLabel,
    );
    this.#viewport = make("div", { className: "viewport", tabIndex: 0, role: "region", ariaLabel: label });
    root.classList.add("picture");
    root.replaceChildren(bar, this.#viewport);
    new ResizeObserver(() => this.#scale === null && this.#apply()).observe(this.#viewport);
  }

  get svg() {
    return this.#svg;
  }

  // Shows a drawing; a chosen scale is kept.
  /** @param {string} text */
  show(text) {
    const svg = parseDrawing(text);
    svg.querySelector(":scope > defs")?.remove(); // unused here, and its ids would be duplicates
    svg.querySelector(":scope > .ground")?.remove();
    const title = svg.querySelector(":scope > title");
    svg.setAttribute("aria-label", [title?.textContent, svg.querySelector(":scope > desc")?.textContent].join(": "));
    title?.remove();
    svg.querySelector(":scope > desc")?.remove();
    this.#svg = svg;
    this.#viewport.replaceChildren(svg);
    this.#apply();
  }

  // Sets a class on the named nodes only.
  /** @param {string[]} names @param {string} kind */
  mark(names, kind) {
    const wanted = new Set(names);
    for (const node of this.#svg ? shapes(this.#svg, "[data-node]") : []) node.classList.toggle(kind, wanted.has(node.dataset.node ?? ""));
  }

  // Scrolls the picture, not the page, to a node with this class.
  /** @param {string} kind */
  reveal(kind) {
    const box = this.#svg?.querySelector(`.${kind}`)?.getBoundingClientRect();
    if (!box) return;
    const viewport = this.#viewport.getBoundingClientRect();
    if (box.left < viewport.left || box.right > viewport.right) this.#viewport.scrollLeft += box.left + box.width / 2 - viewport.left - viewport.width / 2;
    if (box.top < viewport.top || box.bottom > viewport.bottom) this.#viewport.scrollTop += box.top + box.height / 2 - viewport.top - viewport.height / 2;
  }

  clear() {
    this.#svg = null;
    this.#scale = null;
    this.#viewport.replaceChildren();
  }

  #size() {
    const [, , width, height] = (this.#svg?.getAttribute("viewBox") ?? "0 0 1 1").split(" ").map(Number);
    return { width, height };
  }

  #fitScale() {
    const { width } = this.#size();
    return Math.min(Math.max((this.#viewport.clientWidth - 2) / width, MIN_SCALE), 1.25);
  }

  #currentScale() {
    return this.#scale ?? Math.max(this.#fitScale(), LEGIBLE);
  }

  /** @param {number} scale */
  #zoom(scale) {
    if (!this.#svg) return;
    const viewport = this.#viewport;
    const x = (viewport.scrollLeft + viewport.clientWidth / 2) / viewport.scrollWidth;
    const y = (viewport.scrollTop + viewport.clientHeight / 2) / viewport.scrollHeight;
    this.#scale = Math.min(Math.max(scale, MIN_SCALE), MAX_SCALE);
    this.#apply();
    viewport.scrollLeft = x * viewport.scrollWidth - viewport.clientWidth / 2;
    viewport.scrollTop = y * viewport.scrollHeight - viewport.clientHeight / 2;
  }

  #apply() {
    if (!this.#svg || !this.#viewport.clientWidth) return;
    const { width, height } = this.#size();
    const scale = this.#currentScale();
    this.#svg.style.width = `${width * scale}px`;
    this.#svg.style.height = `${height * scale}px`;
    this.#scaleLabel.textContent = `${Math.round(scale * 100)}%`;
  }
}
