// The Explore tab of a model: progress and results of a state-space exploration.

import { announce, byId, make } from "../dom.js";
import { TURNED_AWAY, closeSocket, openSocket } from "../server.js";
import { Picture } from "./picture.js";
import { phrase, phraseNodes } from "../words.js";

/** @import { Timer } from "../dom.js" */
/** @import { Socket } from "../server.js" */

/**
 * @typedef {object} Property whether a formula holds, and in how many states it is true
 * @property {string} formula
 * @property {boolean} holds
 * @property {boolean} certain
 * @property {number} count
 * @property {{ steps: Array<{ action: string, arguments: string[] }>, loop: number | null } | null} witness
 * @property {string | null} film the witness as an SVG that moves
 */

/**
 * @typedef {object} Result of a search
 * @property {"done"} type
 * @property {string | null} stopped
 * @property {string} engine
 * @property {boolean} isomorphism
 * @property {number} states
 * @property {number} transitions
 * @property {number} open
 * @property {number} final
 * @property {number} stuck
 * @property {number} broken
 * @property {number} seconds
 * @property {number[]} depths
 * @property {Record<string, number>} actions
 * @property {string | null} svg
 * @property {number | null} classes
 * @property {Property | null} property
 */

/** @typedef {{ type: "progress", states: number, transitions: number, open: number, seconds: number }} Progress */
/** @typedef {{ type: "waiting", place: number } | { type: "preparing" } | { type: "error", error: string }} Notice */
/** @typedef {Result | Progress | Notice} ExploreMessage */
/** @import { ModelAnswer, ModelList } from "../messages.d.ts" */

/** @type {Record<string, string>} */ const STOPPED = {
  states: "The state limit was reached.",
  seconds: "The time limit was reached.",
  depth: "The depth limit was reached.",
  memory: "The memory limit was reached.",
  stopped: "You stopped the search.",
};
/** @type {Record<string, string>} */ const ENGINES = { general: "graphs", compiled: "compiled bit vectors" };
const COMPILING_AFTER = 1500; // milliseconds; loading from the cache takes less
const MAX_TABLE_ROWS = 60;

/** @param {number} count */
const number = (count) => count.toLocaleString("en");

// The sentence whether a property holds.
/** @param {Property} property @param {string | HTMLElement} formula */
function verdictOn({ holds, certain }, formula) {
  if (certain) return holds ? phraseNodes("{formula} holds.", { formula }) : phraseNodes("{formula} does not hold.", { formula });
  return holds
    ? phraseNodes("{formula} holds in the states explored; further states may change this.", { formula })
    : phraseNodes("{formula} does not hold in the states explored; further states may change this.", { formula });
}

/** @param {string} witness @param {string} steps @param {number | null} loop the step from which they repeat */
const pathText = (witness, steps, loop) =>
  loop === null
    ? phrase("{witness}: {steps}.", { witness, steps })
    : phrase("{witness}: {steps}, then repeating from step {step}.", { witness, steps, step: loop + 1 });

export class Explore {
  #picture = new Picture(byId("states-picture"), "State space");
  /** @type {Socket | null} */ #socket = null;
  /** @type {ModelAnswer | null} */ #model = null;
  #running = false;
  /** @type {Timer} */ #compilingTimer = 0; // after which the page says that something is being compiled

  constructor() {
    byId("explore-form").onsubmit = (event) => {
      event.preventDefault();
      this.#start();
    };
    byId("explore-stop").onclick = () => this.#socket?.send(JSON.stringify({ type: "stop" }));
  }

