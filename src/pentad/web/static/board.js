// Draws any game and lets a person choose; knows no rules and no game.
//
// It is given a drawing, in which every place that can be touched has its name in `data-target`, and the
// choices of the moment, each with the targets that are touched for it in order. Mouse, touch and keyboard
// all do the same: they touch a target. Once the touches single out one choice it is handed on.

import { button } from "./dom.js";
import { foresee } from "./board/foreseen.js";
import { Hand } from "./board/hand.js";
import { Layers } from "./board/layers.js";
import { begin, snapshot } from "./board/motion.js";
import { centre, make, relative, toDrawing, touchOf } from "./board/places.js";

const FEW = 8; // places that may be chosen, so few that they are shown
const DIRECTIONS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export class Board {
  #root;
  #chosen;
  #refused;
  #begun;
  #foresees;
  #svg = null;
  #targets = new Map(); // name → element, in the drawing's order
  #choices = [];
  #touched = [];
  #current = null; // the name of the target that the Tab key reaches
  #place = null; // where that was, so that the next drawing may find the nearest
  #frame = null;
  #settle = null;
  #layers = new Layers();
  #hand;
  #shown = null; // what the targets said of themselves, by which a position is known again
  #painted = []; // values from data
  #own = []; // a person's circles and arrows, { from, to }
  #ahead = false; // whether touches are remembered while there is nothing to choose
  #planned = []; // which have been
  #aimed = null; // the target in the loupe
  #confirm = button("", () => this.#touch(this.#aimed), { className: "main", hidden: true }); // chooses that one
  #carried = null; // the piece that was dragged to its place, and need not glide there
  #sent = null; // the choice that was handed on and not answered: { elements, undo, since }

  // `chosen` gets a choice; `refused` is told when a touch means nothing now, `begun` gets what was touched, by its
  // name for people, where more must follow; nothing when that is given up.
  // Where a board `foresees`, a choice is drawn before it is answered, and is answered by `show` or `answered`.
  constructor(root, { chosen, refused, begun = () => {}, foresees = false }) {
    this.#root = root;
    this.#foresees = foresees;
    this.#chosen = chosen;
    this.#refused = refused;
    this.#begun = begun;
    this.#hand = new Hand(root, {
      svg: () => this.#svg,
      targets: () => this.#targets,
      isOpen: (name) => this.#isOpen(name),
      drags: (name) => this.#drags(name),
      touch: (name) => this.#touch(name),
      lift: (name) => this.#lift(name),
      drop: (name, to) => this.#drop(name, to),
      draw: (from, to) => this.#draw(from, to),
      clear: () => this.#clear(),
      loupe: () => this.#aimed,
      aim: (name) => this.#aim(name),
    });
    (root.closest("dialog") ?? document.querySelector(".notes"))?.append(this.#confirm);
    root.addEventListener("keydown", (event) => this.#key(event));
    root.addEventListener("focusin", (event) => this.#focused(event.target));
    root.addEventListener("focusout", () => this.#frame?.remove());
  }

  // Take up the drawing that the page came with: whoever touches it means what is chosen once the choices are known.
  adopt() {
    this.#svg = this.#root.querySelector("svg");
    if (!this.#svg) return;
    this.#prepare();
    this.#relayer();
    this.premove(true);
    this.#choosePlace();
  }

  // Show a drawing with its choices. `fresh` animates what has just happened, `delay` waits first with what was
  // turned; the promise resolves when that is over.
  async show(svg, choices, { fresh = false, delay = false } = {}) {
    this.settle();
    this.#hand.release();
    const seen = this.#sent && performance.now() - this.#sent.since; // for how long it has been moving already
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
    const undo = fresh ? begin(this.#svg, before, this.#targets, carried) : [];
    if (hadFocus) this.#focus();
    if (!fresh) return;
    this.#root.classList.toggle("later", delay && seen === null);
    this.#root.classList.add("fresh");
    const drawn = this.#svg;
    if (seen !== null) goOn(drawn, seen);
    const shown = drawn.getAnimations({ subtree: true }); // and not what is foreseen meanwhile
    const ended = Promise.allSettled(shown.map((each) => each.finished));
    await Promise.race([ended, new Promise((settle) => (this.#settle = settle))]);
    if (this.#svg !== drawn) return; // another drawing has taken its place
    this.#settle = null;
    for (const each of shown) each.cancel();
    this.#root.classList.remove("fresh", "later");
    for (const each of undo) each();
  }

  // Cut short what is being animated.
  settle() {
    this.#settle?.();
  }

  // Whether something was touched that needs more.
  get isBegun() {
    return this.#touched.length > 0;
  }

  // Forget a choice that has been begun, or touches in advance; whether there were any.
  cancel() {
    const begun = this.#touched.length > 0 || this.#planned.length > 0 || this.#aimed !== null;
    this.#touched = [];
    this.#plan([]);
    this.#aim(null);
    this.#mark();
    if (begun) this.#begun("");
    return begun;
  }

  // Point at targets, as a hint does.
  point(targets) {
    for (const [name, element] of this.#targets) element.classList.toggle("hinted", targets.includes(name));
  }

  // Whether touches are remembered while there is nothing to choose; if not, and nothing is, they are forgotten.
  premove(enabled) {
    this.#ahead = enabled;
    if (!enabled && !this.#choices.length) this.#plan([]);
    this.#mark();
  }

  // The choice that the touches remembered first single out, which they are then spent on; null if none, and
  // all are forgotten. What is left of them is for the choices that come next.
  takePremove(choices) {
    for (let count = 1; count <= this.#planned.length; count += 1) {
      const begun = this.#planned.slice(0, count);
      const longer = this.#planned.slice(0, count + 1);
      const done = complete(choices, begun);
      if (done.length !== 1 || (longer.length > count && fits(choices, longer))) continue;
      this.#plan(this.#planned.slice(count));
      return done[0];
    }
    this.#plan([]);
    return null;
  }

  // Draw values over the board: `{ target, kind, to, label }`, where `kind` is win, draw, loss, best or arrow.
  // They stay as long as the position does.
  paint(marks) {
    this.#painted = marks;
    this.#layers.paint(marks);
  }

  // ── the drawing ──

  #replace(svg) {
    const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    this.#svg = document.importNode(parsed, true);
    this.#root.replaceChildren(this.#svg);
  }

  #prepare() {
    const svg = this.#svg;
    const words = svg.querySelector(":scope > title");
    svg.setAttribute("role", "application");
    svg.setAttribute("aria-roledescription", "board");
    svg.setAttribute("aria-label", words?.textContent ?? "board");
    svg.setAttribute("aria-describedby", "keys");
    svg.querySelectorAll(":scope > title, :scope > desc").forEach((each) => each.remove());
    this.#targets = new Map();
    for (const element of svg.querySelectorAll("[data-target]")) {
      const title = element.querySelector(":scope > title");
      element.setAttribute("aria-label", title?.textContent ?? element.dataset.target);
      title?.remove(); // else it would pop up over the board
      element.setAttribute("role", "button");
      element.setAttribute("tabindex", "-1");
      this.#targets.set(element.dataset.target, element);
    }
  }

  // What a person and the data have drawn stays while the position does.
  #relayer() {
    const shown = [...this.#targets].map(([name, element]) => `${name}: ${element.getAttribute("aria-label")}`).sort().join("\n");
    if (shown !== this.#shown) [this.#own, this.#painted] = [[], []];
    this.#shown = shown;
    this.#layers.on(this.#svg, this.#targets);
    this.#aim(null);
    this.#layers.paint(this.#painted);
    this.#layers.mark(this.#own);
    this.#layers.plan(this.#planned);
  }

  // Tell which targets may be touched next, and which have been.
  #mark() {
    const next = new Set(this.#continuing().map((choice) => choice.targets[this.#touched.length]));
    for (const [name, element] of this.#targets) {
      const open = next.has(name);
      element.classList.toggle("can", open);
      const touched = this.#touched.includes(name);
      element.classList.toggle("touched", touched);
      element.setAttribute("aria-disabled", String(!open && !touched && !this.#waits()));
      if (touched) element.setAttribute("aria-pressed", "true");
      else element.removeAttribute("aria-pressed");
    }
    // Where only a few will do they are shown from the start.
    this.#root.classList.toggle("few", next.size > 0 && next.size <= FEW && this.#targets.size > 2 * next.size);
  }

  // ── touching ──

  #continuing() {
    return this.#sent ? [] : continuing(this.#choices, this.#touched);
  }

  #isOpen(name) {
    return this.#waits() || (this.#targets.get(name)?.classList.contains("can") ?? false);
  }

  // Whether a touch now is for later.
  #waits() {
    return this.#ahead && !this.#choices.length;
  }

  #touch(name) {
    this.#aim(null);
    if (this.#sent) return undefined; // one thing after the other
    if (this.#waits()) return this.#planOne(name);
    if (this.#planned.length) this.#plan([]);
    let touched = [...this.#touched, name];
    if (!fits(this.#choices, touched) && this.#touched.length) {
      const again = this.#touched.at(-1) === name;
      const done = again ? complete(this.#choices, this.#touched) : [];
      if (done.length === 1) return this.#choose(done[0]);
      touched = again ? this.#touched.slice(0, -1) : [name]; // taken back, or begun anew elsewhere
      if (!again && !fits(this.#choices, touched)) return this.#refused();
    } else if (!fits(this.#choices, touched)) {
      return this.#refused();
    }
    this.#touched = touched;
    const done = complete(this.#choices, touched);
    if (done.length === 1 && !this.#continuing().length) return this.#choose(done[0]);
    this.#mark();
    this.#begun(touched.length ? (this.#targets.get(touched.at(-1))?.getAttribute("aria-label") ?? "") : "");
    return undefined;
  }

  #choose(choice) {
    this.#touched = [];
    if (this.#foresees) this.expect(choice);
    else this.#mark();
    this.#chosen(choice);
  }

  // Draw a choice as if it had been accepted. Whatever is shown next takes the place of that; until then, and until it
  // is `answered`, nothing else can be chosen.
  expect({ targets }) {
    this.answered();
    const elements = targets.map((name) => this.#targets.get(name)).filter(Boolean);
    const undo = this.#svg ? foresee(this.#svg, elements, this.#carried) : [];
    this.#sent = { elements, undo, since: performance.now() };
    for (const element of elements) element.classList.add("sent");
    this.#mark();
  }

  // What was chosen is not accepted, or cannot be told to anybody: it is taken back.
  answered() {
    if (!this.#sent) return;
    const { elements, undo } = this.#sent;
    this.#sent = this.#carried = null;
    for (const each of undo) each();
    for (const element of elements) element.classList.remove("sent");
    this.#mark();
  }

  // ── in advance ──

  #planOne(name) {
    const again = this.#planned.at(-1) === name;
    this.#plan(again ? this.#planned.slice(0, -1) : [...this.#planned, name]);
    this.#mark();
  }

  #plan(names) {
    this.#planned = names;
    for (const [name, element] of this.#targets) element.classList.toggle("planned", names.includes(name));
    this.#layers.plan(names);
  }

  // ── dragging ──

  // Whether a target may be dragged to another: it begins a choice that goes on, or holds a piece for later.
  #drags(name) {
    if (this.#sent) return false;
    if (this.#waits()) return Boolean(this.#targets.get(name)?.querySelector(".ball[data-piece]"));
    if (this.#touched.at(-1) === name) return this.#continuing().length > 0;
    return [[...this.#touched, name], [name]].some((touched) => continuing(this.#choices, touched).length > 0);
  }

  #lift(name) {
    if (this.#waits() ? this.#planned.at(-1) !== name : this.#touched.at(-1) !== name) this.#touch(name);
    this.#targets.get(name)?.classList.add("lifted");
  }

  #drop(name, to) {
    const lifted = this.#targets.get(name);
    lifted?.classList.remove("lifted");
    if (to === name) return; // put back where it was: it stays chosen
    if (to === null) {
      this.cancel();
      return;
    }
    if (!this.#waits()) this.#carried = lifted?.querySelector(".ball[data-piece]")?.dataset.piece ?? null;
    this.#touch(to);
  }

  // ── circles, arrows, the loupe ──

  // A circle or an arrow of a person's own; the same once more takes it away. Touches in advance are given up first.
  #draw(from, to) {
    if (this.#planned.length) {
      this.cancel();
      return;
    }
    const others = this.#own.filter((each) => each.from !== from || each.to !== to);
    this.#own = others.length < this.#own.length ? others : [...this.#own, { from, to }];
    this.#layers.mark(this.#own);
  }

  #clear() {
    if (!this.#own.length) return;
    this.#own = [];
    this.#layers.mark([]);
  }

  #aim(name) {
    this.#aimed = name;
    const words = name === null ? "" : this.#targets.get(name)?.getAttribute("aria-label")?.split(",")[0];
    this.#layers.loupe(name, words);
    const plays = complete(this.#choices, [...this.#touched, name]).length > 0;
    this.#confirm.textContent = `${plays ? "Play" : "Choose"} ${words}`;
    this.#confirm.hidden = name === null;
  }

  // ── the keyboard ──

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

  // To the nearest target in a direction, straight ahead rather than aslant; of two in one place to the upper one.
  #move(right, down) {
    const from = centre(touchOf(this.#targets.get(this.#current)));
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
    if (best) this.#go(best);
  }

  #go(name) {
    this.#setCurrent(name);
    this.#focus();
  }

  #setCurrent(name) {
    this.#targets.get(this.#current)?.setAttribute("tabindex", "-1");
    this.#current = name;
    const element = this.#targets.get(name);
    element?.setAttribute("tabindex", "0");
    if (element) this.#place = relative(element, this.#svg);
  }

  #focus() {
    this.#targets.get(this.#current)?.focus({ preventScroll: this.#whole() });
  }

  #whole() {
    const { top, bottom } = this.#root.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  }

  // After a new drawing: stay where the keyboard was if that can be chosen, else go to the nearest that can.
  #choosePlace() {
    const open = [...this.#targets.keys()].filter((name) => this.#targets.get(name).classList.contains("can"));
    const stays = this.#targets.has(this.#current);
    if (stays && (open.includes(this.#current) || !open.length || this.#sameKind(open))) {
      this.#setCurrent(this.#current);
      return;
    }
    const names = open.length ? open : [...this.#targets.keys()];
    const from = this.#place ?? { x: 0.5, y: 0.5 };
    let best = names[0] ?? null;
    let least = Infinity;
    for (const name of names) {
      const to = relative(this.#targets.get(name), this.#svg);
      const far = Math.hypot(to.x - from.x, to.y - from.y);
      if (far < least) [best, least] = [name, far];
    }
    this.#setCurrent(best);
  }

  // Whether the current target looks like those that may be chosen: a place beside others, taken already.
  #sameKind(open) {
    const kind = (name) => this.#targets.get(name).classList.item(1);
    return kind(this.#current) === kind(open[0]);
  }

  #focused(element) {
    const target = element.closest("[data-target]");
    this.#frame?.remove();
    if (!target || !this.#svg.contains(target)) return;
    this.#setCurrent(target.dataset.target);
    if (target.matches(":focus-visible")) this.#drawFrame(target);
  }

  // Two rings, dark and light, which stand out on any ground.
  #drawFrame(target) {
    const matrix = toDrawing(this.#svg);
    const box = touchOf(target).getBoundingClientRect();
    const { x, y } = new DOMPoint(box.left, box.top).matrixTransform(matrix);
    const around = { x, y, width: box.width * matrix.a, height: box.height * matrix.d, rx: 10 };
    this.#frame = make("g", { class: "focus-frame" }, ...["dark", "light"].map((kind) => make("rect", { ...around, class: kind })));
    this.#svg.append(this.#frame);
  }
}

// What was begun when a choice was made goes on in the drawing that confirms it, and does not begin anew.
function goOn(drawn, since) {
  for (const each of drawn.getAnimations({ subtree: true })) {
    if (["turn", "stay", "drop"].includes(each.animationName)) each.currentTime = since;
  }
}

// ── choices and touches ──

const begins = (choice, touched) => touched.every((name, i) => choice.targets[i] === name);

// The choices that these touches begin, and need more.
function continuing(choices, touched) {
  return choices.filter((choice) => choice.targets.length > touched.length && begins(choice, touched));
}

// The choices that these touches are all of.
function complete(choices, touched) {
  return choices.filter((choice) => choice.targets.length === touched.length && begins(choice, touched));
}

function fits(choices, touched) {
  return choices.some((choice) => choice.targets.length >= touched.length && begins(choice, touched));
}
