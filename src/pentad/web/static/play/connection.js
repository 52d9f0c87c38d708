// The line to a room: comes back by itself, a little later each time.

import { dial, hangUp, TOO_MANY } from "/static/dom.js";

const FIRST_WAIT = 300;
const LONGEST_WAIT = 8000;
const ANSWER_WITHIN = 3000; // after which a line that says nothing is given up, where somebody waits
const PATIENCE = 10_000; // the same where nobody does, and for the first message
const QUIET = 25_000; // after which a line is asked whether it still carries anything
const FULL_WAIT = 20_000; // where there are too many lines from this address
const GONE = 4404; // the code with which the server closes the line to a room that it does not have

export class Connection {
  #path;
  #isFlipped;
  #heard;
  #changed;
  #socket = null;
  #wait = FIRST_WAIT;
  #timer = 0;
  #asking = 0; // the timer until one asks whether the line carries anything
  #probing = 0; // the timer until a line that says nothing is given up
  #until = 0; // when that is
  #ended = false;
  #isIn = false; // whether the server has let this page in: a refused line is opened too, and then closed

  // `heard` gets each message; `changed` gets "open", "lost", "full" or "gone", and why the server closed the line;
  // `isFlipped` tells how the board is looked at.
  constructor(room, { heard, changed, isFlipped }) {
    this.#path = `/api/rooms/${encodeURIComponent(room)}`;
    this.#isFlipped = isFlipped;
    this.#heard = heard;
    this.#changed = changed;
    addEventListener("online", this.#hurry);
    document.addEventListener("visibilitychange", this.#hurry);
    this.#open();
  }

  get isOpen() {
    return this.#isIn && this.#socket?.readyState === WebSocket.OPEN;
  }

  send(message) {
    if (!this.isOpen) return false;
    this.check(); // first, as the answer to the message itself may take its time
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  // Find out whether the line still carries anything: one that is cut without a word says nothing of it.
  check(within = ANSWER_WITHIN) {
    clearTimeout(this.#asking);
    if (!this.isOpen) return;
    const until = performance.now() + within;
    if (this.#probing && this.#until <= until) return;
    if (!this.#probing) this.#socket.send('{"type":"here"}');
    this.#giveUpAt(until, within);
  }

  end() {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#probed();
    removeEventListener("online", this.#hurry);
    document.removeEventListener("visibilitychange", this.#hurry);
    hangUp(this.#socket);
  }

  #open() {
    const socket = dial(this.#isFlipped() ? `${this.#path}?flip=true` : this.#path);
    this.#socket = socket;
    this.#isIn = false;
    this.#giveUpAt(0, PATIENCE); // a line may be cut while it is being made, too; nothing makes that wait shorter
    const isOver = () => this.#ended || socket !== this.#socket;
    socket.addEventListener("message", (event) => {
      if (isOver()) return;
      this.#probed();
      this.#asking = setTimeout(() => this.check(PATIENCE), QUIET);
      const message = JSON.parse(event.data);
      if (message.type === "state" && !this.#isIn) this.#letIn();
      this.#heard(message);
    });
    socket.addEventListener("close", (event) => {
      if (isOver()) return;
      this.#probed();
      if (event.code === GONE) {
        this.end();
        this.#changed("gone");
        return;
      }
      const full = event.code === TOO_MANY;
      this.#changed(full ? "full" : "lost", event.reason);
      this.#timer = setTimeout(() => this.#open(), (full ? FULL_WAIT : this.#wait) * (0.8 + 0.4 * Math.random()));
      this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    });
  }

  #letIn() {
    this.#isIn = true;
    this.#wait = FIRST_WAIT;
    this.#changed("open");
  }

  // Something has changed for the better, perhaps: do not wait any longer. And a line that was not heard of for a
  // while, as when a phone was in a pocket, may be dead without anybody's knowing.
  #hurry = () => {
    if (document.hidden || this.#ended) return;
    if (this.#socket.readyState === WebSocket.CLOSED) this.#again();
    else this.check();
  };

  #again() {
    clearTimeout(this.#timer);
    this.#open();
  }

  #giveUpAt(until, within) {
    clearTimeout(this.#probing);
    this.#until = until;
    this.#probing = setTimeout(() => this.#giveUp(), within);
  }

  #probed() {
    clearTimeout(this.#asking);
    clearTimeout(this.#probing);
    this.#probing = 0;
  }

  #giveUp() {
    const dead = this.#socket;
    this.#probed();
    this.#again();
    this.#changed("lost");
    hangUp(dead);
  }
}
