// Setting up a position by hand: one chooses what to put and touches where; the server says what is still wrong.

import { Board } from "/static/board.js";
import { ask, byId, capital, dot, make } from "/static/dom.js";

const FEW = 8; // pieces that are buttons; more are a list

export class SetUp {
  #done;
  #board;
  #draft = null;
  #piece = "";
  #asked = 0;

  // `done` gets the text of the position that was made.
  constructor(done) {
    this.#done = done;
    this.#board = new Board(byId("set-board"), { chosen: (choice) => this.#put(choice.step), refused: () => {} });
    byId("set-game").addEventListener("change", ({ target }) => this.#show(`/api/study/pieces?${new URLSearchParams({ position: target.value })}`));
    byId("set-cancel").addEventListener("click", () => byId("set-dialog").close());
    byId("set-dialog").addEventListener("close", () => this.#board.cancel());
    byId("set-form").addEventListener("submit", (event) => {
      event.preventDefault();
      if (!this.#draft?.position) return this.#wrong(this.#draft?.trouble || "this is no position yet");
      byId("set-dialog").close();
      this.#done(this.#draft.position);
    });
  }

  open(position, beginnings) {
    byId("set-game").replaceChildren(
      make("option", { value: position }, "The board as it is"),
      ...beginnings.map(({ value, text }) => make("option", { value }, text)),
    );
    this.#piece = "";
    byId("set-dialog").showModal();
    this.#show(`/api/study/pieces?${new URLSearchParams({ position })}`);
  }

  #put(target) {
    return this.#show("/api/study/edit", { draft: this.#draft.draft, piece: this.#piece, target });
  }

  async #show(path, wish) {
    const number = ++this.#asked;
    this.#wrong("");
    let told;
    try {
      told = await ask(path, wish);
    } catch (error) {
      return this.#wrong(error.message);
    }
    if (number !== this.#asked) return;
    const other = told.game !== this.#draft?.game;
    this.#draft = told;
    if (!told.pieces.some((each) => each.name === this.#piece)) this.#piece = told.pieces[0].name;
    await this.#board.show(told.svg, told.choices);
    this.#pieces(told.pieces, other);
    this.#counters(told.counters);
    byId("set-status").textContent = capital(told.position ? `${told.status}.` : `Not yet: ${told.trouble}.`);
    byId("set-done").disabled = !told.position;
  }

  #wrong(text) {
    byId("set-error").textContent = capital(text);
    byId("set-error").hidden = !text;
  }

  #pieces(pieces, other) {
    const holder = byId("set-pieces");
    if (pieces.length <= FEW) {
      if (!other && holder.querySelector("input")) return; // what has the focus stays
      holder.replaceChildren(
        ...pieces.map((each) => {
          const input = make("input", { type: "radio", name: "piece", value: each.name, checked: each.name === this.#piece });
          input.addEventListener("change", () => (this.#piece = each.name));
          return make("label", { className: "pick" }, input, each.colour ? dot(each.colour) : null, capital(each.label));
        }),
      );
      return;
    }
    const focused = holder.contains(document.activeElement) && document.activeElement.id;
    const groups = Map.groupBy ? Map.groupBy(pieces, (each) => each.group) : groupBy(pieces);
    const list = make("select", { id: "set-piece", ariaLabel: "What to put" });
    for (const [group, some] of groups) {
      list.append(
        make("optgroup", { label: capital(group) }, ...some.map((each) => make("option", { value: each.name }, `${capital(each.label)}: ${each.where || "off the board"}`))),
      );
    }
    list.value = this.#piece;
    list.addEventListener("change", () => (this.#piece = list.value));
    const off = make("button", { type: "button", id: "set-off", onclick: () => this.#put("") }, "Take it off the board");
    holder.replaceChildren(list, off);
    if (focused) byId(focused)?.focus();
  }

  #counters(counters) {
    const holder = byId("set-counters");
    const focused = holder.contains(document.activeElement) && document.activeElement.id;
    holder.replaceChildren(
      ...counters.map((each) => {
        const id = `set-${each.name}`;
        const input = each.words.length
          ? make("select", { id }, ...each.words.map((word, value) => make("option", { value: String(value) }, capital(word))))
          : make("input", { id, type: "number", min: String(each.least), max: String(each.most), step: "1" });
        input.value = String(each.value);
        input.addEventListener("change", () => {
          const value = Number(input.value);
          if (!Number.isInteger(value) || value < each.least || value > each.most) {
            return this.#wrong(`${each.label}: a whole number from ${each.least} to ${each.most} is wanted`);
          }
          this.#show("/api/study/edit", { draft: this.#draft.draft, counter: each.name, value });
        });
        return make("label", { className: "row" }, make("span", {}, capital(each.label)), input);
      }),
    );
    if (focused) byId(focused)?.focus();
  }
}

function groupBy(pieces) {
  const groups = new Map();
  for (const each of pieces) groups.set(each.group, [...(groups.get(each.group) ?? []), each]);
  return groups;
}
