// A hand on the board: clicks, drags from target to target, circles and arrows with the right button, thumbs.
//
// It says which targets were touched, and knows nothing of what a touch means.

import { centre, make, toDrawing, touchOf } from "./places.js";

const SLACK = { mouse: 5, pen: 6, touch: 10 }; // pixels that a click may shake
const REACH = 36; // pixels from a dropped piece to the target that is meant
const THUMB = 24; // pixels that a target needs to be touched at once

const middle = (element) => centre(touchOf(element));
const thumb = () => THUMB / (globalThis.visualViewport?.scale ?? 1); // a page that is zoomed in has larger pixels

export class Hand {
  #root;
  #board;
  #pressed = null; // { name, id, x, y, type, button }
  #carried = null; // what follows the pointer
  #dragged = false; // so that the click after a drag is none
  #tapped = null; // where the last press was, if it was a thumb's: a browser may move the click that follows
  #over = null;

  // `board` is asked for svg(), targets(), isOpen(name), drags(name), loupe(), and told touch(name), lift(name),
  // drop(name, to) with null where nothing was meant, draw(from, to), clear(), aim(name).
  constructor(root, board) {
    this.#root = root;
    this.#board = board;
    root.addEventListener("pointerdown", (event) => this.#down(event));
    root.addEventListener("pointermove", (event) => this.#move(event));
    root.addEventListener("pointerup", (event) => this.#up(event));
    root.addEventListener("pointercancel", () => this.release());
    root.addEventListener("click", (event) => this.#click(event));
    root.addEventListener("contextmenu", (event) => this.#tapped || event.preventDefault());
    // A finger that drags a piece must not scroll the page.
    root.addEventListener("touchmove", (event) => this.#pressed?.drags && event.preventDefault(), { passive: false });
  }

  // Let go of whatever is held.
  release() {
    this.#carried?.remove();
    this.#carried = null;
    this.#over?.classList.remove("over");
    this.#over = null;
    this.#pressed = null;
  }

  #nameAt(x, y) {
    const target = document.elementFromPoint(x, y)?.closest("[data-target]");
    return target && this.#root.contains(target) ? target.dataset.target : null;
  }

  #down(event) {
    this.#tapped = event.pointerType === "touch" ? { x: event.clientX, y: event.clientY } : null;
    this.#dragged = false;
    if (!event.isPrimary) return this.release();
    const name = event.target.closest("[data-target]")?.dataset.target ?? null;
    if (event.button === 0) this.#board.clear();
    if (name === null || (event.button !== 0 && event.button !== 2)) return;
    const drags = event.button === 0 && this.#board.drags(name);
    this.#pressed = { name, drags, id: event.pointerId, x: event.clientX, y: event.clientY, type: event.pointerType, button: event.button };
  }

  #move(event) {
    const pressed = this.#pressed;
    if (!pressed || event.pointerId !== pressed.id || !pressed.drags) return;
    const far = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y);
    if (!this.#carried && far < (SLACK[pressed.type] ?? 6)) return;
    if (!this.#carried) this.#lift(pressed, event);
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(toDrawing(this.#board.svg()));
    this.#carried.setAttribute("transform", `translate(${at.x} ${at.y})`);
    const over = this.#board.targets().get(this.#meant(event.clientX, event.clientY));
    if (over === this.#over) return;
    this.#over?.classList.remove("over");
    over?.classList.add("over");
    this.#over = over ?? null;
  }

  #lift(pressed, event) {
    this.#board.lift(pressed.name);
    const svg = this.#board.svg();
    const ball = this.#board.targets().get(pressed.name)?.querySelector(".ball");
    const inner = make("g");
    if (ball) {
      const { x, y } = centre(ball, toDrawing(svg));
      inner.setAttribute("transform", `translate(${-x} ${-y})`);
      const copy = ball.cloneNode(true);
      copy.removeAttribute("data-piece"); // which there is once
      inner.append(copy);
    }
    this.#carried = make("g", { class: "carried", "aria-hidden": "true" }, inner);
    svg.append(this.#carried);
    this.#root.setPointerCapture?.(event.pointerId);
  }

  // The open target under a place, or the nearest if it is near.
  #meant(x, y, reach = REACH) {
    const here = this.#nameAt(x, y);
    if (here !== null && this.#board.isOpen(here)) return here;
    let best = null;
    let least = reach;
    for (const [name, element] of this.#board.targets()) {
      if (!this.#board.isOpen(name)) continue;
      const to = middle(element);
      const far = Math.hypot(to.x - x, to.y - y);
      if (far < least) [best, least] = [name, far];
    }
    return best;
  }

  #up(event) {
    const pressed = this.#pressed;
    const carrying = Boolean(this.#carried);
    this.release();
    if (!pressed || event.pointerId !== pressed.id) return;
    if (pressed.button === 2 && pressed.type !== "touch") {
      const to = this.#nameAt(event.clientX, event.clientY);
      if (to !== null) this.#board.draw(pressed.name, to === pressed.name ? undefined : to);
    } else if (carrying) {
      this.#dragged = true;
      const back = this.#nameAt(event.clientX, event.clientY) === pressed.name;
      this.#board.drop(pressed.name, back ? pressed.name : this.#meant(event.clientX, event.clientY));
    }
  }

  #click(event) {
    if (this.#dragged) {
      this.#dragged = false;
      return;
    }
    const name = event.target.closest("[data-target]")?.dataset.target ?? null;
    const byThumb = this.#tapped && event.detail > 0; // not by a key, nor by a screen reader
    if (byThumb) this.#tap(this.#tapped.x, this.#tapped.y);
    else if (name !== null) this.#board.touch(name);
  }

  // What a thumb touches is what lies under its middle. Small targets are aimed at first: a touch of the one that is
  // aimed at chooses it, a touch anywhere else aims anew.
  #tap(x, y) {
    const here = this.#nameAt(x, y);
    const aimed = this.#board.loupe();
    if (aimed === null && !this.#isUnsure(here, x, y)) {
      if (here !== null) this.#board.touch(here);
      return;
    }
    const meant = this.#meant(x, y);
    if (meant === null) {
      this.#board.aim(null);
      if (here !== null) this.#board.touch(here);
    } else if (meant !== aimed) {
      this.#board.aim(meant);
    } else if (here === aimed || (here === null && this.#isNear(aimed, x, y))) {
      this.#board.touch(aimed);
    }
  }

  // Whether a thumb may have meant another target: they are too small, and more than one is near that can be chosen.
  #isUnsure(name, x, y) {
    const targets = this.#board.targets();
    const box = targets.get(name ?? targets.keys().next().value)?.getBoundingClientRect();
    if (!box || Math.sqrt(box.width * box.height) >= thumb()) return false;
    return [...targets.keys()].filter((each) => this.#board.isOpen(each) && this.#isNear(each, x, y)).length > 1;
  }

  #isNear(name, x, y) {
    const to = middle(this.#board.targets().get(name));
    return Math.hypot(to.x - x, to.y - y) < thumb();
  }
}
