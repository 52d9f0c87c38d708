// The Step tab of a model: board and graph side by side, the enabled steps, and the trace.

import { Board } from "../board.js";
import { announce, byId, every, make, messageOf, notify } from "../dom.js";
import { fetchJson } from "../server.js";
import { Picture } from "./picture.js";
import { phrase, plural } from "../words.js";

/** @import { Enabled, ModelAnswer, MoveValue, StepAnswer, StepQuery } from "../messages.d.ts" */

const MAX_LISTED = 60; // options listed before "Show all"

const BUTTONS = /** @type {const} */ (["step-undo", "step-random", "step-run", "step-restart"]); // they need a state

// What a value says of the player to move, as a label.
/** @param {number | null} value @param {number | null} distance */
function verdict(value, distance) {
  if (value === null) return "may win, draw or lose";
  if (!value) return "draws";
  if (!distance) return value > 0 ? "has won" : "has lost";
  return value > 0 ? plural(distance, "wins in 1 step", "wins in {count} steps") : plural(distance, "loses in 1 step", "loses in {count} steps");
}

// The same as a sentence.
/** @param {number | null} value @param {number | null} distance */
function verdictText(value, distance) {
  if (value === null) return "The player to move may win, draw or lose.";
  if (!value) return "The player to move draws.";
  if (!distance) return value > 0 ? "The player to move has won." : "The player to move has lost.";
  return value > 0
    ? plural(distance, "The player to move wins in 1 step.", "The player to move wins in {count} steps.")
    : plural(distance, "The player to move loses in 1 step.", "The player to move loses in {count} steps.");
}

