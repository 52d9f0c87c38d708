// What the engines say of the position: its value for each seat, the best lines, and the exact value of every move.

import { announce, ask, byId, capital, dot, kept, keep, make } from "/static/dom.js";

const KINDS = { 1: "win", 0: "draw", [-1]: "loss" };
const WORDS = { 1: "wins", 0: "draws", [-1]: "loses" };
const THINKING = "Thinking …";
const WATCHED_EVERY = 1500; // milliseconds between two looks at whether engines are being prepared
const MOST_LETTERS = 70; // of a line
const PLURAL = { 1: "win", 0: "draw", [-1]: "lose" };
const SIGNS = { 1: "+", 0: "=", [-1]: "×" }; // as they are drawn on the board

const wait = (time) => new Promise((done) => setTimeout(done, time));

export class Panel {
  #line;
  #on;
  #view = null; // the tree, its node and the board's choices

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
        if (this.#view) this.look(this.#view.tree, this.#view.node, this.#view.over);
      });
    }
  }

  get isOn() {
    return byId("engine-on").checked;
  }

  // Ask about a node of a tree; `over` when the game has ended there.
  look(tree, node, over) {
    this.#line.stop("analyse");
    this.#line.stop("values");
    this.#view = { tree, node, over, report: null, values: null, solving: false };
    byId("engine-body").hidden = !this.isOn;
    byId("lines").replaceChildren();
    byId("whose").textContent = "";
    byId("values-note").hidden = true;
    this.#legend();
    this.#gauges();
    this.#on.painted();
    if (!this.isOn) return;
    this.#note(over ? "The game is over." : THINKING);
    if (over) return;
    const view = this.#view;
    const [lines, seconds] = [Number(byId("engine-lines").value), Number(byId("engine-seconds").value)];
    const { position } = node;
    // What is exact comes first: an engine answers one question of a reader after the other.
    if (tree.solved) {
      this.#view.solving = true;
      this.#line.ask({ type: "values", position }, (told) => view === this.#view && this.#hearValues(told));
    }
    this.#line.ask({ type: "analyse", position, lines, seconds }, (told) => view === this.#view && this.#hear(told));
    this.#watchPreparations(view);
  }

  // Engines are compiled once a machine; whoever waits for that is told.
  async #watchPreparations(view) {
    const waits = () => view === this.#view && this.isOn && !view.report && byId("engine-note").textContent.startsWith(THINKING);
    for (await wait(WATCHED_EVERY); waits(); await wait(WATCHED_EVERY)) {
      const { compiling, share } = await ask("/api/health").catch(() => ({ compiling: null }));
      const done = share ? ` (${Math.round(100 * share)} %)` : "";
      if (waits()) this.#note(compiling ? `${THINKING} The engine of ${capital(compiling)} is being prepared, once on this machine${done}.` : THINKING);
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
    if (told.type === "waiting") {
      const own = told.place === 1 && this.#view.solving;
      if (own) this.#note("Lines follow when the exact values are there.");
      else this.#note(told.place > 0 ? `Waiting for a free engine: place ${told.place} in the queue.` : THINKING);
    } else if (told.type === "lost") this.#note("The server cannot be reached; it is tried again.");
    else if (told.type === "error") this.#note(capital(told.error));
    else if (told.type === "report") this.#report(told);
    else if (told.type === "done" && this.#view.report) this.#announce(this.#view.report);
    else if (told.type === "done") this.#note("Nothing was found out in this time.");
  }

  #report(told) {
    const { node } = this.#view;
    this.#view.report = told;
    const rate = told.seconds > 0 ? Math.round(told.nodes / told.seconds) : 0;
    const parts = [`depth ${told.depth}`, `${told.nodes.toLocaleString("en")} nodes`];
    if (rate) parts.push(`${rate.toLocaleString("en")} a second`);
    parts.push(told.exact ? "exact" : "an estimate");
    this.#note(capital(parts.join(" · ")));
    byId("whose").textContent = `Best for ${this.#view.tree.colours[told.seat]}, who is to move`;
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
    announce(`${byId("whose").textContent}: ${best.moves[0]}, ${best.claim || written(best.value)}${exact ? ", exact" : ""}.`);
  }

  #lineItem(line, told) {
    const moves = short(line.moves).map((move, i) =>
      make("button", { type: "button", className: "move", onclick: () => this.#on.play(line.moves.slice(0, i + 1)) }, move),
    );
    const said = line.claim || (told.exact && line === told.lines[0] ? WORDS[Math.sign(line.value)] : "");
    return make(
      "li",
      { title: line.words },
      make("strong", {}, written(line.value)),
      said ? make("span", { className: "claim" }, said) : null,
      make("span", { className: "line-moves" }, ...moves),
    );
  }

  #hearValues(told) {
    const note = byId("values-note");
    this.#view.solving &&= told.type === "waiting";
    if (told.type === "waiting") {
      note.textContent = told.place > 0 ? `Exact values: place ${told.place} in the queue.` : "Working out the exact value of every move …";
    } else if (told.type === "error") {
      note.textContent = `No exact values here: ${told.error}`;
    } else if (told.type === "values") {
      this.#view.values = told.moves;
      const { node } = this.#view;
      [node.values, node.proved] = [told.values, true];
      note.textContent = summary(told.moves);
      announce(note.textContent);
      this.#legend();
      this.#gauges();
      this.#on.valued(node);
      this.#on.painted();
    } else return;
    note.hidden = false;
  }

  #legend() {
    const { values } = this.#view;
    byId("legend").hidden = !values;
    if (!values) return;
    byId("legend").replaceChildren(
      ...[1, 0, -1].map((value) =>
        make("li", { className: KINDS[value] }, make("span", { className: "sign", ariaHidden: "true" }, SIGNS[value]), ` ${WORDS[value]}`),
      ),
    );
  }

  #note(text) {
    byId("engine-note").textContent = text;
  }

  // How good it is for whom: one bar where two play, else one for each seat.
  #gauges() {
    const { tree, node } = this.#view;
    const seats = node.values && this.isOn ? (tree.colours.length === 2 ? [0] : tree.colours.keys()) : [];
    byId("gauges").replaceChildren(
      ...[...seats].map((seat) => {
        const value = node.values[seat];
        const fill = make("span", { className: "fill" });
        fill.style.width = `${50 + 50 * value}%`;
        const words = `${capital(tree.colours[seat])} ${written(value)}${node.proved ? ", exact" : ""}`;
        return make(
          "div",
          { className: "gauge-row" },
          dot(tree.colours[seat]),
          make("div", { className: "gauge", role: "img", ariaLabel: words }, fill),
          make("span", { className: "gauge-value", ariaHidden: "true" }, written(value)),
        );
      }),
    );
  }
}

// A value as people write it.
export function written(value) {
  const text = Math.abs(value).toFixed(2);
  return Number(text) === 0 ? "0.00" : `${value > 0 ? "+" : "−"}${text}`;
}

// As many moves of a line as there is room for, two at least.
function short(moves) {
  let room = MOST_LETTERS;
  return moves.filter((move, i) => (room -= move.length + 2) > 0 || i < 2);
}

function summary(moves) {
  const parts = [1, 0, -1]
    .map((value) => [moves.filter((each) => each.value === value).length, value])
    .filter(([count]) => count)
    .map(([count, value]) => `${count} ${count === 1 ? WORDS[value] : PLURAL[value]}`);
  return `Exact: of ${moves.length} moves ${parts.join(", ")}.`;
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
