// The line to the engines: what is asked about a position, and the answers that still concern it.

import { dial, TOO_MANY } from "/static/dom.js";

const PATH = "/api/study/engine";
const TOO_LONG = 1009; // the code with which a line is closed for a message that is far too long
const AGAIN = [1000, 3000, 10000]; // milliseconds before a lost line is tried again

export class EngineLine {
  #socket = null;
  #number = 0;
  #open = new Map(); // what was asked last of each kind: its message and who hears of it
  #tries = 0;

  // Ask; `hear` gets every answer, until `done` or `error`. A new question of a kind replaces the one before.
  ask(message, hear) {
    const asked = { ...message, number: ++this.#number };
    this.#open.set(message.type, { asked, hear });
    this.#send(asked);
  }

  stop(what) {
    const kinds = what ? [what] : [...this.#open.keys()];
    const running = kinds.filter((kind) => this.#open.delete(kind));
    if (running.length && this.#socket?.readyState === WebSocket.OPEN) {
      this.#socket.send(JSON.stringify(what ? { type: "stop", what } : { type: "stop" }));
    }
  }

  #send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
    else if (this.#socket?.readyState !== WebSocket.CONNECTING) this.#connect();
  }

  #connect() {
    const socket = dial(PATH);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#tries = 0;
      for (const { asked } of this.#open.values()) socket.send(JSON.stringify(asked));
    });
    socket.addEventListener("message", (event) => this.#hear(JSON.parse(event.data)));
    socket.addEventListener("close", ({ code, reason }) => {
      if (socket !== this.#socket) return;
      this.#socket = null;
      if (code === TOO_LONG) this.#giveUp("this is longer than the engines read");
      if (code === TOO_MANY) this.#giveUp(reason);
      if (!this.#open.size) return;
      for (const { hear } of this.#open.values()) hear({ type: "lost" });
      setTimeout(() => this.#open.size && !this.#socket && this.#connect(), AGAIN[this.#tries] ?? AGAIN.at(-1));
      this.#tries++;
    });
  }

  // What was asked cannot be answered, however often it is asked.
  #giveUp(why) {
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const { hear } of open) hear({ type: "error", error: why });
  }

  #hear(told) {
    const open = this.#open.get(told.what);
    if (!open || open.asked.number !== told.number) return; // too late
    if (told.type === "done" || told.type === "error") this.#open.delete(told.what);
    open.hear(told);
  }
}
