// A model step by step: the board and the graph side by side, what can happen, and what has happened.

import { Board } from "/static/board.js";
import { announce, ask, byId, make, tell } from "/static/dom.js";
import { Picture } from "/static/models/picture.js";

const SHOWN = 60; // options that are listed before one asks for all

export class Steps {
  #graph = new Picture(byId("graph-picture"), "The graph");
  #board = new Board(byId("board"), {
    chosen: (choice) => this.#take(Number(choice.step)),
    refused: () => tell("That is nothing that can happen now."),
  });
  #went; // called with a new way
  #most = 0;
  #model = null;
  #told = null;
  #asked = 0;

  constructor(went) {
    this.#went = went;
    byId("step-undo").onclick = () => this.#went(this.#told.path.slice(0, -1));
    byId("step-again").onclick = () => this.#went([]);
    byId("step-chance").onclick = () => this.#byChance(1);
    byId("step-run").onclick = () => this.#byChance(this.#most);
    byId("more-enabled").onclick = () => this.#list(Infinity);
  }

  // Where a way leads in a model; `most` is how long ways may be.
  async show(model, path, most) {
    this.#model = model;
    this.#most = most;
    if (this.#told?.path.join(".") === path.join(".") && this.#told.model === model) return;
    const told = await this.#ask({ path });
    if (told) this.#draw(told);
    else if (!this.#told && path.length && model === this.#model) await this.#begin();
  }

  // A way that cannot be gone leads to the start; what was wrong with it stays on the page.
  async #begin() {
    const line = byId("message").textContent;
    const told = await this.#ask({ path: [] });
    if (!told) return;
    this.#draw(told);
    tell(line);
  }

  forget() {
    this.#asked++;
    this.#told = null;
    this.#graph.clear();
  }

  async #byChance(steps) {
    const told = await this.#ask({ path: this.#told.path, chance: steps });
    if (!told) return;
    this.#draw(told);
    this.#went(told.path);
  }

  #take(number) {
    this.#went([...this.#told.path, number]);
  }

  async #ask(query) {
    const number = ++this.#asked;
    const model = this.#model;
    document.body.classList.add("asking");
    try {
      const told = await ask(`/api/models/${model.name}/step`, { ...query, options: model.options });
      return number === this.#asked ? { ...told, model } : null;
    } catch (error) {
      if (number === this.#asked) tell(`${error.message}.`);
      return null;
    } finally {
      if (number === this.#asked) document.body.classList.remove("asking");
    }
  }

  #draw(told) {
    this.#told = told;
    tell("");
    const steps = told.path.length;
    byId("where").textContent = steps ? `Step ${steps}: ${told.trace.at(-1)}` : "At the start";
    byId("state").textContent = this.#state(told);
    byId("board-box").hidden = !told.board;
    byId("panel-step").classList.toggle("with-board", Boolean(told.board));
    if (told.board) this.#board.show(told.board, told.choices);
    byId("board").ariaBusy = "false";
    this.#graph.show(told.graph);
    this.#graph.mark(told.changed, "changed");
    this.#graph.reveal("changed");
    this.#list(SHOWN);
    this.#trace(told);
    const full = steps >= this.#most;
    byId("step-undo").disabled = byId("step-again").disabled = !steps;
    byId("step-chance").disabled = byId("step-run").disabled = !told.count || full;
    announce(`${byId("where").textContent}. ${byId("state").textContent}`);
  }

  #state(told) {
    const parts = [];
    if (told.final) parts.push("The program has ended: this is a final state.");
    if (told.broken.length) parts.push(`Broken here: ${told.broken.join(", ")}.`);
    if (!told.count) parts.push("Nothing more can happen.");
    else parts.push(`${told.count} ${told.count === 1 ? "thing" : "things"} can happen.`);
    if (told.path.length >= this.#most) parts.push("A way is at most this long.");
    return parts.join(" ");
  }

  #list(most) {
    const { enabled, count, path } = this.#told;
    const full = path.length >= this.#most;
    const had = byId("enabled").contains(document.activeElement) || document.activeElement === byId("more-enabled");
    byId("enabled").replaceChildren(...enabled.slice(0, most).map((option) => make("li", {}, this.#button(option, full))));
    byId("more-enabled").hidden = count <= most || enabled.length <= most;
    byId("more-enabled").textContent = `Show all ${enabled.length}`;
    if (had) (byId("enabled").querySelector("button:enabled") ?? byId("step-undo")).focus({ preventScroll: true });
  }

  #button(option, full) {
    const choice = this.#told.choices.find((each) => each.step === String(option.number));
    const point = (on) => {
      this.#graph.mark(on ? option.nodes : [], "matched");
      if (this.#told.board) this.#board.point(on && choice ? choice.targets : []);
    };
    const words = option.words.slice(option.action.length);
    return make(
      "button",
      {
        type: "button",
        className: "choice",
        disabled: full,
        onclick: () => this.#take(option.number),
        onmouseenter: () => point(true),
        onmouseleave: () => point(false),
        onfocus: () => point(true),
        onblur: () => point(false),
      },
      make("b", {}, option.action),
      make("span", {}, words),
    );
  }

  #trace(told) {
    const list = byId("trace");
    list.replaceChildren(...told.trace.map((words) => make("li", {}, words)));
    if (!told.trace.length) list.replaceChildren(make("li", { className: "none" }, "Nothing yet."));
    list.scrollTop = list.scrollHeight;
    const line = (sign, kind) => (words) => make("li", { className: kind }, make("b", {}, sign), ` ${words}`);
    byId("changes-title").hidden = !(told.came.length || told.went.length);
    byId("changes").replaceChildren(...told.went.map(line("−", "went")), ...told.came.map(line("+", "came")));
  }
}