  // Shows a model to explore, with the server's limits.
  /** @param {ModelAnswer} model @param {ModelList} limits */
  show(model, limits) {
    if (this.#model === model) return;
    this.leave();
    this.#model = model;
    byId("max-states").max = String(limits.most_states);
    byId("max-seconds").max = String(limits.most_seconds);
    byId("max-states").value ||= "20000";
    byId("max-seconds").value ||= "5";
    byId("property-names").textContent = model.rules.map((rule) => rule.name).join(", ");
    byId("found").hidden = true;
    byId("explore-state").textContent = "Breadth-first search from the start graph.";
  }

  // Ends the exploration; the server stops when the connection is closed.
  leave() {
    const socket = this.#socket;
    this.#socket = null;
    this.#model = null;
    clearTimeout(this.#compilingTimer);
    closeSocket(socket);
    this.#setRunning(false);
  }

  /** @param {boolean} running */
  #setRunning(running) {
    this.#running = running;
    byId("explore-go").disabled = running;
    byId("explore-stop").disabled = !running;
  }

  #start() {
    if (this.#running || !this.#model) return;
    const depth = byId("max-depth").value;
    const request = {
      type: "explore",
      options: this.#model.options,
      states: Number(byId("max-states").value),
      seconds: Number(byId("max-seconds").value),
      depth: depth === "" ? null : Number(depth),
      property: byId("property").value,
    };
    this.#setRunning(true);
    byId("explore-state").textContent = "Starting…";
    closeSocket(this.#socket);
    const socket = openSocket(`/api/models/${this.#model.name}/explore`);
    this.#socket = socket;
    socket.addEventListener("open", () => socket === this.#socket && socket.send(JSON.stringify(request)));
    socket.addEventListener("message", (event) => socket === this.#socket && this.#receive(JSON.parse(event.data)));
    socket.addEventListener("close", ({ code, reason }) => {
      if (socket !== this.#socket || !this.#running) return;
      clearTimeout(this.#compilingTimer);
      byId("explore-state").textContent = TURNED_AWAY.includes(code) ? reason : "The server cannot be reached.";
      this.#setRunning(false);
    });
  }

  /** @param {ExploreMessage} message */
  #receive(message) {
    const line = byId("explore-state");
    clearTimeout(this.#compilingTimer);
    if (message.type === "waiting") {
      line.textContent = message.place ? phrase("Waiting. Place in the queue: {place}.", { place: message.place }) : "Exploring…";
    } else if (message.type === "preparing") {
      const text = "Compiling the search. This takes a few seconds and happens only once.";
      this.#compilingTimer = setTimeout(() => (line.textContent = text), COMPILING_AFTER);
    } else if (message.type === "progress") {
      const { states, transitions, open } = message;
      const seconds = message.seconds.toFixed(1);
      line.textContent = phrase("{states:,} states, {transitions:,} transitions, {open:,} in the queue, {seconds} s", { states, transitions, open, seconds });
    } else {
      this.#setRunning(false);
      if (message.type === "error") line.textContent = message.error;
      else this.#showResult(message);
    }
  }

  /** @param {Result} result */
  #showResult(result) {
    const extent = result.stopped ? phrase("{reason} There may be more states.", { reason: STOPPED[result.stopped] }) : "Complete: all states were found.";
    byId("explore-state").textContent = phrase("{extent} The search took {seconds} s on {engine}.", {
      extent,
      seconds: result.seconds.toFixed(2),
      engine: ENGINES[result.engine],
    });
    /** @type {Array<[string, number]>} */
    const counts = [
      [result.isomorphism ? "States (isomorphic ones merged)" : "States (isomorphic ones not merged)", result.states],
      ["Transitions", result.transitions],
      ["Final states", result.final],
      ["States without outgoing transitions", result.stuck],
    ];
    if (result.open) counts.push(["States not expanded", result.open]);
    if (result.classes) counts.push(["States up to bisimulation", result.classes]);
    if (result.broken) counts.push(["States that violate an invariant", result.broken]);
    byId("counts").replaceChildren(
      ...counts.map(([what, count]) => make("div", {}, make("dt", {}, what), make("dd", {}, number(count)))),
    );
    const verdict = this.#showVerdict(result.property, result.states);
    this.#table(byId("depths"), result.depths.map((count, steps) => /** @type {[string, number]} */ ([String(steps), count])));
    this.#table(byId("actions"), Object.entries(result.actions));
    byId("states-picture").hidden = !result.svg;
    byId("found").hidden = false;
    if (result.svg) this.#picture.show(result.svg);
    const { states, transitions, final } = result;
    const summary = phrase("{states:,} states, {transitions:,} transitions, {final:,} final.", { states, transitions, final });
    announce([summary, extent, verdict].filter(Boolean).join(" "));
  }

  // Shows whether the property holds, with a witness or counterexample; returns the verdict as a sentence.
  /** @param {Property | null} property @param {number} states */
  #showVerdict(property, states) {
    const box = byId("verdict");
    box.hidden = !property;
    if (!property) return "";
    const steps = property.witness?.steps.map(({ action, arguments: given }) => (given.length ? `${action}(${given.join(", ")})` : action));
    const title = property.holds ? "Witness" : "Counterexample";
    const loop = property.witness?.loop ?? null;
    box.className = property.certain ? (property.holds ? "holds" : "fails") : "";
    box.replaceChildren(
      make("p", {},
        ...verdictOn(property, make("code", {}, property.formula)), " ",
        phrase("It is true in {count:,} of {states:,} states.", { count: property.count, states })),
      steps?.length ? make("p", {}, pathText(title, steps.join(" → "), loop)) : "",
      property.film ? this.#film(property.film, title) : "",
    );
    return verdictOn(property, property.formula).join("");
  }

  /** @param {string} svg @param {string} title */
  #film(svg, title) {
    const address = `data:image/svg+xml,${encodeURIComponent(svg)}`;
    const film = make("details", {}, make("summary", {}, "Film of the states"));
    film.append(
      make("img", { src: address, alt: phrase("{witness} as a film of its states", { witness: title }), className: "film" }),
      make("p", {}, make("a", { href: address, download: "film.svg" }, "Save as SVG")),
    );
    return film;
  }

  /** @param {HTMLTableElement} table @param {Array<readonly [string, number]>} rows */
  #table(table, rows) {
    const most = Math.max(1, ...rows.map(([, count]) => count));
    const shown = rows.slice(0, MAX_TABLE_ROWS).map(([name, count]) => {
      const bar = make("span", { className: "table-bar" });
      bar.style.width = `${(100 * count) / most}%`;
      return make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, number(count)), make("td", { ariaHidden: "true" }, bar));
    });
    if (rows.length > MAX_TABLE_ROWS) {
      const rest = rows.slice(MAX_TABLE_ROWS).reduce((sum, [, count]) => sum + count, 0);
      shown.push(make("tr", {}, make("th", { scope: "row" }, "more"), make("td", {}, number(rest)), make("td", {})));
    }
    table.tBodies[0].replaceChildren(...shown);
  }
}
