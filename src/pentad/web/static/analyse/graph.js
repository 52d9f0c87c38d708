// The graph of values over a game: a picture for navigation, and a table for screen readers.

import { make as draw } from "../board/geometry.js";
import { byId, capitalize, make } from "../dom.js";
import { MARKS, moveText } from "./tree.js";
import { EVALUATIONS, shownColours } from "./values.js";
import { phrase } from "../words.js";

/** @import { Node, Tree } from "./tree.js" */
/** @import { Reading } from "./values.js" */

const WIDTH = 600;
const HEIGHT = 150;
const EDGE = 12;
const DASHES = ["", "9 5", "2 5", "12 4 2 4", "5 3"]; // seats differ in dashes as well as in colour
const LINES = ["solid line", "long dashes", "dots", "dash and dot", "short dashes"]; // their names

/** @param {number} move @param {string} value */
const placeText = (move, value) => (move ? phrase("After move {move}: {value}", { move, value }) : phrase("At the start: {value}", { value }));

const FINGER = 16; // pixels; a press so near to a marked move is for it

// The number of the node at a place of the graph, from 0 to 1 of its width in pixels; a marked node near it comes first.
/** @param {number} place @param {number} width @param {boolean[]} marked */
export function nodeAt(place, width, marked) {
  const last = Math.max(1, marked.length - 1);
  const pixels = (/** @type {number} */ number) => (width * (EDGE + (number / last) * (WIDTH - 2 * EDGE))) / WIDTH;
  const distances = marked.map((_, number) => Math.abs(pixels(number) - place * width));
  const near = distances.filter((distance, number) => marked[number] && distance <= FINGER);
  return distances.indexOf(Math.min(...(near.length ? near : distances)));
}

export class Graph {
  #root = byId("graph");
  /** @type {Reading} */ #reading;
  /** @type {(id: number) => void} */ #go;
  /** @type {Node[]} */ #line = [];
  #at = 0;

  // `go` is called with the id of the chosen node; `reading` says what is shown of nodes.
  /** @param {(id: number) => void} go @param {Reading} reading */
  constructor(go, reading = EVALUATIONS) {
    this.#go = go;
    this.#reading = reading;
    this.#root.addEventListener("click", (event) => {
      const box = this.#root.getBoundingClientRect();
      this.#step(nodeAt((event.clientX - box.left) / box.width, box.width, this.#line.map((node) => Boolean(node.mark))));
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
    const levels = this.#line.map((node) => this.#reading.levels(tree, node));
    const hasValues = levels.some(Boolean);
    this.#root.hidden = byId("graph-table").hidden = !hasValues;
    if (!hasValues) return;
    /** @param {Node} node */
    const textOf = (node) => (this.#reading.levels(tree, node) ? this.#reading.text(tree, node) : "unknown");
    this.#root.setAttribute("role", "slider");
    this.#root.setAttribute("tabindex", "0");
    this.#root.setAttribute("aria-label", this.#reading.title);
    this.#root.setAttribute("aria-valuemin", "0");
    this.#root.setAttribute("aria-valuemax", String(this.#line.length - 1));
    this.#root.setAttribute("aria-valuenow", String(this.#at));
    this.#root.setAttribute("aria-valuetext", placeText(this.#at, textOf(this.#line[this.#at])));
    this.#root.replaceChildren(this.#picture(tree, levels), this.#key(tree));
    byId("graph-table").replaceChildren(
      make("caption", {}, this.#reading.title),
      make("thead", {}, make("tr", {}, ...["Move", this.#reading.column, "Exact"].map((each) => make("th", { scope: "col" }, each)))),
      make(
        "tbody",
        {},
        ...this.#line
          .map((node, ply) => ({ node, ply }))
          .filter(({ ply }) => levels[ply])
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

  /** @param {Tree} tree @param {Array<number[] | null>} levels */
  #picture(tree, levels) {
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
      levels.forEach((level, ply) => {
        if (level) path += `${joined ? "L" : "M"}${x(ply).toFixed(1)} ${y(level[seat]).toFixed(1)}`;
        joined = Boolean(level);
      });
      svg.append(draw("path", { d: path, class: `values seat-${seat}`, "stroke-dasharray": DASHES[seat % DASHES.length] }));
      this.#line.forEach((node, ply) => {
        const level = levels[ply];
        if (!level) return;
        const [cx, cy] = [x(ply), y(level[seat])];
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

