// Draws any game and lets a person choose; knows no rules and no game.
//
// It is given a drawing, in which every place that can be touched has its name in `data-target`, and the
// choices of the moment, each with the targets that are touched for it in order. Mouse, touch and keyboard
// all do the same: they touch a target. Once the touches single out one choice it is handed on.

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
  #svg = null;
  #targets = new Map(); // name → element, in the drawing's order
  #choices = [];
  #touched = [];
  #current = null; // the name of the target that the Tab key reaches
  #place = null; // where that was, so that the next drawing may find the nearest
  #frame = null;
  #settle = null;

  // `chosen` gets a choice; `refused` is told when a touch means nothing now.
  constructor(root, { chosen, refused }) {
    this.#root = root;
    this.#chosen = chosen;
    this.#refused = refused;
    root.addEventListener("click", (event) => {
      const target = event.target.closest("[data-target]");
      if (target && root.contains(target)) this.#touch(target.dataset.target);
    });
    root.addEventListener("keydown", (event) => this.#key(event));
    root.addEventListener("focusin", (event) => this.#focused(event.target));
    root.addEventListener("focusout", () => this.#frame?.remove());
  }

  // Show a drawing with its choices. `fresh` animates what the drawing says has just happened, `delay` waits
  // first; the promise resolves when that is over.
  async show(svg, choices, { fresh = false, delay = false } = {}) {
    this.settle();
    const hadFocus = this.#root.contains(document.activeElement);
    this.#replace(svg);
    this.#choices = choices;
    this.#touched = [];
    this.#prepare();
    this.#mark();
    this.#choosePlace();
    const raised = fresh ? this.#raise() : [];
    if (hadFocus) this.#focus();
    if (!fresh) return;
    this.#root.classList.toggle("later", delay);
    this.#root.classList.add("fresh");
    const ended = Promise.allSettled(this.#svg.getAnimations({ subtree: true }).map((each) => each.finished));
    await Promise.race([ended, new Promise((settle) => (this.#settle = settle))]);
    this.#settle = null;
    this.#root.classList.remove("fresh", "later");
    this.#lower(raised);
  }

  // Cut short what is being animated.
  settle() {
    this.#settle?.();
  }

  // Forget a choice that has been begun; whether there was one.
  cancel() {
    const begun = this.#touched.length > 0;
    this.#touched = [];
    this.#mark();
    return begun;
  }

  // Point at targets, as a hint does.
  point(targets) {
    for (const [name, element] of this.#targets) element.classList.toggle("hinted", targets.includes(name));
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

  // Tell which targets may be touched next, and which have been.
  #mark() {
    const next = new Set(this.#continuing(this.#touched).map((choice) => choice.targets[this.#touched.length]));
    for (const [name, element] of this.#targets) {
      const open = next.has(name);
      element.classList.toggle("can", open);
      element.classList.toggle("touched", this.#touched.includes(name));
      element.setAttribute("aria-disabled", String(!open));
    }
  }

  // What was turned is drawn above its neighbours while it moves.
  #raise() {
    const raised = [];
    for (const turned of this.#svg.querySelectorAll("[data-turned]")) {
      let layer = turned;
      while (layer.parentNode !== this.#svg) layer = layer.parentNode;
      const next = layer.nextSibling;
      if (next) raised.push([layer, next]);
      this.#svg.append(layer);
    }
    return raised;
  }

  #lower(raised) {
    const focused = document.activeElement;
    for (const [layer, next] of raised.reverse()) {
      if (next.parentNode !== layer.parentNode) continue;
      layer.parentNode.insertBefore(layer, next);
      if (layer.contains(focused)) focused.focus({ preventScroll: true });
    }
  }

  // ── touching ──

  #continuing(touched) {
    return this.#choices.filter(
      (choice) => choice.targets.length > touched.length && touched.every((name, i) => choice.targets[i] === name),
    );
  }

  #touch(name) {
    let touched = [...this.#touched, name];
    if (!this.#fits(touched) && this.#touched.length) {
      const again = this.#touched.at(-1) === name;
      const done = again ? this.#complete(this.#touched) : [];
      if (done.length === 1) return this.#choose(done[0]);
      touched = again ? this.#touched.slice(0, -1) : [name]; // taken back, or begun anew elsewhere
      if (!again && !this.#fits(touched)) return this.#refused();
    } else if (!this.#fits(touched)) {
      return this.#refused();
    }
    this.#touched = touched;
    const complete = this.#complete(touched);
    if (complete.length === 1 && !this.#continuing(touched).length) this.#choose(complete[0]);
    else this.#mark();
  }

  #complete(touched) {
    return this.#choices.filter(
      (choice) => choice.targets.length === touched.length && touched.every((name, i) => choice.targets[i] === name),
    );
  }

  #fits(touched) {
    return this.#complete(touched).length > 0 || this.#continuing(touched).length > 0;
  }

  #choose(choice) {
    this.#touched = [];
    this.#mark();
    this.#chosen(choice);
  }

  // ── the keyboard ──

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key in DIRECTIONS) {
      this.#move(...DIRECTIONS[event.key]);
    } else if ((event.key === "Enter" || event.key === " ") && this.#current) {
      if (!event.repeat) this.#touch(this.#current);
    } else {
      return;
    }
    event.preventDefault();
  }

  // To the nearest target in a direction, straight ahead rather than aslant; of two in one place to the upper one.
  #move(right, down) {
    const from = centre(this.#targets.get(this.#current));
    let best = null;
    let least = Infinity;
    for (const [name, element] of this.#targets) {
      const to = centre(element);
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
    const toSvg = this.#svg.getScreenCTM().inverse();
    const touch = target.querySelector(".touch") ?? target;
    const box = touch.getBoundingClientRect();
    const corner = new DOMPoint(box.left, box.top).matrixTransform(toSvg);
    const frame = document.createElementNS(this.#svg.namespaceURI, "g");
    frame.setAttribute("class", "focus-frame");
    for (const kind of ["dark", "light"]) {
      const rect = document.createElementNS(this.#svg.namespaceURI, "rect");
      const attributes = { x: corner.x, y: corner.y, width: box.width * toSvg.a, height: box.height * toSvg.d, rx: 10 };
      for (const [name, value] of Object.entries(attributes)) rect.setAttribute(name, value);
      rect.setAttribute("class", kind);
      frame.append(rect);
    }
    this.#svg.append(frame);
    this.#frame = frame;
  }
}

function centre(element) {
  const box = (element?.querySelector(".touch") ?? element)?.getBoundingClientRect();
  return box ? { x: box.left + box.width / 2, y: box.top + box.height / 2 } : { x: 0, y: 0 };
}

// Where an element is on the drawing, from 0 to 1.
function relative(element, svg) {
  const box = svg.getBoundingClientRect();
  const { x, y } = centre(element);
  return { x: (x - box.left) / box.width, y: (y - box.top) / box.height };
}
