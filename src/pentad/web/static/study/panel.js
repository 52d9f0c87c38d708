// The engine panel: the value of the position for each seat, the best lines, and exact values of all moves.

import { announce, byId, capitalize, compilingText, dot, fetchJson, make, save, saved } from "../dom.js";
import { exactText, formatValue, meaning, shownValues, summary, valueText } from "./values.js";

const KINDS = { 1: "win", 0: "draw", [-1]: "loss" };
const THINKING = "Thinking…";
const SOLVING = "Computing exact values of all moves…";
const HEALTH_EVERY = 1500; // milliseconds between requests for the progress of compilation
const STEPPING = 250; // milliseconds; with shorter stays at a node, its request is delayed
const CACHED = 100; // positions
const MAX_CHARACTERS = 70; // of a line
const SIGNS = { 1: "✓", 0: "=", [-1]: "×" }; // as on the board

const wait = (time) => new Promise((done) => setTimeout(done, time));

export class Panel {
  #engines;
  #on;
  #view = null; // the tree, the node and the answers for it
  #shownAt = 0; // when a node was last shown
  #delay = 0; // the timer of a delayed request
  #cache = new Map(); // position → { report, values }, the latest last

  // `valued` is called with a node whose values are known, `painted` when the board's marks change, `play` with the
  // moves of a chosen line.
  constructor(engines, on) {
    this.#engines = engines;
    this.#on = on;
    byId("engine-on").checked = saved("engine", false);
    byId("engine-lines").value = saved("lines", "3");
    byId("engine-seconds").value = saved("seconds", "5");
    for (const [id, name] of [["engine-on", "engine"], ["engine-lines", "lines"], ["engine-seconds", "seconds"]]) {
      byId(id).addEventListener("change", ({ target }) => {
        save(name, target.type === "checkbox" ? target.checked : target.value);
        if (this.#view) this.show(this.#view.tree, this.#view.node, this.#view);
      });
    }
  }

  get isOn() {
    return byId("engine-on").checked;
  }

  // Shows a node of a tree and requests its analysis; `mover` is the seat to move, `over` whether the game is over.
  show(tree, node, { mover, over }) {
    clearTimeout(this.#delay);
    this.#engines.stop("analyse");
    this.#view = { tree, node, mover, over, report: null, values: null, solving: false };
    byId("engine-body").hidden = !this.isOn;
    byId("lines").replaceChildren();
    byId("lines-caption").textContent = "";
    byId("values-note").hidden = true;
    this.#legend();
    this.#gauges();
    this.#on.painted();
    if (!this.isOn) return;
    this.#note(over ? "The game is over." : THINKING);
    if (over || this.#showCached()) return;
    // While the user steps through a game, only the node of a longer stay is analysed.
    const now = performance.now();
    const isStepping = now - this.#shownAt < STEPPING;
    this.#shownAt = now;
    if (isStepping) this.#delay = setTimeout(() => this.#request(), STEPPING);
    else this.#request();
  }

  // Shows cached answers; returns whether nothing is left to request.
  #showCached() {
    const { values, report } = this.#cache.get(this.#key) ?? {};
    if (values) this.#showValues(values);
    if (report) this.#showReport(report);
    return Boolean(report?.exact && (values || !this.#view.tree.solved));
  }

  get #key() {
    return `${byId("engine-lines").value} ${this.#view.node.position}`;
  }

  #store(answers) {
    const entry = { ...this.#cache.get(this.#key), ...answers };
    this.#cache.delete(this.#key);
    this.#cache.set(this.#key, entry);
    if (this.#cache.size > CACHED) this.#cache.delete(this.#cache.keys().next().value);
  }

  #request() {
    const view = this.#view;
    const [lines, seconds] = [Number(byId("engine-lines").value), Number(byId("engine-seconds").value)];
    const request = { type: "analyse", position: view.node.position, lines, seconds, values: view.tree.solved };
    this.#engines.send(request, (answer) => view === this.#view && this.#receive(answer));
    this.#watchPreparations(view);
  }

  // Shows the progress while engines are compiled, which happens once per machine.
  async #watchPreparations(view) {
    const isWaiting = () => view === this.#view && this.isOn && !view.report && byId("engine-note").textContent.startsWith(THINKING);
    for (await wait(HEALTH_EVERY); isWaiting(); await wait(HEALTH_EVERY)) {
      const health = await fetchJson("/api/health").catch(() => ({ compiling: null }));
      if (isWaiting()) this.#note(health.compiling ? `${THINKING} ${compilingText(health)}` : THINKING);
    }
  }

  // The marks on the board after these steps of a turn, with these choices.
  marks(steps, choices) {
    const { values, report } = this.#view ?? {};
    if (!this.isOn) return [];
    if (values) return exactMarks(values, steps);
    const best = report?.lines[0]?.moves?.[0];
    return best ? bestMarks(best, steps, choices) : [];
  }

  #receive(answer) {
    const handlers = {
      waiting: () => this.#showWaiting(answer.place),
      lost: () => this.#note("The server cannot be reached. Trying again…"),
      error: () => this.#note(answer.error),
      report: () => this.#receiveReport(answer),
      solving: () => {
        this.#view.solving = true;
        this.#valuesNote(SOLVING);
      },
      values: () => {
        this.#store({ values: answer });
        this.#showValues(answer);
      },
      unsolved: () => this.#valuesNote(`No exact values: ${answer.error}`),
      done: () => (this.#view.report ? this.#announce(this.#view.report) : this.#note("No result within the time limit.")),
    };
    handlers[answer.type]?.();
  }

  #showWaiting(place) {
    if (this.#view.solving) this.#valuesNote(place > 0 ? `Exact values: waiting. Place in the queue: ${place}.` : SOLVING);
    else if (place > 0) this.#note(`Waiting for an engine. Place in the queue: ${place}.`);
    else this.#note(THINKING);
  }

  // A report replaces the cached one when it is as deep.
  #receiveReport(report) {
    const { report: earlier } = this.#view;
    if (earlier && !report.exact && report.depth < earlier.depth) return;
    this.#store({ report });
    this.#showReport(report);
  }

  #showReport(report) {
    const { tree, node } = this.#view;
    this.#view.report = report;
    const rate = report.seconds > 0 ? Math.round(report.nodes / report.seconds) : 0;
    const parts = [`depth ${report.depth}`, `${report.nodes.toLocaleString("en")} nodes`];
    if (rate) parts.push(`${rate.toLocaleString("en")} nodes/s`);
    parts.push(report.exact ? "exact" : "estimate");
    this.#note(this.#view.values ? "" : capitalize(parts.join(" · "))); // the note about exact values is enough
    byId("lines-caption").textContent = `${capitalize(this.#mover)} to move, best moves first. ${meaning(tree)}`;
    byId("lines").replaceChildren(...report.lines.filter((line) => line.moves.length).map((line) => this.#lineItem(line, report)));
    const [best] = report.lines;
    // An estimate does not replace a proved value.
    if (best && (report.exact || !node.proved)) {
      node.values = best.values;
      node.proved = report.exact;
      this.#on.valued(node);
    }
    this.#gauges();
    if (!this.#view.values) this.#on.painted();
  }

  // Reads the final result out to screen readers.
  #announce({ exact, lines: [best] }) {
    if (!best?.moves.length) return;
    const { tree, node } = this.#view;
    announce(`Best: ${best.moves[0]}, ${this.#claim(best, exact) || valueText(tree, node, best.values)}${exact ? ", exact" : ""}.`);
  }

  // The proved result of a line, with the name of the winner.
  #claim({ claim, value }, exact) {
    const { tree, node, mover } = this.#view;
    if (claim) return `${this.#mover} ${claim}`;
    return exact ? exactText(tree, node, mover, Math.sign(value)) : "";
  }

  // The colour that is to move.
  get #mover() {
    const { tree, node, mover } = this.#view;
    return tree.coloursAt(node)[mover];
  }

