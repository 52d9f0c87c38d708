// The tree of moves as buttons: the main line, with variations indented below the move that they replace.

import { byId, make } from "../dom.js";
import { MARKS, moveText } from "./tree.js";
import { phrase } from "../words.js";

/** @import { Node, Tree } from "./tree.js" */

export class TreeView {
  #root = byId("tree");
  /** @type {(id: number) => void} */ #go;
  /** @type {Map<number, HTMLButtonElement>} */ #buttons = new Map();

  // `go` is called with the id of the chosen node.
  /** @param {(id: number) => void} go */
  constructor(go) {
    this.#go = go;
  }

  /** @param {Tree} tree */
  show(tree) {
    this.#buttons = new Map();
    const container = make("div", { className: "variation" });
    if (tree.root.comment) container.append(make("p", { className: "remark" }, tree.root.comment));
    this.#fill(container, tree, tree.root, 1);
    this.#root.replaceChildren(...container.childNodes);
    this.#root.hidden = tree.nodes.size === 1;
    byId("no-moves").hidden = tree.nodes.size > 1;
    this.mark(tree.current);
  }

  // Adds the moves after a node; iterative along a line, so that long games do not overflow the stack.
  /** @param {Element} holder @param {Tree} tree @param {Node} from @param {number} number */
  #fill(holder, tree, from, number) {
    for (let node = from; node.children.length; number++) {
      const [first, ...others] = node.children.map((id) => tree.at(id));
      holder.append(this.#button(first, number));
      if (first.comment) holder.append(make("p", { className: "remark" }, first.comment));
      for (const other of others) {
        const inner = make("div", { className: "variation", role: "group", ariaLabel: phrase("Variation {move}", { move: moveText(other) }) });
        inner.append(this.#button(other, number));
        if (other.comment) inner.append(make("p", { className: "remark" }, other.comment));
        this.#fill(inner, tree, other, number + 1);
        holder.append(inner);
      }
      node = first;
    }
  }

  /** @param {Node} node @param {number} number */
  #button(node, number) {
    const button = make(
      "button",
      { type: "button", className: "move", title: node.words, onclick: () => this.#go(node.id) },
      make("span", { className: "number" }, `${number}.`),
      ` ${moveText(node)}`,
    );
    if (node.mark) {
      button.classList.add("marked", MARKS[node.mark]);
      button.append(
        make("span", { className: "sign", ariaHidden: "true" }, node.mark),
        make("span", { className: "visually-hidden" }, `: ${node.missed || MARKS[node.mark]}`),
      );
    }
    this.#buttons.set(node.id, button);
    return button;
  }

  // Marks the current move and scrolls to it.
  /** @param {number} id */
  mark(id) {
    this.#root.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const button = this.#buttons.get(id);
    if (!button) {
      this.#root.scrollTop = 0;
      return;
    }
    button.setAttribute("aria-current", "true");
    const inside = button.offsetTop - this.#root.offsetTop;
    const { scrollTop, clientHeight } = this.#root;
    if (inside < scrollTop || inside + button.offsetHeight > scrollTop + clientHeight) {
      this.#root.scrollTop = inside - clientHeight / 2;
    }
  }
}
