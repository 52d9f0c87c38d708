// Exploring a model: how far it is while it goes on, and what was found.

import { announce, byId, capital, dial, hangUp, make, TOO_MANY } from "/static/dom.js";
import { Picture } from "/static/models/picture.js";

const STOPPED = {
  states: "It stopped at the number of states.",
  seconds: "It stopped when the time was over.",
  depth: "It stopped at the number of steps.",
  memory: "It stopped because it had used its memory.",
  stopped: "You stopped it.",
};
const ENGINES = { general: "graph by graph", compiled: "compiled to bits" };
const COMPILED_AFTER = 1500; // milliseconds; loading what was compiled before takes less
const MOST_ROWS = 60; // of a table

const number = (count) => count.toLocaleString("en");

export class Explore {
  #picture = new Picture(byId("states-picture"), "The transition system");
  #socket = null;
  #model = null;
  #running = false;
  #slow = 0; // the timer after which something is being compiled and not only loaded

  constructor() {
    byId("explore-form").onsubmit = (event) => {
      event.preventDefault();
      this.#begin();
    };
    byId("explore-stop").onclick = () => this.#socket?.send(JSON.stringify({ type: "stop" }));
  }

  // A model to be explored, and how far that may go.
  show(model, limits) {
    if (this.#model === model) return;
    this.leave();
    this.#model = model;
    byId("most-states").max = String(limits.most_states);
    byId("most-seconds").max = String(limits.most_seconds);
    byId("most-states").value ||= "20000";
    byId("most-seconds").value ||= "5";
    byId("property-names").textContent = model.rules.map((rule) => rule.name).join(", ");
    byId("found").hidden = true;
    byId("explore-state").textContent = "Finds all states, step by step away from the start.";
  }

  // End whatever goes on: the server notices that nobody reads.
  leave() {
    const socket = this.#socket;
    this.#socket = null;
    this.#model = null;
    clearTimeout(this.#slow);
    hangUp(socket);
    this.#run(false);
  }

  #run(running) {
    this.#running = running;
    byId("explore-go").disabled = running;
    byId("explore-stop").disabled = !running;
  }

  #begin() {
    if (this.#running) return;
    const depth = byId("most-depth").value;
    const wish = {
      type: "explore",
      options: this.#model.options,
      states: Number(byId("most-states").value),
      seconds: Number(byId("most-seconds").value),
      depth: depth === "" ? null : Number(depth),
      property: byId("property").value,
    };
    this.#run(true);
    byId("explore-state").textContent = "Getting ready …";
    hangUp(this.#socket);
    const socket = dial(`/api/models/${this.#model.name}/explore`);
    this.#socket = socket;
    socket.onopen = () => socket === this.#socket && socket.send(JSON.stringify(wish));
    socket.onmessage = (event) => socket === this.#socket && this.#hear(JSON.parse(event.data));
    socket.onclose = ({ code, reason }) => {
      if (socket !== this.#socket || !this.#running) return;
      clearTimeout(this.#slow);
      byId("explore-state").textContent = code === TOO_MANY ? `${capital(reason)}.` : "The server cannot be reached.";
      this.#run(false);
    };
  }

  #hear(told) {
    const line = byId("explore-state");
    clearTimeout(this.#slow);
    if (told.type === "waiting") {
      line.textContent = told.place ? `Waiting: number ${told.place} in line.` : "Exploring …";
    } else if (told.type === "preparing") {
      const words = "Compiling what searches fast: once on this machine, some seconds …";
      this.#slow = setTimeout(() => (line.textContent = words), COMPILED_AFTER);
    } else if (told.type === "progress") {
      line.textContent = `${number(told.states)} states, ${number(told.transitions)} transitions, ${number(told.open)} still to look at, ${told.seconds.toFixed(1)} s`;
    } else {
      this.#run(false);
      if (told.type === "error") line.textContent = `${capital(told.error)}.`;
      else this.#found(told);
    }
  }

  #found(told) {
    const whole = told.stopped ? `${STOPPED[told.stopped]} There may be more.` : "These are all states.";
    byId("explore-state").textContent = `${whole} ${told.seconds.toFixed(2)} s, ${ENGINES[told.engine]}.`;
    const alike = told.isomorphism ? "alike ones are one" : "alike ones are told apart";
    const counts = [
      [`States (${alike})`, told.states],
      ["Transitions", told.transitions],
      ["Final states", told.final],
      ["States that nothing leaves", told.stuck],
    ];
    if (told.open) counts.push(["Found and not looked at", told.open]);
    if (told.broken) counts.push(["States that break an invariant", told.broken]);
    byId("counts").replaceChildren(
      ...counts.map(([what, count]) => make("div", {}, make("dt", {}, what), make("dd", {}, number(count)))),
    );
    const verdict = this.#verdict(told.property, told.states);
    this.#table(byId("depths"), told.depths.map((count, steps) => [String(steps), count]));
    this.#table(byId("actions"), Object.entries(told.actions));
    byId("states-picture").hidden = !told.svg;
    byId("found").hidden = false;
    if (told.svg) this.#picture.show(told.svg);
    announce(`${number(told.states)} states, ${number(told.transitions)} transitions, ${number(told.final)} final. ${whole}${verdict}`);
  }

  // Whether the property holds, and the way that shows it; what is said of it in words.
  #verdict(told, states) {
    const box = byId("verdict");
    box.hidden = !told;
    if (!told) return "";
    const sure = told.certain ? "" : " as far as was explored: what was not looked at may change that";
    const words = `${told.holds ? "holds" : "does not hold"}${sure}`;
    const steps = told.witness?.steps.map(({ action, arguments: given }) => (given.length ? `${action}(${given.join(", ")})` : action));
    const shows = told.holds ? "A way that shows it" : "A way on which it fails";
    const loop = told.witness?.loop ?? null;
    const again = loop === null ? "" : `, and again from step ${loop + 1} on`;
    box.className = told.certain ? (told.holds ? "holds" : "fails") : "";
    box.replaceChildren(
      make("p", {}, make("code", {}, told.formula), ` ${words}; it does in ${number(told.count)} of ${number(states)} states.`),
      steps?.length ? make("p", {}, `${shows}: ${steps.join(" → ")}${again}.`) : "",
    );
    return ` ${told.formula} ${words}.`;
  }

  #table(table, rows) {
    const most = Math.max(1, ...rows.map(([, count]) => count));
    const shown = rows.slice(0, MOST_ROWS).map(([name, count]) => {
      const bar = make("span", { className: "bar-of" });
      bar.style.width = `${(100 * count) / most}%`;
      return make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, number(count)), make("td", { ariaHidden: "true" }, bar));
    });
    if (rows.length > MOST_ROWS) {
      const rest = rows.slice(MOST_ROWS).reduce((sum, [, count]) => sum + count, 0);
      shown.push(make("tr", {}, make("th", { scope: "row" }, "more"), make("td", {}, number(rest)), make("td", {})));
    }
    table.tBodies[0].replaceChildren(...shown);
  }
}
