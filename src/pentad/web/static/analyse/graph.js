// The graph of values over a game: a picture for navigation, and a table for screen readers.

import { make as draw } from "../board/geometry.js";
import { byId, capitalize, make } from "../dom.js";
import { MARKS, moveText } from "./tree.js";
import { shownColours, shownValues, valueText } from "./values.js";
import { phrase } from "../words.js";

/** @import { Node, Tree } from "./tree.js" */


const WIDTH = 600;
const HEIGHT = 150;
const EDGE = 12;
const DASHES = ["", "9 5", "2 5", "12 4 2 4", "5 3"]; // seats differ in dashes as well as in colour
const LINES = ["solid line", "long dashes", "dots", "dash and dot", "short dashes"]; // their names

/** @param {number} move @param {string} value */
const placeText = (move, value) => (move ? phrase("After move {move}: {value}", { move, value }) : phrase("At the start: {value}", { value }));

export class Graph {
  #root = byId("graph");
  /** @type {(id: number) => void} */ #go;
  /** @type {Node[]} */ #line = [];
  #at = 0;

  // `go` is called with the id of the chosen node.
  /** @param {(id: number) => void} go */
  constructor(go) {
    this.#go = go;
    this.#root.addEventListener("click", (event) => {
      const box = this.#root.getBoundingClientRect();
      this.#step(Math.round(((event.clientX - box.left) / box.width) * (this.#line.length - 1)));
    });
    this.#root.addEventListener("keydown", (event) => {
      const to = { ArrowLeft: this.#at - 1, ArrowRight: this.#at + 1, Home: 0, End: this.#line.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      this.#step(to);
    });
  }

  /** @param {number} to */
  #step(to) {
    const node = this.#line[Math.max(0, Math.min(this.#line.length - 1, to))];
    if (node) this.#go(node.id);
  }

  /** @param {Tree} tree */
  show(tree) {
    this.#line = tree.line();
    this.#at = tree.path().length - 1;
    const hasValues = this.#line.some((node) => node.values);
    this.#root.hidden = byId("graph-table").hidden = !hasValues;
    if (!hasValues) return;
    /** @param {Node} node */
    const textOf = (node) => (node.values ? valueText(tree, node) : "unknown");
    this.#root.setAttribute("role", "slider");
    this.#root.setAttribute("tabindex", "0");
    this.#root.setAttribute("aria-label", "Evaluation graph");
    this.#root.setAttribute("aria-valuemin", "0");
    this.#root.setAttribute("aria-valuemax", String(this.#line.length - 1));
    this.#root.setAttribute("aria-valuenow", String(this.#at));
    this.#root.setAttribute("aria-valuetext", placeText(this.#at, textOf(this.#line[this.#at])));
    this.#root.replaceChildren(this.#picture(tree), this.#key(tree));
    byId("graph-table").replaceChildren(
      make("caption", {}, "Evaluation graph"),
      make("thead", {}, make("tr", {}, ...["Move", "Value", "Exact"].map((each) => make("th", { scope: "col" }, each)))),
      make(
        "tbody",
        {},
        ...this.#line
          .map((node, ply) => ({ node, ply }))
          .filter(({ node }) => node.values)
          .map(({ node, ply }) =>
            make(
              "tr",
              {},
              make("th", { scope: "row" }, ply ? `${ply}. ${moveText(node)}${node.mark}` : "Start"),
              make("td", {}, textOf(node)),
              make("td", {}, node.proved ? "Yes" : "No"),
            ),
          ),
      ),
    );
  }

  /** @param {Tree} tree */
  #picture(tree) {
    /** @param {Node} node @param {number} number */
    const value = (node, number) => shownValues(tree, node)[number].value;
    const last = Math.max(1, this.#line.length - 1);
    /** @param {number} ply */
    const x = (ply) => EDGE + (ply / last) * (WIDTH - 2 * EDGE);
    /** @param {number} level */
    const y = (level) => EDGE + ((1 - level) / 2) * (HEIGHT - 2 * EDGE);
    const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true", preserveAspectRatio: "none" });
    for (const level of [1, 0, -1]) {
      svg.append(draw("line", { x1: EDGE, x2: WIDTH - EDGE, y1: y(level), y2: y(level), class: level ? "bound" : "even" }));
    }
    svg.append(draw("line", { x1: x(this.#at), x2: x(this.#at), y1: 0, y2: HEIGHT, class: "now" }));
    for (const seat of shownColours(tree).keys()) {
      // A line through consecutive known values, and a dot at each.
      let path = "";
      let joined = false;
      this.#line.forEach((node, ply) => {
        if (node.values) path += `${joined ? "L" : "M"}${x(ply).toFixed(1)} ${y(value(node, seat)).toFixed(1)}`;
        joined = Boolean(node.values);
      });
      svg.append(draw("path", { d: path, class: `values seat-${seat}`, "stroke-dasharray": DASHES[seat % DASHES.length] }));
      this.#line.forEach((node, ply) => {
        if (!node.values) return;
        const [cx, cy] = [x(ply), y(value(node, seat))];
        const kind = [node.proved ? "proved" : "guess", ...(node.mark ? ["marked", MARKS[node.mark]] : [])].join(" ");
        svg.append(draw("path", { d: `M${cx.toFixed(1)} ${cy.toFixed(1)}h0`, class: `dot-ring seat-${seat} ${kind}` }));
        svg.append(draw("path", { d: `M${cx.toFixed(1)} ${cy.toFixed(1)}h0`, class: `dot-core seat-${seat} ${kind}` }));
      });
    }
    return svg;
  }

  /** @param {Tree} tree */
  #key(tree) {
    const colours = shownColours(tree);
    const parts = colours.length === 1
      ? [phrase("Above the middle line, {first} is better; below it, {second} is. Filled dots are exact.", {
          first: capitalize(tree.colours[0]),
          second: capitalize(tree.colours[1]),
        })]
      : colours.map((colour, seat) => phrase("{colour}: {line}", { colour: capitalize(colour), line: LINES[seat % LINES.length] }));
    return make("p", { className: "small", ariaHidden: "true" }, parts.join(" · "));
  }
}

