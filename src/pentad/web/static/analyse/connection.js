// The WebSocket connection to the engines, of this site or of the user's machine: requests about a position and their
// answers.

import { RESTART, TURNED_AWAY, closeSocket, openSocket } from "../server.js";


/** @import { ChoiceInfo } from "../messages.d.ts" */
/** @import { Socket } from "../server.js" */
/** @typedef {{ type: "analyse", position: string, lines: number, seconds: number, values: boolean }} Analyse */
/** @typedef {{ type: "review", record: string, seconds: number }} ReviewRequest */
/** @typedef {Analyse | ReviewRequest} Question */
/** @typedef {{ moves: string[], notation?: string[], value: number | null, values: number[] | null, words: string, claim: string }} Line the values are null if the engine has none */
/** @typedef {{ type: "report", depth: number, nodes: number, seconds: number, exact: boolean, lines: Line[], player?: string }} Report `player` is a bot that has only found a move */
/** @typedef {{ move: string, steps: ChoiceInfo[], value: number }} Valued a move and its exact value for its player */
/** @typedef {{ type: "values", values: number[], moves: Valued[], unknown: number, summary: string }} Values `unknown` is the number of other legal moves, whose values are not known; the summary counts the moves by value */
/** @typedef {{ type: "ply", ply: number, values: number[], chances: number[], exact: boolean, mark?: string, loss?: number, missed?: string, sentence?: string, better?: string, line?: string[], accuracies?: Array<number | null> }} Ply of a review; the last one has the accuracies of the seats */
/** @typedef {{ type: "waiting", place: number } | { type: "error" | "unsolved", error: string } | { type: "lost" | "solving" | "done" }} Progress */
/** @typedef {Progress | Report | Values | Ply} EngineAnswer */
/** @typedef {{ request: Question & { number: number }, receive: (answer: EngineAnswer) => void }} Open */

const PATH = "/api/study/engine";
const TOO_LONG = 1009; // the close code for a message that is too long
const RETRY_MILLISECONDS = [1000, 3000, 10000];
const RESTART_MILLISECONDS = 300; // the first retry if the server has only stopped, as another one may replace it

export class EngineConnection {
  /** @type {Socket | null} */ #socket = null;
  #number = 0;
  /** @type {Map<string, Open>} */ #open = new Map(); // request type → { request, receive }
  #tries = 0;
  #address = ""; // of an engine on the user's machine; empty for this site's

  get address() {
    return this.#address;
  }

  // Connects to another engine; open requests go on there.
  /** @param {string} address */
  use(address) {
    if (address === this.#address) return;
    const socket = this.#socket;
    [this.#address, this.#socket, this.#tries] = [address, null, 0];
    closeSocket(socket);
    if (this.#open.size) this.#connect();
  }

  // Sends a request; `receive` is called with every answer, until `done` or `error`. A new request replaces the
  // earlier one of its type.
  /** @param {Question} message @param {(answer: EngineAnswer) => void} receive */
  send(message, receive) {
    const request = { ...message, number: ++this.#number };
    this.#open.set(message.type, { request, receive });
    this.#write(request);
  }

  /** @param {string} [what] */
  stop(what) {
    const kinds = what ? [what] : [...this.#open.keys()];
    const running = kinds.filter((kind) => this.#open.delete(kind));
    if (running.length && this.#socket?.readyState === WebSocket.OPEN) {
      this.#socket.send(JSON.stringify(what ? { type: "stop", what } : { type: "stop" }));
    }
  }

  /** @param {object} message */
  #write(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
    else if (this.#socket?.readyState !== WebSocket.CONNECTING) this.#connect();
  }

  #connect() {
    const socket = this.#address ? new WebSocket(this.#address + PATH) : openSocket(PATH);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#tries = 0;
      for (const { request } of this.#open.values()) socket.send(JSON.stringify(request));
    });
    socket.addEventListener("message", (event) => this.#receive(JSON.parse(event.data)));
    socket.addEventListener("close", ({ code, reason }) => {
      if (socket !== this.#socket) return;
      this.#socket = null;
      if (code === TOO_LONG) this.#fail("The request is too long.");
      if (TURNED_AWAY.includes(code)) this.#fail(reason);
      if (!this.#open.size) return;
      for (const { receive } of this.#open.values()) receive({ type: "lost" });
      const first = code === RESTART && !this.#tries;
      const wait = first ? RESTART_MILLISECONDS : (RETRY_MILLISECONDS[this.#tries] ?? RETRY_MILLISECONDS.at(-1));
      setTimeout(() => this.#open.size && !this.#socket && this.#connect(), wait);
      this.#tries++;
    });
  }

  // Ends all open requests with an error, without a retry.
  /** @param {string} why */
  #fail(why) {
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const { receive } of open) receive({ type: "error", error: why });
  }

  /** @param {EngineAnswer & { what: string, number: number }} answer */
  #receive(answer) {
    const open = this.#open.get(answer.what);
    if (!open || open.request.number !== answer.number) return; // for an older request
    if (answer.type === "done" || answer.type === "error") this.#open.delete(answer.what);
    open.receive(answer);
  }
}
