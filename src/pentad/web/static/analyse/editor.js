// The dialog to set up a position: the user chooses a piece and touches places; the server validates the position.

import { Board } from "../board.js";
import { byId, capitalize, dot, make, messageOf } from "../dom.js";
import { fetchJson } from "../server.js";
import { phrase } from "../words.js";

/** @import { CounterInfo, Draft, Edit, Piece } from "../messages.d.ts" */

const MAX_BUTTONS = 8; // pieces; more are shown as a list

// The id of the focused element in a group; elements that replace it have the same.
/** @param {Element} group */
const focusedIn = (group) => (group.contains(document.activeElement) ? document.activeElement?.id : "");

/** @param {string} piece @param {string} place empty if it is not on the board */
const placeText = (piece, place) => (place ? `${piece}: ${place}` : phrase("{piece}: off the board", { piece }));

export class PositionEditor {
  /** @type {(position: string) => void} */ #done;
  #board;
  /** @type {Draft | null} */ #draft = null;
  #piece = "";
  #requests = 0;

  // `done` is called with the text of the position.
  /** @param {(position: string) => void} done */
  constructor(done) {
    this.#done = done;
    this.#board = new Board(byId("set-board"), { chosen: (choice) => this.#put(choice.step), refused: () => {} });
    byId("set-game").addEventListener("change", () => this.#pick(byId("set-game").value));
    byId("set-cancel").addEventListener("click", () => byId("set-dialog").close());
    byId("set-dialog").addEventListener("close", () => this.#board.cancel());
    byId("set-form").addEventListener("submit", (event) => {
      event.preventDefault();
      if (!this.#draft?.position) return this.#showError(this.#draft?.trouble || "The position is incomplete.");
      byId("set-dialog").close();
      this.#done(this.#draft.position);
    });
  }

  /** The position is empty where the current one cannot be set up. @param {string} position @param {Array<{ value: string, text: string }>} beginnings */
  open(position, beginnings) {
    byId("set-game").replaceChildren(
      ...(position ? [make("option", { value: position }, "Current position")] : []),
      ...beginnings.map(({ value, text }) => make("option", { value }, text)),
    );
    this.#piece = "";
    byId("set-dialog").showModal();
    this.#pick(position || beginnings[0].value);
  }

  /** @param {string} position */
  #pick(position) {
    return this.#show(fetchJson(`/api/study/pieces?${new URLSearchParams({ position })}`));
  }

  /** @param {string} target */
  #put(target) {
    return this.#edit({ piece: this.#piece, target });
  }

  /** @param {Omit<Edit, "draft">} change */
  #edit(change) {
    return this.#show(fetchJson("/api/study/edit", { draft: this.#draft?.draft ?? "", ...change }));
  }

  /** @param {Promise<Draft>} answer */
  async #show(answer) {
    const number = ++this.#requests;
    this.#showError("");
    let draft;
    try {
      draft = await answer;
    } catch (error) {
      return this.#showError(messageOf(error));
    }
    if (number !== this.#requests) return;
    const other = draft.game !== this.#draft?.game;
    this.#draft = draft;
    if (!draft.pieces.some((each) => each.name === this.#piece)) this.#piece = draft.pieces[0].name;
    await this.#board.show(draft.svg, draft.choices);
    this.#pieces(draft.pieces, other);
    this.#counters(draft.counters);
    byId("set-status").textContent = draft.position ? draft.status : phrase("Incomplete: {reason}", { reason: draft.trouble });
    byId("set-done").disabled = !draft.position;
  }

  /** @param {string} text */
  #showError(text) {
    byId("set-error").textContent = text;
    byId("set-error").hidden = !text;
  }

  /** @param {Piece[]} pieces @param {boolean} other */
  #pieces(pieces, other) {
    const holder = byId("set-pieces");
    if (pieces.length <= MAX_BUTTONS) {
      if (!other && holder.querySelector("input")) return; // the input keeps the focus
      holder.replaceChildren(
        ...pieces.map((each) => {
          const input = make("input", { type: "radio", name: "piece", value: each.name, checked: each.name === this.#piece });
          input.addEventListener("change", () => (this.#piece = each.name));
          return make("label", { className: "pick" }, input, each.colour ? dot(each.colour) : null, capitalize(each.label));
        }),
      );
      return;
    }
    const focused = focusedIn(holder);
    const groups = [...new Set(pieces.map((each) => each.group))];
    const list = make("select", { id: "set-piece", ariaLabel: "Piece" });
    for (const group of groups) {
      const some = pieces.filter((each) => each.group === group);
      list.append(
        make("optgroup", { label: capitalize(group) }, ...some.map((each) => make("option", { value: each.name }, placeText(capitalize(each.label), each.where)))),
      );
    }
    list.value = this.#piece;
    list.addEventListener("change", () => (this.#piece = list.value));
    const off = make("button", { type: "button", id: "set-off", onclick: () => this.#put("") }, "Remove from the board");
    holder.replaceChildren(list, off);
    if (focused) document.getElementById(focused)?.focus();
  }

  /** @param {CounterInfo[]} counters */
  #counters(counters) {
    const holder = byId("set-counters");
    const focused = focusedIn(holder);
    holder.replaceChildren(
      ...counters.map((each) => {
        const id = `set-${each.name}`;
        const input = each.words.length
          ? make("select", { id }, ...each.words.map((label, value) => make("option", { value: String(value) }, capitalize(label))))
          : make("input", { id, type: "number", min: String(each.least), max: String(each.most), step: "1" });
        input.value = String(each.value);
        input.addEventListener("change", () => {
          const value = Number(input.value);
          if (!Number.isInteger(value) || value < each.least || value > each.most) {
            const { label, least, most } = each;
            return this.#showError(phrase("{field}: Expected a whole number from {least} to {most}.", { field: capitalize(label), least, most }));
          }
          this.#edit({ counter: each.name, value });
        });
        return make("label", { className: "row" }, make("span", {}, capitalize(each.label)), input);
      }),
    );
    if (focused) document.getElementById(focused)?.focus();
  }
}

