// The engine panel: the value of the position for each seat, the best lines, and exact values of all moves.

import { announce, byId, capitalize, compilingText, dot, make, notify, save, saved } from "../dom.js";
import { LruCache } from "../lru.js";
import { fetchJson } from "../server.js";
import { setting } from "../settings/preferences.js";
import { linesOf } from "./findings.js";
import { KINDS, bestMarks, exactMarks, short } from "./marks.js";
import { exactText, formatValue, meaning, shownValues, valueText } from "./values.js";
import { phrase } from "../words.js";

/** @import { Node, Tree } from "./tree.js" */
/** @import { EngineAnswer, EngineConnection, Line, Report, Values } from "./connection.js" */
/** @import { Known, Search, Solution } from "./findings.js" */
/** @import { Timer } from "../dom.js" */
/** @import { ChoiceInfo } from "../messages.d.ts" */

/**
 * @typedef {object} Listeners
 * @property {() => void} valued called when values of the node are known
 * @property {() => void} painted called when the board's marks change
 * @property {(moves: string[]) => void} play called with the moves of a chosen line
 */

const FINDINGS = ["report", "values", "solving", "unsolved"]; // answers of an engine at work
const LOCAL = "ws://localhost:8765"; // where `pentad engine --serve` answers
const LOCAL_ADDRESS = /^ws:\/\/(localhost|127\.0\.0\.1):\d{1,5}$/;
const HEALTH_EVERY = 1500; // milliseconds between requests for the progress of compilation
const STEPPING = 250; // milliseconds; with shorter stays at a node, its request is delayed
const MAX_CACHED_POSITIONS = 100;
/** @type {Record<number, string>} */ const SIGNS = { 1: "✓", 0: "=", [-1]: "×" }; // as on the board

/** @param {number} time */
const wait = (time) => new Promise((done) => setTimeout(done, time));

// The moves of a line as people read them.
/** @param {Line} line */
const written = ({ notation, moves }) => notation ?? moves;

export class Panel {
  /** @type {EngineConnection} */ #engines;
  /** @type {Listeners} */ #on;
  /** @type {Known | null} */ #view = null; // the position, and what is known of it
  #shownAt = 0; // when a node was last shown
  #isStarting = false; // whether it was started with a board, and has no answer yet
  /** @type {Timer} */ #delay = 0; // the timer of a delayed request
  /** @type {LruCache<{ report?: Report, values?: Values }>} */ #cache = new LruCache(MAX_CACHED_POSITIONS); // by number of lines and position


  /** @param {EngineConnection} engines @param {Listeners} on */
  constructor(engines, on) {
    this.#engines = engines;
    this.#on = on;
    this.#choosePlace();
    byId("engine-on").checked = saved("engine", false);
    byId("engine-lines").value = saved("lines", "3");
    byId("engine-seconds").value = saved("seconds", "5");
    for (const [name, field] of Object.entries({ engine: byId("engine-on"), lines: byId("engine-lines"), seconds: byId("engine-seconds") })) {
      field.addEventListener("change", () => {
        save(name, field instanceof HTMLInputElement ? field.checked : field.value);
        this.#isStarting = false;
        if (this.#view) this.show(this.#view.tree, this.#view.node, this.#view);
      });
    }
  }

  // Lets the user choose between the engines of this site and one on their own machine.
  #choosePlace() {
    const [place, address] = [byId("engine-place"), byId("engine-address")];
    place.value = saved("engine-place", "site");
    address.value = saved("engine-address", LOCAL);
    byId("engine-command").textContent = ["pentad engine --serve --allow", location.origin].join(" ");
    const use = () => {
      const isLocal = place.value === "local";
      byId("engine-local").hidden = !isLocal;
      const valid = LOCAL_ADDRESS.test(address.value.trim());
      address.setCustomValidity(valid ? "" : phrase("Expected an address such as {example}.", { example: LOCAL }));
      if (isLocal && !address.reportValidity()) return;
      save("engine-place", place.value);
      save("engine-address", address.value.trim());
      this.#engines.use(isLocal ? address.value.trim() : "");
      this.#cache = new LruCache(MAX_CACHED_POSITIONS);
      if (this.#view) this.show(this.#view.tree, this.#view.node, this.#view);
    };
    place.addEventListener("change", use);
    address.addEventListener("change", use);
    use();
  }

  get #now() {
    if (!this.#view) throw new Error("The panel shows no position yet.");
    return this.#view;
  }

  get isOn() {
    return byId("engine-on").checked;
  }

  // Turns the engine on for a board that is opened, unless the settings say otherwise; the board is shown next.
  start() {
    if (this.isOn || !setting("autostart")) return;
    this.#turn(true);
    this.#isStarting = true;
  }

  /** @param {boolean} isOn */
  #turn(isOn) {
    byId("engine-on").checked = isOn;
    save("engine", isOn);
  }

