// What the engines say of the position: its value for each seat, the best lines, and the exact value of every move.

import { announce, ask, byId, capital, dot, kept, keep, make, preparing } from "/static/dom.js";
import { inWords, meaning, proved, shownValues, summary, written } from "/static/study/values.js";

const KINDS = { 1: "win", 0: "draw", [-1]: "loss" };
const THINKING = "Thinking …";
const SOLVING = "Working out the exact value of every move …";
const WATCHED_EVERY = 1500; // milliseconds between two looks at whether engines are being prepared
const PASSING = 250; // milliseconds within which two nodes are passed by
const KEPT = 100; // positions whose answers are shown again at once
const MOST_LETTERS = 70; // of a line
const SIGNS = { 1: "✓", 0: "=", [-1]: "×" }; // as they are drawn on the board

const wait = (time) => new Promise((done) => setTimeout(done, time));

export class Panel {
  #line;
  #on;
  #view = null; // the tree, its node and what is known of it
  #looked = 0; // when a node was last looked at
  #asking = 0; // the timer of a question that waits
  #known = new Map(); // what was heard of positions, the latest last: { report, values }

  // `valued` is told what was found out of a node, `painted` that the board's marks are others now,
  // `play` gets the moves of a line that was chosen.
  constructor(line, on) {
    this.#line = line;
    this.#on = on;
    byId("engine-on").checked = kept("engine", false);
    byId("engine-lines").value = kept("lines", "3");
    byId("engine-seconds").value = kept("seconds", "5");
    for (const [id, name] of [["engine-on", "engine"], ["engine-lines", "lines"], ["engine-seconds", "seconds"]]) {
      byId(id).addEventListener("change", ({ target }) => {
        keep(name, target.type === "checkbox" ? target.checked : target.value);
        if (this.#view) this.look(this.#view.tree, this.#view.node, this.#view);
      });
    }
  }

  get isOn() {
    return byId("engine-on").checked;
  }

  // Ask about a node of a tree; `mover` is the seat to move there, `over` whether the game has ended.
  look(tree, node, { mover, over }) {
    clearTimeout(this.#asking);
    this.#line.stop("analyse");
    this.#view = { tree, node, mover, over, report: null, values: null, solving: false };
    byId("engine-body").hidden = !this.isOn;
    byId("lines").replaceChildren();
    byId("whose").textContent = "";
    byId("values-note").hidden = true;
    this.#legend();
    this.#gauges();
    this.#on.painted();
    if (!this.isOn) return;
    this.#note(over ? "The game is over." : THINKING);
    if (over || this.#recall()) return;
    // Who goes through a game with the keys asks about where they stop.
    const now = performance.now();
    const soon = now - this.#looked < PASSING;
    this.#looked = now;
    if (soon) this.#asking = setTimeout(() => this.#ask(), PASSING);
    else this.#ask();
  }

  // What is known of the position already is shown; whether nothing is left to be asked.
  #recall() {
    const { values, report } = this.#known.get(this.#key) ?? {};
    if (values) this.#values(values);
    if (report) this.#report(report);
    return Boolean(report?.exact && (values || !this.#view.tree.solved));
  }

  get #key() {
    return `${byId("engine-lines").value} ${this.#view.node.position}`;
  }

  #keep(told) {
    const known = { ...this.#known.get(this.#key), ...told };
    this.#known.delete(this.#key);
    this.#known.set(this.#key, known);
    if (this.#known.size > KEPT) this.#known.delete(this.#known.keys().next().value);
  }

  #ask() {
    const view = this.#view;
    const [lines, seconds] = [Number(byId("engine-lines").value), Number(byId("engine-seconds").value)];
    const wish = { type: "analyse", position: view.node.position, lines, seconds, values: view.tree.solved };
    this.#line.ask(wish, (told) => view === this.#view && this.#hear(told));
    this.#watchPreparations(view);
  }

  // Engines are compiled once a machine; whoever waits for that is told.
  async #watchPreparations(view) {
    const waits = () => view === this.#view && this.isOn && !view.report && byId("engine-note").textContent.startsWith(THINKING);
    for (await wait(WATCHED_EVERY); waits(); await wait(WATCHED_EVERY)) {
      const health = await ask("/api/health").catch(() => ({ compiling: null }));
      if (waits()) this.#note(health.compiling ? `${THINKING} ${preparing(health)}` : THINKING);
    }
  }

  // The marks on the board after some steps of a turn, whose choices these are.
  marks(steps, choices) {
    const { values, report } = this.#view ?? {};
    if (!this.isOn) return [];
    if (values) return exactMarks(values, steps);
    const best = report?.lines[0]?.moves?.[0];
    return best ? bestMarks(best, steps, choices) : [];
  }

  #hear(told) {
    const hear = {
      waiting: () => this.#wait(told.place),
      lost: () => this.#note("The server cannot be reached. Trying again …"),
      error: () => this.#note(capital(told.error)),
      report: () => this.#hearReport(told),
      solving: () => {
        this.#view.solving = true;
        this.#valuesNote(SOLVING);
      },
      values: () => {
        this.#keep({ values: told });
        this.#values(told);
      },
      unsolved: () => this.#valuesNote(`No exact values here: ${told.error}`),
      done: () => (this.#view.report ? this.#announce(this.#view.report) : this.#note("Nothing was found out in this time.")),
    };
    hear[told.type]?.();
  }

  #wait(place) {
    if (this.#view.solving) this.#valuesNote(place > 0 ? `Exact values: place ${place} in the queue.` : SOLVING);
    else if (place > 0) this.#note(`Waiting for a free engine: place ${place} in the queue.`);
    else this.#note(THINKING);
  }

  // Until an analysis that begins anew is as deep as the one before, that one stays.
  #hearReport(told) {
    const { report } = this.#view;
    if (report && !told.exact && told.depth < report.depth) return;
    this.#keep({ report: told });
    this.#report(told);
  }

  #report(told) {
    const { tree, node } = this.#view;
    this.#view.report = told;
    const rate = told.seconds > 0 ? Math.round(told.nodes / told.seconds) : 0;
    const parts = [`depth ${told.depth}`, `${told.nodes.toLocaleString("en")} nodes`];
    if (rate) parts.push(`${rate.toLocaleString("en")} a second`);
    parts.push(told.exact ? "exact" : "an estimate");
    this.#note(this.#view.values ? "" : capital(parts.join(" · "))); // the note about values says it all
    byId("whose").textContent = `${capital(this.#mover)} to move, best moves first. ${meaning(tree)}`;
    byId("lines").replaceChildren(...told.lines.filter((line) => line.moves.length).map((line) => this.#lineItem(line, told)));
    const [best] = told.lines;
    // What was proved is not replaced by an estimate.
    if (best && (told.exact || !node.proved)) {
      node.values = best.values;
      node.proved = told.exact;
      this.#on.valued(node);
    }
    this.#gauges();
    if (!this.#view.values) this.#on.painted();
  }

  // What was found in the end, for those who cannot see how it came.
  #announce({ exact, lines: [best] }) {
    if (!best?.moves.length) return;
    const { tree, node } = this.#view;
    announce(`Best: ${best.moves[0]}, ${this.#claim(best, exact) || inWords(tree, node, best.values)}${exact ? ", exact" : ""}.`);
  }

  // What is proved of a line, in words that say who wins.
  #claim({ claim, value }, exact) {
    const { tree, node, mover } = this.#view;
    if (claim) return `${this.#mover} ${claim}`;
    return exact ? proved(tree, node, mover, Math.sign(value)) : "";
  }

  // The colour that is to move.
  get #mover() {
    const { tree, node, mover } = this.#view;
    return tree.coloursAt(node)[mover];
  }