  #lineItem(line, report) {
    const moves = short(line.moves).map((move, i) =>
      make("button", { type: "button", className: "move", onclick: () => this.#on.play(line.moves.slice(0, i + 1)) }, move),
    );
    const { tree, node } = this.#view;
    const claim = this.#claim(line, report.exact && (this.#view.values || line === report.lines[0]));
    return make(
      "li",
      { title: line.words },
      make("span", { className: "visually-hidden" }, valueText(tree, node, line.values)),
      ...shownValues(tree, node, line.values).map(({ value }) => make("strong", { ariaHidden: "true" }, formatValue(value))),
      claim ? make("span", { className: "claim" }, capitalize(claim)) : null,
      make("span", { className: "line-moves" }, ...moves),
    );
  }

  #showValues(answer) {
    this.#view.values = answer.moves;
    const { node } = this.#view;
    [node.values, node.proved] = [answer.values, true];
    const text = summary(answer.moves, this.#mover);
    this.#valuesNote(text);
    announce(text);
    this.#legend();
    this.#gauges();
    this.#on.valued(node);
    this.#on.painted();
  }

  #valuesNote(text) {
    byId("values-note").textContent = text;
    byId("values-note").hidden = false;
  }

  #legend() {
    const { tree, node, mover, values } = this.#view;
    byId("legend").hidden = !values;
    if (!values) return;
    byId("legend").replaceChildren(
      ...[1, 0, -1].map((value) =>
        make("li", { className: KINDS[value] }, make("span", { className: "sign", ariaHidden: "true" }, SIGNS[value]), ` ${capitalize(exactText(tree, node, mover, value))}`),
      ),
    );
  }

  #note(text) {
    byId("engine-note").textContent = text;
    byId("engine-note").hidden = !text;
  }

  // A bar of the value: one for two players, else one for each seat.
  #gauges() {
    const { tree, node } = this.#view;
    byId("gauges").replaceChildren(
      ...(node.values && this.isOn ? shownValues(tree, node) : []).map(({ colour, value }) => {
        const fill = make("span", { className: "fill" });
        fill.style.width = `${50 + 50 * value}%`;
        const label = `${capitalize(colour)} ${formatValue(value)}`;
        return make(
          "div",
          { className: "gauge-row" },
          dot(colour),
          make("div", { className: "gauge", role: "img", ariaLabel: `${label}${node.proved ? ", exact" : ""}` }, fill),
          make("span", { className: "gauge-value", ariaHidden: "true" }, label),
        );
      }),
    );
  }
}

