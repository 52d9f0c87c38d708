// A picture that can be looked at closely: larger, smaller, as wide as there is room, and scrolled.

import { make } from "/static/dom.js";

const STEP = 1.3;
const LEAST = 0.15;
const MOST = 4;
const LEGIBLE = 0.62; // a picture is not shown smaller at first, even if it has to be scrolled then

export class Picture {
  #root;
  #room;
  #svg = null;
  #scale = null; // null: as it fits
  #told;

  constructor(root, label) {
    this.#root = root;
    const act = (text, name, what) => make("button", { type: "button", onclick: what, ariaLabel: `${name}: ${label}`, title: name }, text);
    this.#told = make("span", { className: "scale", ariaHidden: "true" });
    const bar = make(
      "div",
      { className: "zoom" },
      act("−", "Smaller", () => this.#zoom(this.#shown() / STEP)),
      act("+", "Larger", () => this.#zoom(this.#shown() * STEP)),
      act("Fit", "Fit", () => this.#zoom(this.#fitting())),
      this.#told,
    );
    this.#room = make("div", { className: "room", tabIndex: 0, role: "region", ariaLabel: label });
    root.classList.add("picture");
    root.replaceChildren(bar, this.#room);
    new ResizeObserver(() => this.#scale === null && this.#apply()).observe(this.#room);
  }

  get svg() {
    return this.#svg;
  }

  // Show a drawing; how close one is stays as it is, where that was chosen.
  show(text) {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    const svg = document.importNode(parsed, true);
    svg.querySelector(":scope > defs")?.remove(); // it uses none, and their names would be there twice
    svg.querySelector(":scope > .ground")?.remove();
    const title = svg.querySelector(":scope > title");
    svg.setAttribute("aria-label", [title?.textContent, svg.querySelector(":scope > desc")?.textContent].join(": "));
    title?.remove();
    svg.querySelector(":scope > desc")?.remove();
    this.#svg = svg;
    this.#room.replaceChildren(svg);
    this.#apply();
  }

  // Mark nodes by their names, and nothing else, with a class.
  mark(names, kind) {
    const wanted = new Set(names);
    for (const node of this.#svg?.querySelectorAll("[data-node]") ?? []) node.classList.toggle(kind, wanted.has(node.dataset.node));
  }

  // Bring a marked node into view, within the picture alone.
  reveal(kind) {
    const box = this.#svg?.querySelector(`.${kind}`)?.getBoundingClientRect();
    if (!box) return;
    const room = this.#room.getBoundingClientRect();
    if (box.left < room.left || box.right > room.right) this.#room.scrollLeft += box.left + box.width / 2 - room.left - room.width / 2;
    if (box.top < room.top || box.bottom > room.bottom) this.#room.scrollTop += box.top + box.height / 2 - room.top - room.height / 2;
  }

  clear() {
    this.#svg = null;
    this.#scale = null;
    this.#room.replaceChildren();
  }

  #size() {
    const [, , width, height] = this.#svg.getAttribute("viewBox").split(" ").map(Number);
    return { width, height };
  }

  #fitting() {
    const { width } = this.#size();
    return Math.min(Math.max((this.#room.clientWidth - 2) / width, LEAST), 1.25);
  }

  #shown() {
    return this.#scale ?? Math.max(this.#fitting(), LEGIBLE);
  }

  #zoom(scale) {
    if (!this.#svg) return;
    const room = this.#room;
    const x = (room.scrollLeft + room.clientWidth / 2) / room.scrollWidth;
    const y = (room.scrollTop + room.clientHeight / 2) / room.scrollHeight;
    this.#scale = Math.min(Math.max(scale, LEAST), MOST);
    this.#apply();
    room.scrollLeft = x * room.scrollWidth - room.clientWidth / 2;
    room.scrollTop = y * room.scrollHeight - room.clientHeight / 2;
  }

  #apply() {
    if (!this.#svg || !this.#room.clientWidth) return;
    const { width, height } = this.#size();
    const scale = this.#shown();
    this.#svg.style.width = `${width * scale}px`;
    this.#svg.style.height = `${height * scale}px`;
    this.#told.textContent = `${Math.round(scale * 100)} %`;
  }
}
