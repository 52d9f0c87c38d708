// The line to a room: comes back by itself, a little later each time.

import { dial, hangUp } from "/static/dom.js";

const FIRST_WAIT = 300;
const LONGEST_WAIT = 8000;
const GONE = 4404; // the code with which the server closes the line to a room that it does not have

export class Connection {
  #path;
  #isFlipped;
  #heard;
  #changed;
  #socket = null;
  #wait = FIRST_WAIT;
  #timer = 0;
  #ended = false;

  // `heard` gets each message; `changed` gets "open", "lost" or "gone"; `isFlipped` tells how the board is looked at.
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
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  send(message) {
    if (!this.isOpen) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  end() {
    this.#ended = true;
    clearTimeout(this.#timer);
    removeEventListener("online", this.#hurry);
    document.removeEventListener("visibilitychange", this.#hurry);
    hangUp(this.#socket);
  }

  #open() {
    const socket = dial(this.#isFlipped() ? `${this.#path}?flip=true` : this.#path);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      if (this.#ended) return;
      this.#changed("open");
    });
    socket.addEventListener("message", (event) => {
      if (this.#ended) return;
      const message = JSON.parse(event.data);
      if (message.type === "state") this.#wait = FIRST_WAIT; // let in, and not only to be sent away
      this.#heard(message);
    });
    socket.addEventListener("close", (event) => {
      if (this.#ended) return;
      if (event.code === GONE) {
        this.end();
        this.#changed("gone");
        return;
      }
      this.#changed("lost");
      this.#timer = setTimeout(() => this.#open(), this.#wait * (0.8 + 0.4 * Math.random()));
      this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    });
  }

  // Something has changed for the better, perhaps: do not wait any longer.
  #hurry = () => {
    if (document.hidden || this.#ended || this.#socket.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.#timer);
    this.#open();
  };
}
