// The board: shows the drawing of any game and lets the user choose a move; it contains no rules.
//
// Its input is a drawing, in which every target has its name in `data-target`, and the current choices, each with
// the targets to touch in order. Mouse, touch and keyboard all do the same: they touch a target. Once the touches
// leave exactly one choice, the board reports it.

import { button, make as makeElement } from "./dom.js";
import { complete, continuing, firstChoice, fits } from "./board/choices.js";
import { showOptimistically } from "./board/optimistic.js";
import { PointerInput } from "./board/pointer.js";
import { Overlays } from "./board/overlays.js";
import { begin, snapshot } from "./board/motion.js";
import { degreesOf, rotationOf, turnedBy } from "./board/turning.js";
import { ALONE, centre, make, parseDrawing, relative, shapes, toDrawing, touchOf } from "./board/geometry.js";
import { phrase } from "./words.js";

/** @import { Choice } from "./board/choices.js" */
/** @typedef {Map<string, SVGGraphicsElement>} Targets by name */
/** @typedef {{ target: string, kind: string, to?: string, label?: string }} Mark a value drawn over the board */
/** @typedef {{ from: string, to?: string, colour?: string }} Arrow of the user; without an end, a circle */

const FEW = 8; // up to so many selectable places are highlighted
/** @type {Record<string, [number, number]>} */
const DIRECTIONS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export class Board {
  /** @type {HTMLElement} */ #root;
  /** @type {(choice: Choice) => void} */ #chosen;
  /** @type {() => void} */ #refused;
  /** @type {(label: string) => void} */ #begun;
  /** @type {(targets: string[]) => void} */ #plans;
  /** @type {((marks: Arrow[]) => void) | null} */ #drawn;
  isDrawing = false; // whether a press draws circles and arrows instead of moves
  colour = ""; // in which they are drawn
  #isOptimistic; #keys;
  /** @type {SVGSVGElement | null} */ #svg = null;
  /** @type {Targets} */ #targets = new Map(); // name → element, in drawing order
  /** @type {Choice[]} */ #choices = [];
  /** @type {string[]} */ #touched = [];
  /** @type {string | null} */ #current = null; // the name of the target in the tab order
  /** @type {{ x: number, y: number } | null} */ #place = null; // its position, to find the nearest one in the next drawing
  /** @type {SVGGElement | null} */ #frame = null;
  /** @type {((value?: unknown) => void) | null} */ #settle = null;
  #overlays = new Overlays();
  #pointer;
  /** @type {string | null} */ #shown = null; // the labels of all targets, which identify a position
  /** @type {Mark[]} */ #painted = []; // values from the engine
  /** @type {Arrow[]} */ #own = []; // the user's circles and arrows, { from, to }
  #premoves = false; // whether touches are recorded while there is nothing to choose
  /** @type {string[]} */ #planned = []; // the touches that are recorded
  #isPlanWhole = false; // whether they are a whole turn, so that the next touch begins another one
  /** @type {string | null} */ #aimed = null; // the target that is aimed at
  #confirm = button("", () => this.#aimed !== null && this.#touch(this.#aimed), { className: "main aimed", hidden: true }); // it touches that target
  /** @type {string | null} */ #carried = null; // the piece that was dragged, which needs no animation
  /** @type {{ elements: Element[], undo: Array<() => void>, since: number, rest: number | null } | null} */ #sent = null; // the choice that waits for an answer

  // `chosen` is called with a choice, `refused` on a touch without effect, `begun` with the label of a target after
  // which more touches are needed, and with "" when the choice is cancelled; `planned` with the touches of a premove when
  // the user changes them.
  // `drawn` is called with the user's circles and arrows after each change; without it they are lost at the next click.
  // An `optimistic` board draws a choice before the answer; `show` or `revertChoice` ends that. `keys` is the id of the
  // element that says which keys there are.
  /**
   * @param {HTMLElement} root
   * @param {{
   *   chosen: (choice: Choice) => void, refused: () => void, begun?: (label: string) => void,
   *   planned?: (targets: string[]) => void, drawn?: (marks: Arrow[]) => void, optimistic?: boolean, keys?: string,
   * }} how
   */
  constructor(root, { chosen, refused, begun = () => {}, planned = () => {}, drawn, optimistic = false, keys = "keys" }) {
    this.#root = root;
    this.#isOptimistic = optimistic;
    this.#keys = keys;
    this.#chosen = chosen;
    this.#refused = refused;
    this.#begun = begun;
    this.#plans = planned;
    this.#drawn = drawn ?? null;
    this.#pointer = new PointerInput(root, {
      svg: () => this.#drawing,
      targets: () => this.#targets,
      isOpen: (name) => this.#isOpen(name),
      canDrag: (name) => this.#canDrag(name),
      touch: (name) => this.#touch(name),
      lift: (name) => this.#lift(name),
      drop: (name, to) => this.#drop(name, to),
      draw: (from, to, colour) => this.#draw(from, to, colour || this.colour),
      isDrawing: () => this.isDrawing,
      clear: () => this.#clearMarks(),
      aimed: () => this.#aimed,
      aim: (name) => this.#aim(name),
      turn: (name) => this.#turn(name),
    });
    (root.closest(ALONE) ?? document.querySelector("[data-aim]") ?? document.querySelector(".notes"))?.append(this.#confirm);
    root.addEventListener("keydown", (event) => this.#key(event));
    root.addEventListener("focusin", (event) => this.#focused(/** @type {Element} */ (event.target)));
    root.addEventListener("focusout", () => this.#frame?.remove());
  }

  // Adopts the drawing in the page's HTML; touches are recorded as premoves until the choices are known.
  adopt() {
    this.#svg = this.#root.querySelector("svg");
    if (!this.#svg) return;
    this.#prepare();
    this.#relayer();
    this.setPremoves(true);
    this.#choosePlace();
  }

  // Shows a drawing with its choices. `fresh` animates the last move, `delay` lets a turned part wait;
  // the promise resolves at the end of the animation.
  /** @param {string} svg @param {Choice[]} choices */
  async show(svg, choices, { fresh = false, delay = false } = {}) {
    this.settle();
    this.#pointer.release();
    const seen = this.#sent && performance.now() - this.#sent.since; // milliseconds of animation so far
    const rest = this.#sent?.rest ?? null;
    this.#sent = null;
    const hadFocus = this.#root.contains(document.activeElement);
    const before = fresh ? snapshot(this.#svg) : null;
    const carried = this.#carried;
    this.#carried = null;
    this.#replace(svg);
    this.#choices = choices;
    this.#touched = [];
    this.#prepare();
    this.#relayer();
    this.#mark();
    this.#choosePlace();
    const drawn = this.#drawing;
    if (rest !== null) for (const each of shapes(drawn, "[data-turned]")) each.style.setProperty("--from", `${rest}deg`);
    const undo = before ? begin(drawn, before, this.#targets, carried) : [];
    if (hadFocus) this.#focus();
    if (!fresh) return;
    this.#root.classList.toggle("later", delay && seen === null);
    this.#root.classList.add("fresh");
    if (seen !== null) resumeAnimations(drawn, seen);
    const shown = drawn.getAnimations({ subtree: true }); // without optimistic ones that start meanwhile
    const ended = Promise.allSettled(shown.map((each) => each.finished));
    await Promise.race([ended, new Promise((settle) => (this.#settle = settle))]);
    if (this.#svg !== drawn) return; // replaced by another drawing
    this.#settle = null;
    for (const each of shown) each.cancel();
    this.#root.classList.remove("fresh", "later");
    for (const each of undo) each();
  }

  // Ends the current animation.
  settle() {
    this.#settle?.();
  }

  // Whether a choice needs further touches.
  get isBegun() {
    return this.#touched.length > 0;
  }

  // Cancels a partial choice and premoves; returns whether there were any.
  cancel() {
    const wasPlanned = this.#planned.length > 0;
    const begun = this.#touched.length > 0 || wasPlanned || this.#aimed !== null;
    this.#touched = [];
    this.#plan([]);
    this.#aim(null);
    this.#mark();
    if (begun) this.#begun("");
    if (wasPlanned) this.#plans([]);
    return begun;
  }

  // Drops all input and allows none until the next `show`.
  disable() {
    this.cancel();
    this.#choices = [];
    this.setPremoves(false);
    this.#root.ariaBusy = "true";
  }

  // Highlights targets, as a hint does, and marks those of its later steps, which only the drawing `svg` may have. The
  // marks of the last move step back meanwhile.
  /** @param {string[]} targets @param {string[]} later */
  point(targets, later = [], svg = "") {
    for (const [name, element] of this.#targets) element.classList.toggle("hinted", targets.includes(name));
    this.#overlays.hint(later, svg);
    this.#root.classList.toggle("hinting", targets.length > 0);
  }

  // The targets to choose from around one: in its part of the board, else in its ninth of all.
  /** @param {string} name */
  around(name) {
    const places = [...this.#targets].map(([each, element]) => ({ each, element, part: element.closest(".part"), ...centre(touchOf(element)) }));
    const target = places.find(({ each }) => each === name);
    if (!target) return [];
    /** @param {"x" | "y"} axis @param {number} place */
    const third = (axis, place) => {
      const all = places.map((each) => each[axis]);
      const least = Math.min(...all);
      return Math.min(2, Math.floor((3 * (place - least)) / (Math.max(...all) - least)));
    };
    /** @param {{ x: number, y: number }} place */
    const ninth = ({ x, y }) => `${third("x", x)} ${third("y", y)}`;
    const isNear = target.part ? (/** @type {typeof target} */ each) => each.part === target.part : (/** @type {typeof target} */ each) => ninth(each) === ninth(target);
    return places.filter((place) => place.element.classList.contains("can") && isNear(place)).map(({ each }) => each);
  }

  // Turns premoves on or off: touches that are recorded while there is nothing to choose.
  /** @param {boolean} enabled */
  setPremoves(enabled) {
    this.#premoves = enabled;
    if (!enabled && !this.#choices.length) this.#plan([]);
    this.#mark();
  }

  // The touches of the premove.
  get planned() {
    return this.#planned;
  }

  // Sets the touches of the premove.
  /** @param {string[]} targets */
  plan(targets) {
    this.#plan(targets);
    this.#mark();
  }

  // Tells that the premove is a whole turn.
  endPlan() {
    this.#isPlanWhole = true;
  }

  // Removes and returns the choice that the first recorded touches determine; null if there is none, and all are
  // dropped. The remaining touches wait for the next choices. Touches that only begin a choice select it.
  /** @param {Choice[]} choices @returns {Choice | null} */
  takePremove(choices) {
    const planned = this.#planned;
    const { choice, rest } = firstChoice(choices, planned);
    this.#plan(rest);
    if (!choice && planned.length && choices === this.#choices && continuing(choices, planned).length) {
      this.#touched = planned;
      this.#mark();
    }
    return choice;
  }

  // Draws values over the board: `{ target, kind, to, label }`, where `kind` is win, draw, loss, best or arrow.
  // They stay until the position changes.
  /** @param {Mark[]} marks */
  paint(marks) {
    this.#painted = marks;
    this.#overlays.paint(marks);
  }

  // Shows the circles and arrows of a position, as `drawn` gave them.
  /** @param {Arrow[]} marks */
  setMarks(marks) {
    this.#own = marks;
    this.#overlays.mark(marks);
  }

  // ── the drawing ──

  /** @param {string} svg */
  #replace(svg) {
    this.#svg = parseDrawing(svg);
    this.#root.replaceChildren(this.#svg);
  }

  get #drawing() {
    if (!this.#svg) throw new Error("The board has no drawing yet.");
    return this.#svg;
  }

  #prepare() {
    const svg = this.#drawing;
    const title = svg.querySelector(":scope > title");
    svg.setAttribute("role", "application");
    svg.setAttribute("aria-roledescription", "board");
    svg.setAttribute("aria-label", title?.textContent ?? "board");
    svg.setAttribute("aria-describedby", this.#keys);
    svg.querySelectorAll(":scope > title, :scope > desc").forEach((each) => each.remove());
    this.#targets = new Map();
    for (const element of shapes(svg, "[data-target]")) {
      const name = element.dataset.target ?? "";
      const label = element.querySelector(":scope > title");
      element.setAttribute("aria-label", label?.textContent ?? name);
      label?.remove(); // it would be a tooltip over the board
      element.setAttribute("role", "button");
      element.setAttribute("tabindex", "-1");
      this.#targets.set(name, element);
    }
  }

  // Marks of the user and of the engine stay until the position changes.
  #relayer() {
    const shown = [...this.#targets].map(([name, element]) => `${name}: ${element.getAttribute("aria-label")}`).sort().join("\n");
    if (shown !== this.#shown) [this.#own, this.#painted] = [[], []];
    this.#shown = shown;
    this.#overlays.attach(this.#drawing, this.#targets);
    this.#root.classList.remove("hinting");
    this.#aim(null);
    this.#overlays.paint(this.#painted);
    this.#overlays.mark(this.#own);
    this.#overlays.plan(this.#planned);
  }

  // Marks the targets that can be touched next and those that were.
  #mark() {
    const next = new Set(this.#continuing().map((choice) => choice.targets[this.#touched.length]));
    for (const [name, element] of this.#targets) {
      const open = next.has(name);
      element.classList.toggle("can", open);
      const touched = this.#touched.includes(name);
      element.classList.toggle("touched", touched);
      element.setAttribute("aria-disabled", String(!open && !touched && !this.#isPremoving()));
      if (touched) element.setAttribute("aria-pressed", "true");
      else element.removeAttribute("aria-pressed");
    }
    this.#root.classList.toggle("few", next.size > 0 && next.size <= FEW && this.#targets.size > 2 * next.size);
  }

  // ── touching ──

  #continuing() {
    return this.#sent ? [] : continuing(this.#choices, this.#touched);
  }

  /** @param {string} name */
  #isOpen(name) {
    return this.#isPremoving() || (this.#targets.get(name)?.classList.contains("can") ?? false);
  }

  // Whether a touch now is a premove.
  #isPremoving() {
    return this.#premoves && !this.#choices.length;
  }

  /** @param {string} name @returns {void} */
  #touch(name) {
    this.#aim(null);
    if (this.#sent) return undefined; // the last choice is not answered
    if (this.#isPremoving()) return this.#planTouch(name);
    if (this.#planned.length) this.#plan([]);
    let touched = [...this.#touched, name];
    if (!fits(this.#choices, touched) && this.#touched.length) {
      const again = this.#touched.at(-1) === name;
      const done = again ? complete(this.#choices, this.#touched) : [];
      if (done.length === 1) return this.#choose(done[0]);
      touched = again ? this.#touched.slice(0, -1) : [name]; // deselected, or another first target
      if (!again && !fits(this.#choices, touched)) return this.#refused();
    } else if (!fits(this.#choices, touched)) {
      return this.#refused();
    }
    this.#touched = touched;
    const done = complete(this.#choices, touched);
    if (done.length === 1 && !this.#continuing().length) return this.#choose(done[0]);
    this.#mark();
    this.#begun(this.#targets.get(touched.at(-1) ?? "")?.getAttribute("aria-label") ?? "");
    return undefined;
  }

  // Touches an arrow whose part was dragged; returns whether it stays turned.
  /** @param {string} name */
  #turn(name) {
    this.#touch(name);
    return this.#sent !== null;
  }

  /** @param {Choice} choice */
  #choose(choice) {
    this.#touched = [];
    if (this.#isOptimistic) this.expect(choice);
    else this.#mark();
    this.#chosen(choice);
  }

  // Draws a choice as if it had been accepted. Until `show` or `revertChoice`, nothing else can be chosen.
  /** @param {Choice} choice */
  expect({ targets }) {
    this.revertChoice();
    const elements = targets.flatMap((name) => this.#targets.get(name) ?? []);
    const rest = restOfTurn(elements.at(-1));
    const undo = this.#svg ? showOptimistically(this.#svg, elements, this.#carried) : [];
    this.#sent = { elements, undo, since: performance.now(), rest };
    for (const element of elements) element.classList.add("sent");
    this.#mark();
  }

  // Reverts a choice that was not accepted or could not be sent.
  revertChoice() {
    if (!this.#sent) return;
    const { elements, undo } = this.#sent;
    this.#sent = this.#carried = null;
    for (const each of undo) each();
    for (const element of elements) element.classList.remove("sent");
    this.#mark();
  }

  // ── premoves ──

  /** @param {string} name */
  #planTouch(name) {
    const again = this.#planned.at(-1) === name;
    const before = this.#isPlanWhole ? [] : this.#planned;
    this.plan(again ? this.#planned.slice(0, -1) : [...before, name]);
    this.#plans(this.#planned);
  }

  /** @param {string[]} names */
  #plan(names) {
    this.#planned = names;
    this.#isPlanWhole = false;
    for (const [name, element] of this.#targets) element.classList.toggle("planned", names.includes(name));
    this.#overlays.plan(names);
  }

  // ── dragging ──

  // Whether a target can be dragged: a choice continues from it, or a premove can move its piece.
  /** @param {string} name */
  #canDrag(name) {
    if (this.#sent) return false;
    if (this.#isPremoving()) return Boolean(this.#targets.get(name)?.querySelector(".ball[data-piece]"));
    if (this.#touched.at(-1) === name) return this.#continuing().length > 0;
    return [[...this.#touched, name], [name]].some((touched) => continuing(this.#choices, touched).length > 0);
  }

  /** @param {string} name */
  #lift(name) {
    if (this.#isPremoving() ? this.#planned.at(-1) !== name : this.#touched.at(-1) !== name) this.#touch(name);
    this.#targets.get(name)?.classList.add("lifted");
  }

  /** @param {string} name @param {string | null} to */
  #drop(name, to) {
    const lifted = this.#targets.get(name);
    lifted?.classList.remove("lifted");
    if (to === name) return; // dropped where it was: it stays selected
    if (to === null) {
      this.cancel();
      return;
    }
    if (!this.#isPremoving()) this.#carried = (lifted && shapes(lifted, ".ball[data-piece]")[0]?.dataset.piece) ?? null;
    this.#touch(to);
  }

  // ── circles, arrows, the aim ──

  // Adds a circle or an arrow of the user, or removes it if it exists; cancels premoves instead if there are any.
  /** @param {string} from @param {string} [to] */
  #draw(from, to, colour = this.colour) {
    if (this.#planned.length) {
      this.cancel();
      return;
    }
    const others = this.#own.filter((each) => each.from !== from || each.to !== to);
    const same = this.#own.some((each) => each.from === from && each.to === to && (each.colour ?? "") === colour);
    this.setMarks(same ? others : [...others, { from, to, colour }]);
    this.#drawn?.(this.#own);
  }

  #clearMarks() {
    if (this.#own.length && !this.#drawn) this.setMarks([]);
  }

  /** @param {string | null} name */
  #aim(name) {
    this.#aimed = name;
    const target = this.#targets.get(name ?? "");
    const place = target?.getAttribute("aria-label")?.split(",")[0] ?? "";
    const short = target?.dataset.short ?? "";
    this.#overlays.aim(name, short || place);
    const played = name === null ? [] : complete(this.#choices, [...this.#touched, name]);
    const [text, note] = played.length === 1 ? [played[0].label, short && phrase("{place} ({short})", { place, short })] : [phrase("Choose {place}", { place }), short];
    this.#confirm.replaceChildren(text, ...(note ? [" ", makeElement("small", {}, note)] : []));
    this.#confirm.hidden = name === null;
    if (name !== null) this.#confirm.scrollIntoView({ block: "nearest" });
  }

  // ── the keyboard ──

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key in DIRECTIONS) {
      this.#move(...DIRECTIONS[event.key]);
    } else if ((event.key === "Enter" || event.key === " ") && this.#current) {
      if (!event.repeat) this.#touch(this.#current);
    } else if (event.key.toLowerCase() === "m" && this.#current) {
      if (!event.repeat) this.#draw(this.#current);
    } else {
      return;
    }
    event.preventDefault();
  }

  // Moves to the nearest target in a direction, preferring straight ahead; of two in one place, to the upper one.
  /** @param {number} right @param {number} down */
  #move(right, down) {
    const at = this.#targets.get(this.#current ?? "");
    const from = at ? centre(touchOf(at)) : { x: 0, y: 0 };
    let best = null;
    let least = Infinity;
    for (const [name, element] of this.#targets) {
      const to = centre(touchOf(element));
      const along = (to.x - from.x) * right + (to.y - from.y) * down;
      const aside = Math.abs((to.x - from.x) * down) + Math.abs((to.y - from.y) * right);
      if (along < 2 || aside > 1.5 * along) continue;
      const cost = along + 2 * aside;
      if (cost < least + 0.5) [best, least] = [name, cost];
    }
    if (best) this.#focusTarget(best);
  }

  /** @param {string} name */
  #focusTarget(name) {
    this.#setCurrent(name);
    this.#focus();
  }

  /** @param {string | null} name */
  #setCurrent(name) {
    this.#targets.get(this.#current ?? "")?.setAttribute("tabindex", "-1");
    this.#current = name;
    const element = this.#targets.get(name ?? "");
    element?.setAttribute("tabindex", "0");
    if (element) this.#place = relative(element, this.#drawing);
  }

  #focus() {
    this.#targets.get(this.#current ?? "")?.focus({ preventScroll: this.#isInView() });
  }

  #isInView() {
    const { top, bottom } = this.#root.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  }

  // After a new drawing: keeps the keyboard's target if it can be chosen, else takes the nearest one that can.
  #choosePlace() {
    const all = [...this.#targets];
    const open = all.filter(([, element]) => element.classList.contains("can"));
    const current = this.#targets.get(this.#current ?? "");
    if (current && (!open.length || current.classList.contains("can") || isSameKind(current, open[0][1]))) {
      this.#setCurrent(this.#current);
      return;
    }
    const from = this.#place ?? { x: 0.5, y: 0.5 };
    let best = null;
    let least = Infinity;
    for (const [name, element] of open.length ? open : all) {
      const to = relative(element, this.#drawing);
      const far = Math.hypot(to.x - from.x, to.y - from.y);
      if (far < least) [best, least] = [name, far];
    }
    this.#setCurrent(best);
  }


  /** @param {Element} element */
  #focused(element) {
    /** @type {SVGGraphicsElement | null} */
    const target = element.closest("[data-target]");
    this.#frame?.remove();
    if (!target || !this.#svg?.contains(target)) return;
    this.#setCurrent(target.dataset.target ?? null);
    if (target.matches(":focus-visible")) this.#drawFrame(target);
  }

  // A dark and a light ring, visible on any background.
  /** @param {SVGGraphicsElement} target */
  #drawFrame(target) {
    const matrix = toDrawing(this.#drawing);
    const box = touchOf(target).getBoundingClientRect();
    const { x, y } = new DOMPoint(box.left, box.top).matrixTransform(matrix);
    const around = { x, y, width: box.width * matrix.a, height: box.height * matrix.d, rx: 10 };
    this.#frame = make("g", { class: "focus-frame" }, ...["dark", "light"].map((kind) => make("rect", { ...around, class: kind })));
    this.#drawing.append(this.#frame);
  }
}

// Whether two targets are of the same kind, such as occupied spaces.
/** @param {Element} one @param {Element} other */
const isSameKind = (one, other) => one.classList.item(1) === other.classList.item(1);

// How far the part of an arrow still has to turn after a drag; null without a drag.
/** @param {Element | undefined} element */
function restOfTurn(element) {
  /** @type {SVGElement | null} */
  const arrow = element?.closest("[data-turns]") ?? null;
  const board = arrow && turnedBy(arrow);
  const turned = board ? rotationOf(board) : 0;
  return arrow && turned ? turned - degreesOf(arrow) : null;
}

// Continues the optimistic animation in the drawing that confirms the move.
/** @param {SVGSVGElement} drawn @param {number} since */
function resumeAnimations(drawn, since) {
  for (const each of drawn.getAnimations({ subtree: true })) {
    if (each instanceof CSSAnimation && ["turn", "stay", "drop"].includes(each.animationName)) each.currentTime = since;
  }
}
