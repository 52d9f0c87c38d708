// The board of a notebook: shows the drawing that Python sends, and sends touches of its targets back. Without a kernel a
// standalone board is played here.

/** @import { Standalone } from "./standalone.js" */

/**
 * @typedef {object} View what Python wants to be shown
 * @property {string} svg
 * @property {string} status
 * @property {string} detail
 * @property {string[]} open the targets that can be touched
 * @property {string[]} touched
 * @property {boolean} mayEnd
 * @property {boolean} hasBegun
 * @property {number} moves the number of moves played
 * @property {string} position
 * @typedef {object} Model
 * @property {((name: "_drawn") => View) & ((name: "_rules") => string) & ((name: "moves") => string[])} get
 * @property {(name: "_seen", value: string) => void} set
 * @property {() => void} save_changes
 * @property {(message: object) => void} send
 * @property {(event: string, act: () => void) => void} on
 * @property {(event: string, act: () => void) => void} off
 */

const FEW = 8; // up to so many targets are highlighted
const DISCONNECTED = "jupyter-widgets-disconnected"; // the class of Jupyter's widgets without a kernel

/** @type {Record<string, [number, number]>} */
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {{ model: Model, el: HTMLElement }} given */
function render({ model, el }) {
  const root = document.createElement("div");
  const board = document.createElement("div");
  const status = document.createElement("p");
  const detail = document.createElement("p");
  const alone = document.createElement("p");
  const buttons = document.createElement("div");
  root.className = "pentad-notebook";
  board.className = "pentad-notebook-board";
  status.className = "pentad-notebook-status";
  status.setAttribute("role", "status");
  alone.textContent = "This board is not connected to a kernel. You can play for all players here.";
  buttons.className = "pentad-notebook-buttons";
  root.append(board, status, detail, alone, buttons);
  el.append(root);

  /** @type {Standalone | null} */ let game = null; // that is played without a kernel
  const viewOf = () => game?.view ?? model.get("_drawn");

  /** @param {{ touch?: string, act?: string }} message */
  const send = (message) => {
    if (!game) return model.send({ ...message, moves: model.get("_drawn").moves });
    game.receive(message);
    return draw();
  };

  /** @param {string} text @param {string} act */
  const button = (text, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.onclick = () => send({ act });
    buttons.append(made);
    return made;
  };
  const cancel = button("Cancel", "cancel");
  const end = button("End turn", "end");
  const undo = button("Take back", "undo");

  /** @type {string | null} */ let current = null; // the target in the tab order

  const draw = () => {
    const view = viewOf();
    const focused = root.getRootNode();
    const hadFocus = board.contains(/** @type {Document | ShadowRoot} */ (focused).activeElement);
    const { documentElement } = new DOMParser().parseFromString(view.svg, "image/svg+xml");
    const svg = document.importNode(documentElement, true);
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", svg.querySelector(":scope > title")?.textContent ?? "Board");
    svg.querySelectorAll(":scope > title, :scope > desc").forEach((each) => each.remove());
    for (const target of targetsOf(svg)) {
      const name = target.dataset.target ?? "";
      const label = target.querySelector(":scope > title");
      target.setAttribute("aria-label", label?.textContent ?? name);
      label?.remove(); // it would be a tooltip over the board
      const isOpen = view.open.includes(name);
      target.classList.toggle("can", isOpen);
      target.classList.toggle("few", isOpen && view.open.length <= FEW);
      target.classList.toggle("touched", view.touched.includes(name));
      target.setAttribute("role", "button");
      target.setAttribute("aria-disabled", String(!isOpen && !view.touched.includes(name)));
      if (isOpen) target.setAttribute("tabindex", "-1");
    }
    board.replaceChildren(svg);
    status.textContent = view.status;
    detail.textContent = view.detail;
    alone.hidden = !game;
    cancel.hidden = !view.hasBegun;
    end.hidden = !view.mayEnd;
    undo.hidden = !view.moves || view.hasBegun;
    select(view.open.includes(current ?? "") ? current : (view.open[0] ?? null), hadFocus);
  };

  /** @param {string | null} name @param {boolean} isFocused */
  const select = (name, isFocused) => {
    for (const target of targetsOf(board)) {
      if (!target.classList.contains("can")) continue;
      const isCurrent = target.dataset.target === name;
      target.setAttribute("tabindex", isCurrent ? "0" : "-1");
      if (isCurrent && isFocused) target.focus({ preventScroll: true });
    }
    current = name;
  };

  board.onclick = (event) => {
    const name = targetAround(event)?.dataset.target;
    if (name) send({ touch: name });
  };
  board.onkeydown = (event) => {
    const target = targetAround(event);
    if (event.key === "Escape" && viewOf().hasBegun) send({ act: "cancel" });
    else if (target && (event.key === "Enter" || event.key === " ")) send({ touch: target.dataset.target });
    else if (target && event.key in DIRECTIONS) select(neighbour(board, target, DIRECTIONS[event.key]), true);
    else return;
    event.preventDefault();
    event.stopPropagation(); // the notebook has keys of its own
  };
  const show = async () => {
    game = null;
    draw();
    const isAlone = () => el.classList.contains(DISCONNECTED);
    const loaded = isAlone() && model.get("_rules") ? await load(model) : null;
    if (!loaded || !isAlone()) return;
    game = loaded;
    draw();
  };
  // Cells of marimo follow only what the page itself has changed.
  const follow = () => {
    show();
    model.set("_seen", model.get("_drawn").position);
    model.save_changes();
  };
  model.on("change:_drawn", follow);
  model.on("comm_live_update", show);
  show();
  return () => {
    model.off("change:_drawn", follow);
    model.off("comm_live_update", show);
  };
}

// The game after the moves that the notebook has, by the rules and the script in it.
/** @param {Model} model @returns {Promise<Standalone>} */
async function load(model) {
  const bytes = Uint8Array.from(atob(model.get("_rules")), (each) => each.charCodeAt(0));
  const { script, rules } = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  return (await import(url)).Standalone.load(rules, model.get("moves"));
}

/** @param {Element} root */
const targetsOf = (root) => /** @type {NodeListOf<SVGElement>} */ (root.querySelectorAll("[data-target]"));

/** @param {Event} event @returns {SVGElement | null} */
const targetAround = ({ target }) => (target instanceof Element ? target.closest("[data-target]") : null);

/** @param {Element} element */
function middle(element) {
  const { left, top, width, height } = (element.querySelector(".touch") ?? element).getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

// The name of the nearest open target in a direction, else of the same one.
/** @param {Element} root @param {SVGElement} from @param {[number, number]} direction */
function neighbour(root, from, [dx, dy]) {
  const start = middle(from);
  let [best, least] = [from, Infinity];
  for (const target of targetsOf(root)) {
    if (!target.classList.contains("can") || target === from) continue;
    const { x, y } = middle(target);
    const along = (x - start.x) * dx + (y - start.y) * dy;
    const aside = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx);
    const cost = along + 2 * aside;
    if (along > 0.5 && aside <= 2 * along && cost < least) [best, least] = [target, cost];
  }
  return best.dataset.target ?? null;
}

export default { render };