// The first moves of a line that fit, at least two.
function short(moves) {
  let left = MAX_CHARACTERS;
  return moves.filter((move, i) => (left -= move.length + 2) > 0 || i < 2);
}

// For each target that can be touched next, the value of the best move through it.
function exactMarks(moves, steps) {
  const best = new Map();
  for (const { steps: all, value } of moves) {
    const next = nextStep(all, steps);
    if (!next || (best.get(next.step)?.value ?? -2) >= value) continue;
    best.set(next.step, { target: next.targets[0], value });
  }
  return [...best.values()].map(({ target, value }) => ({ target, kind: KINDS[value] }));
}

// The step of a move after the given ones; null if the move begins differently.
function nextStep(all, steps) {
  let begun = "";
  for (const next of all) {
    if (begun === steps) return next;
    begun = begun ? `${begun} ${next.step}` : next.step;
  }
  return null;
}

// Marks for the next step of the best move.
function bestMarks(move, steps, choices) {
  const begun = steps ? `${steps} ` : "";
  if (!`${move} `.startsWith(begun)) return [];
  const rest = `${move.slice(begun.length)} `;
  const fitting = choices.filter((each) => each.targets.length && rest.startsWith(`${each.step} `));
  const [choice] = fitting.sort((one, other) => other.step.length - one.step.length);
  if (!choice) return [];
  const [target, to] = choice.targets;
  const best = { target, kind: "best" };
  return to ? [best, { target, to, kind: "arrow" }] : [best];
}
