// The choice of a look for boards and pieces, in the settings: a small picture of each.

import { every, make, save, saved } from "../dom.js";
import { make as draw } from "../board/geometry.js";

/** @typedef {{ name: string, title: string }} Look */

// As in pentad.drawing.themes; the first is the look of a drawing without a choice.
/** @type {Record<string, Look[]>} */
export const LOOKS = {
  board: [
    { name: "wood", title: "Wood" },
    { name: "slate", title: "Slate" },
    { name: "paper", title: "Paper" },
  ],
  pieces: [
    { name: "glass", title: "Glass" },
    { name: "stone", title: "Stone" },
    { name: "flat", title: "Flat" },
  ],
};

// Fills every element with `data-looks`, and keeps what is chosen.
export function initLooks() {
  for (const group of every("[data-looks]")) {
    const kind = group.dataset.looks ?? "";
    const chosen = saved(`look-${kind}`, LOOKS[kind][0].name);
    group.replaceChildren(...LOOKS[kind].map((look) => option(kind, look, look.name === chosen)));
  }
}

/** @param {string} kind @param {Look} look @param {boolean} isChosen */
function option(kind, { name, title }, isChosen) {
  const box = make("input", { type: "radio", name: `look-${kind}`, value: name, checked: isChosen, className: "visually-hidden" });
  box.addEventListener("change", () => {
    save(`look-${kind}`, name);
    dispatchEvent(new Event("look")); // looks.js then applies the look
  });
  return make("label", { className: "look" }, box, picture(kind, name), make("span", {}, title));
}

// A board with a white and a black piece in this look; of the other kind it has what is chosen.
/** @param {string} kind @param {string} name */
function picture(kind, name) {
  const id = `look-${kind}-${name}`;
  const wood = draw(
    "linearGradient", { id: `${id}-wood`, x2: 0.35, y2: 1 },
    draw("stop", { class: "from-light" }), draw("stop", { offset: 1, class: "to-dark" }),
  );
  const board = draw("rect", { x: 1, y: 1, width: 94, height: 54, rx: 9, class: "tile" });
  board.style.fill = `url(#${id}-wood)`; // the rule of boards would take that of the board on the page
  const hollow = draw("circle", { cx: 48, cy: 28, r: 9, class: "hole" });
  Object.assign(hollow.style, { fill: "var(--hole-deep)", stroke: "var(--lip)" });
  return draw(
    "svg", { viewBox: "0 0 96 58", class: "pentad", [`data-${kind}`]: name, "aria-hidden": "true" },
    draw("defs", {}, wood, ...["white", "black"].map((colour) => light(id, colour))),
    draw("rect", { x: 1, y: 3, width: 94, height: 54, rx: 9, class: "side" }),
    board,
    hollow,
    piece(id, "white", 22),
    piece(id, "black", 74),
  );
}

/** @param {string} id @param {string} colour */
const light = (id, colour) =>
  draw(
    "radialGradient", { id: `${id}-${colour}`, class: `light-${colour}`, cx: 0.36, cy: 0.3, r: 0.8 },
    draw("stop", { class: "shine" }), draw("stop", { offset: 0.66, class: "base" }), draw("stop", { offset: 1, class: "rim-light" }),
  );

/** @param {string} id @param {string} colour @param {number} x */
const piece = (id, colour, x) =>
  draw(
    "g", { class: colour },
    draw("circle", { cx: x + 1, cy: 30, r: 16, class: "shadow" }),
    draw("circle", { cx: x, cy: 28, r: 16, class: "marble", fill: `url(#${id}-${colour})` }),
  );