  #lineItem(line, told) {
    const moves = short(line.moves).map((move, i) =>
      make("button", { type: "button", className: "move", onclick: () => this.#on.play(line.moves.slice(0, i + 1)) }, move),
    );
    const { tree, node } = this.#view;
    const claim = this.#claim(line, told.exact && (this.#view.values || line === told.lines[0]));
    return make(
      "li",
      { title: line.words },
      make("span", { className: "unseen" }, inWords(tree, node, line.values)),
      ...shownValues(tree, node, line.values).map(({ value }) => make("strong", { ariaHidden: "true" }, written(value))),
      claim ? make("span", { className: "claim" }, capital(claim)) : null,
      make("span", { className: "line-moves" }, ...moves),
    );
  }

  #values(told) {
    this.#view.values = told.moves;
    const { node } = this.#view;
    [node.values, node.proved] = [told.values, true];
    const text = summary(told.moves, this.#mover);
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
        make("li", { className: KINDS[value] }, make("span", { className: "sign", ariaHidden: "true" }, SIGNS[value]), ` ${capital(proved(tree, node, mover, value))}`),
      ),
    );
  }

  #note(text) {
    byId("engine-note").textContent = text;
    byId("engine-note").hidden = !text;
  }

  // How good it is for whom: one bar where two play, else one for each seat.
  #gauges() {
    const { tree, node } = this.#view;
    byId("gauges").replaceChildren(
      ...(node.values && this.isOn ? shownValues(tree, node) : []).map(({ colour, value }) => {
        const fill = make("span", { className: "fill" });
        fill.style.width = `${50 + 50 * value}%`;
        const words = `${capital(colour)} ${written(value)}`;
        return make(
          "div",
          { className: "gauge-row" },
          dot(colour),
          make("div", { className: "gauge", role: "img", ariaLabel: `${words}${node.proved ? ", exact" : ""}` }, fill),
          make("span", { className: "gauge-value", ariaHidden: "true" }, words),
        );
      }),
    );
  }
}

// As many moves of a line as there is room for, two at least.
function short(moves) {
  let room = MOST_LETTERS;
  return moves.filter((move, i) => (room -= move.length + 2) > 0 || i < 2);
}

// For each place that can be touched next the best that a move through it is worth.
function exactMarks(moves, steps) {
  const best = new Map();
  for (const { steps: all, value } of moves) {
    const next = following(all, steps);
    if (!next || (best.get(next.step)?.value ?? -2) >= value) continue;
    best.set(next.step, { target: next.targets[0], value });
  }
  return [...best.values()].map(({ target, value }) => ({ target, kind: KINDS[value] }));
}

// The step of a move that comes after those of a turn; none where the move is another.
function following(all, steps) {
  let begun = "";
  for (const next of all) {
    if (begun === steps) return next;
    begun = begun ? `${begun} ${next.step}` : next.step;
  }
  return null;
}

// Where the best move goes on: its next step among the choices.
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