  // Turns the engine off if the server refuses it to a board that was opened: nobody has asked for it.
  #giveUp() {
    this.#isStarting = false;
    this.#turn(false);
    notify(phrase("The engine was not started: {reason}", { reason: linesOf(this.#now).engine }));
    this.show(this.#now.tree, this.#now.node, this.#now);
  }

  // Shows a node of a tree and requests its analysis; `mover` is the seat to move, `over` whether the game is over.
  /** @param {Tree} tree @param {Node} node @param {Pick<Known, "mover" | "over">} where */
  show(tree, node, { mover, over }) {
    clearTimeout(this.#delay);
    this.#engines.stop("analyse");
    this.#view = { tree, node, mover, over, report: null, search: { kind: "thinking", reason: "" }, solution: { kind: "none" } };
    byId("engine-body").hidden = !this.isOn;
    byId("lines").replaceChildren();
    byId("lines-caption").textContent = "";
    this.#legend();
    this.#gauges();
    this.#say();
    this.#on.painted();
    if (!this.isOn || over || this.#showCached()) return;
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
    const isComplete = Boolean(report?.exact && (values || !this.#now.tree.solved));
    if (isComplete) this.#searching({ kind: "done" });
    return isComplete;
  }

  get #key() {
    return `${byId("engine-lines").value} ${this.#now.node.position}`;
  }

  /** @param {{ report?: Report, values?: Values }} answers */
  #store(answers) {
    this.#cache.set(this.#key, { ...this.#cache.get(this.#key), ...answers });
  }

  #request() {
    const view = this.#now;
    const [lines, seconds] = [Number(byId("engine-lines").value), Number(byId("engine-seconds").value)];
    const request = { type: /** @type {const} */ ("analyse"), position: view.node.position, lines, seconds, values: view.tree.solved };
    this.#engines.send(request, (answer) => view === this.#view && this.#receive(answer));
    if (!this.#engines.address) this.#watchPreparations(view); // the site knows nothing of another engine
  }

  // Shows the progress while engines are compiled, which happens once per machine.
  /** @param {Known} view */
  async #watchPreparations(view) {
    const isWaiting = () => view === this.#view && this.isOn && !view.report && view.search.kind === "thinking";
    for (await wait(HEALTH_EVERY); isWaiting(); await wait(HEALTH_EVERY)) {
      const health = await fetchJson("/api/health").catch(() => ({ compiling: null }));
      if (isWaiting()) this.#searching({ kind: "thinking", reason: health.compiling ? compilingText(health) : "" });
    }
  }

  // The marks on the board after these steps of a turn, with these choices.
  /** @param {string} steps @param {ChoiceInfo[]} choices */
  marks(steps, choices) {
    const { solution, report } = this.#view ?? {};
    if (!this.isOn) return [];
    if (solution?.kind === "values") return exactMarks(solution.answer.moves, steps);
    const best = report?.lines[0]?.moves?.[0];
    return best ? bestMarks(best, steps, choices) : [];
  }

  /** @param {EngineAnswer} answer */
  #receive(answer) {
    if (FINDINGS.includes(answer.type)) this.#now.search = { kind: "thinking", reason: "" }; // it waits no longer
    const isSolving = this.#now.solution.kind === "solving"; // places in the queue are those of its request
    if (answer.type === "waiting" && isSolving) this.#solving({ kind: "solving", place: answer.place });
    else if (answer.type === "waiting") this.#searching(answer.place > 0 ? { kind: "queued", place: answer.place } : { kind: "thinking", reason: "" });
    else if (answer.type === "lost") this.#searching({ kind: "lost", isLocal: Boolean(this.#engines.address) });
    else if (answer.type === "error") this.#searching({ kind: "failed", error: answer.error });
    else if (answer.type === "report") this.#receiveReport(answer);
    else if (answer.type === "unsolved") this.#solving({ kind: "unsolved", error: answer.error });
    else if (answer.type === "solving") this.#solving({ kind: "solving", place: 0 });
    else if (answer.type === "values") {
      this.#store({ values: answer });
      this.#showValues(answer);
    } else if (answer.type === "done") {
      this.#searching({ kind: "done" });
      if (this.#now.report) this.#announce(this.#now.report);
    }
    if (!this.#isStarting) return;
    if (answer.type === "lost" || answer.type === "error") this.#giveUp();
    else if (answer.type === "report" || answer.type === "values") this.#isStarting = false;
  }

  /** @param {Search} search */
  #searching(search) {
    this.#now.search = search;
    this.#say();
  }

  /** @param {Solution} solution */
  #solving(solution) {
    this.#now.solution = solution;
    this.#say();
  }

  // Shows the lines of text.
  #say() {
    const { exact, engine } = linesOf(this.#now);
    for (const [id, text] of /** @type {const} */ ([["values-note", exact], ["engine-note", engine]])) {
      byId(id).textContent = text;
      byId(id).hidden = !text;
    }
  }

  // A report replaces the cached one when it is as deep.
  /** @param {Report} report */
  #receiveReport(report) {
    const { report: earlier } = this.#now;
    if (earlier && !report.exact && report.depth < earlier.depth) return;
    this.#store({ report });
    this.#showReport(report);
  }

  /** @param {Report} report */
  #showReport(report) {
    const { tree, node } = this.#now;
    this.#now.report = report;
    byId("lines-caption").textContent = phrase("Best moves first. {meaning}", { meaning: meaning(tree) });
    byId("lines").replaceChildren(...report.lines.filter((line) => line.moves.length).map((line) => this.#lineItem(line, report)));
    const [best] = report.lines;
    // An estimate does not replace a proved value.
    if (best?.values && (report.exact || !node.proved)) {
      node.values = best.values;
      node.proved = report.exact;
      this.#on.valued();
    }
    this.#gauges();
    this.#say();
    if (this.#now.solution.kind !== "values") this.#on.painted();
  }

  // Reads the final result out to screen readers.
  /** @param {Report} report */
  #announce({ exact, lines: [best] }) {
    if (!best?.moves.length) return;
    const { tree, node } = this.#now;
    const value = this.#claim(best, exact) || (best.values && valueText(tree, node, best.values));
    const found = [written(best)[0], value, exact ? "exact" : ""].filter(Boolean).join(", ");
    announce(phrase("Best: {found}.", { found }));
  }

  // The proved result of a line, with the name of the winner.
  /** @param {Line} line @param {boolean} exact */
  #claim({ claim, value }, exact) {
    const { tree, node, mover } = this.#now;
    if (claim) return `${this.#mover} ${claim}`;
    return exact ? exactText(tree, node, mover, Math.sign(value ?? 0)) : "";
  }

  // The colour that is to move.
  get #mover() {
    const { tree, node, mover } = this.#now;
    return tree.coloursAt(node)[mover];
  }

  /** @param {Line} line @param {Report} report */
  #lineItem(line, report) {
    const moves = short(written(line)).map((move, i) =>
      make("button", { type: "button", className: "move", onclick: () => this.#on.play(line.moves.slice(0, i + 1)) }, move),
    );
    const { tree, node } = this.#now;
    const claim = this.#claim(line, report.exact && (this.#now.solution.kind === "values" || line === report.lines[0]));
    return make(
      "li",
      { title: line.words },
      line.values && make("span", { className: "visually-hidden" }, valueText(tree, node, line.values)),
      ...(line.values ? shownValues(tree, node, line.values) : []).map(({ value }) => make("strong", { ariaHidden: "true" }, formatValue(value))),
      claim ? make("span", { className: "claim" }, capitalize(claim)) : null,
      make("span", { className: "line-moves" }, ...moves),
    );
  }

  /** @param {Values} answer */
  #showValues(answer) {
    const { node } = this.#now;
    [node.values, node.proved] = [answer.values, true];
    this.#solving({ kind: "values", answer });
    announce(byId("values-note").textContent);
    this.#legend();
    this.#gauges();
    this.#on.valued();
    this.#on.painted();
  }

  #legend() {
    const { tree, node, mover, solution } = this.#now;
    byId("legend").hidden = solution.kind !== "values";
    if (byId("legend").hidden) return;
    byId("legend").replaceChildren(
      ...[1, 0, -1].map((value) =>
        make("li", { className: KINDS[value] }, make("span", { className: "sign", ariaHidden: "true" }, SIGNS[value]), ` ${capitalize(exactText(tree, node, mover, value))}`),
      ),
    );
  }

  // A bar of the value: one for two players, else one for each seat.
  #gauges() {
    const { tree, node } = this.#now;
    byId("gauges").replaceChildren(
      ...(node.values && this.isOn ? shownValues(tree, node) : []).map(({ colour, value }) => {
        const fill = make("span", { className: "fill" });
        fill.style.width = `${50 + 50 * value}%`;
        const label = `${capitalize(colour)} ${formatValue(value)}`;
        return make(
          "div",
          { className: "gauge-row" },
          dot(colour),
          make("div", { className: "gauge", role: "img", ariaLabel: node.proved ? phrase("{value}, exact", { value: label }) : label }, fill),
          make("span", { className: "gauge-value", ariaHidden: "true" }, label),
        );
      }),
    );
  }
}