export class Stepper {
  #graph = new Picture(byId("graph-picture"), "Graph");
  #board = new Board(byId("board"), {
    chosen: (choice) => this.#take(Number(choice.step)),
    refused: () => notify("You cannot do that now."),
  });
  /** @type {(path: number[]) => void} */ #goTo; // called with a new path
  #maxSteps = 0;
  /** @type {ModelAnswer | null} */ #model = null;
  /** @type {(StepAnswer & { model: ModelAnswer }) | null} */ #step = null; // the server's answer for the current path
  #requests = 0;
  #isAdvised = false; // whether the values of the moves are shown
  /** @type {Map<number, MoveValue>} */ #values = new Map(); // of the options, by their numbers, the best first

  /** @param {(path: number[]) => void} goTo */
  constructor(goTo) {
    this.#goTo = goTo;
    byId("step-undo").onclick = () => this.#goTo(this.#here.path.slice(0, -1));
    byId("step-restart").onclick = () => this.#goTo([]);
    byId("step-random").onclick = () => this.#random(1);
    byId("step-run").onclick = () => this.#random(this.#maxSteps);
    byId("step-best").onclick = () => this.#advise(!this.#isAdvised);
    byId("more-enabled").onclick = () => this.#list(Infinity);
  }

  get #here() {
    if (!this.#step) throw new Error("The page shows no state yet.");
    return this.#step;
  }

  // Shows the state at the end of a path of at most `maxSteps` steps.
  /** @param {ModelAnswer} model @param {number[]} path @param {number} maxSteps */
  async show(model, path, maxSteps) {
    this.#model = model;
    this.#maxSteps = maxSteps;
    byId("step-best").hidden = !model.solvable;
    if (!model.solvable) this.#advise(false);
    if (this.#step?.path.join(".") === path.join(".") && this.#step.model === model) return;
    const answer = await this.#request({ path });
    if (answer) this.#draw(answer);
    else if (!this.#step && path.length && model === this.#model) await this.#showStart();
  }

  // Shows the start graph after an invalid path; the error message stays.
  async #showStart() {
    const line = byId("message").textContent;
    const answer = await this.#request({ path: [] });
    if (!answer) return;
    this.#draw(answer);
    notify(line);
  }

  clear() {
    this.#requests++;
    this.#step = null;
    for (const id of BUTTONS) byId(id).disabled = true;
    this.#graph.clear();
  }

  /** @param {number} steps */
  async #random(steps) {
    const answer = await this.#request({ path: this.#here.path, chance: steps });
    if (!answer) return;
    this.#draw(answer);
    this.#goTo(answer.path);
  }

  /** @param {number} number */
  #take(number) {
    this.#goTo([...this.#here.path, number]);
  }

  /** @param {StepQuery} query @returns {Promise<(StepAnswer & { model: ModelAnswer }) | null>} */
  async #request(query) {
    const number = ++this.#requests;
    const model = this.#model;
    if (!model) return null;
    document.body.classList.add("asking");
    try {
      const answer = await fetchJson(`/api/models/${model.name}/step`, { ...query, options: model.options });
      return number === this.#requests ? { ...answer, model } : null;
    } catch (error) {
      if (number === this.#requests) notify(messageOf(error));
      return null;
    } finally {
      if (number === this.#requests) document.body.classList.remove("asking");
    }
  }

  /** @param {boolean} isAdvised */
  #advise(isAdvised) {
    this.#isAdvised = isAdvised;
    byId("step-best").ariaPressed = String(isAdvised);
    if (this.#step) this.#value(this.#step);
  }

  // Shows the values of the options of a game's state, if they are wanted.
  /** @param {StepAnswer & { model: ModelAnswer }} answer */
  async #value(answer) {
    const line = byId("step-value");
    line.hidden = !this.#isAdvised;
    if (this.#values.size) this.#list(MAX_LISTED, new Map());
    if (!this.#isAdvised) return;
    line.textContent = "Solving the game…";
    const { model, path } = answer;
    let text = "";
    /** @type {Map<number, MoveValue>} */ let values = new Map();
    try {
      const found = await fetchJson(`/api/models/${model.name}/values`, { options: model.options, path });
      values = new Map(found.moves.map((each) => [each.number, each]));
      const explored = found.complete ? [] : [phrase("Only {states:,} states of this game were explored.", { states: found.states })];
      text = [verdictText(found.value, found.distance), ...explored].join(" ");
    } catch (error) {
      text = messageOf(error);
    }
    if (this.#step !== answer || !this.#isAdvised) return;
    line.textContent = text;
    this.#list(MAX_LISTED, values);
  }

  /** @param {StepAnswer & { model: ModelAnswer }} answer */
  #draw(answer) {
    this.#step = answer;
    this.#values = new Map();
    notify("");
    const steps = answer.path.length;
    byId("where").textContent = steps ? phrase("Step {step}: {action}", { step: steps, action: answer.trace[steps - 1] }) : "Start";
    byId("state").textContent = this.#state(answer);
    byId("step-note").textContent = answer.note;
    byId("step-note").hidden = !answer.note;
    byId("board-box").hidden = !answer.board;
    byId("panel-step").classList.toggle("with-board", Boolean(answer.board));
    if (answer.board) this.#board.show(answer.board, answer.choices);
    byId("board").ariaBusy = "false";
    this.#graph.show(answer.graph);
    this.#graph.mark(answer.changed, "changed");
    this.#graph.reveal("changed");
    this.#list(MAX_LISTED);
    this.#trace(answer);
    const full = steps >= this.#maxSteps;
    byId("step-undo").disabled = byId("step-restart").disabled = !steps;
    byId("step-random").disabled = byId("step-run").disabled = !answer.count || full;
    announce(`${byId("where").textContent}. ${byId("state").textContent} ${answer.note}`);
    this.#value(answer);
  }

  /** @param {StepAnswer} answer */
  #state(answer) {
    const parts = [];
    if (answer.final) parts.push("Final state: the control program has ended.");
    if (answer.broken.length) parts.push(phrase("Violated invariants: {names}.", { names: answer.broken.join(", ") }));
    if (!answer.count) parts.push("No step is possible.");
    else parts.push(plural(answer.count, "1 step is possible.", "{count} steps are possible."));
    if (answer.path.length >= this.#maxSteps) parts.push("The path has reached its maximum length.");
    return parts.join(" ");
  }

  /** @param {number} most @param {Map<number, MoveValue>} values */
  #list(most, values = this.#values) {
    this.#values = values;
    const { count, path } = this.#here;
    const places = new Map([...values.keys()].map((option, place) => [option, place]));
    const enabled = [...this.#here.enabled].sort((one, other) => (places.get(one.number) ?? 0) - (places.get(other.number) ?? 0));
    const full = path.length >= this.#maxSteps;
    const had = byId("enabled").contains(document.activeElement) || document.activeElement === byId("more-enabled");
    byId("enabled").replaceChildren(...enabled.slice(0, most).map((option) => make("li", {}, this.#button(option, full))));
    byId("more-enabled").hidden = count <= most || enabled.length <= most;
    byId("more-enabled").textContent = phrase("Show all {count}", { count: enabled.length });
    if (had) (every("button:enabled", byId("enabled"))[0] ?? byId("step-undo")).focus({ preventScroll: true });
  }

  /** @param {Enabled} option @param {boolean} full */
  #button(option, full) {
    const { board, choices } = this.#here;
    const choice = choices.find((each) => each.step === String(option.number));
    /** @param {boolean} on */
    const point = (on) => {
      this.#graph.mark(on ? option.nodes : [], "matched");
      if (board) this.#board.point(on && choice ? choice.targets : []);
    };
    const value = this.#values.get(option.number);
    return make(
      "button",
      {
        type: "button",
        className: value?.best ? "choice best" : "choice",
        disabled: full,
        onclick: () => this.#take(option.number),
        onmouseenter: () => point(true),
        onmouseleave: () => point(false),
        onfocus: () => point(true),
        onblur: () => point(false),
      },
      make("span", { className: "words" }, option.words),
      make("span", { className: "action" }, option.action),
      value ? make("span", { className: "value" }, verdict(value.value, value.distance)) : "",
    );
  }

  /** @param {StepAnswer} answer */
  #trace(answer) {
    const list = byId("trace");
    list.replaceChildren(...answer.trace.map((text) => make("li", {}, text)));
    if (!answer.trace.length) list.replaceChildren(make("li", { className: "none" }, "No steps yet."));
    list.scrollTop = list.scrollHeight;
    /** @type {(sign: string, kind: string) => (text: string) => HTMLElement} */
    const line = (sign, kind) => (text) => make("li", { className: kind }, make("b", {}, sign), ` ${text}`);
    byId("changes-title").hidden = !(answer.came.length || answer.went.length);
    byId("changes").replaceChildren(...answer.went.map(line("−", "went")), ...answer.came.map(line("+", "came")));
  }
}
