// The WebSocket connection to a room: reconnects with exponential backoff and detects dead connections; and the inbox,
// in which its messages wait.

import { RESTART, TURNED_AWAY, closeSocket, openSocket, silence } from "../server.js";


/** @import { Timer } from "../dom.js" */
/** @import { Socket } from "../server.js" */
/** @import { FromClient, ToClient } from "../messages.d.ts" */
/** @import { GameMessage } from "./state.js" */
/** @typedef {"open" | "lost" | "full" | "gone"} Change */
/** @typedef {(what: Change, why?: string) => void} Changed */

const FIRST_WAIT = 300;
const LONGEST_WAIT = 8000;
const RESTART_WAIT = 2000; // instead of it, as long as the server may be restarting
const RESTART_MILLISECONDS = 60_000;
const SPREAD = 500; // a server that replaces another one runs already: its clients come within this time
const ANSWER_TIMEOUT = 3000; // for a silent connection while the user waits
const IDLE_TIMEOUT = 10_000; // the same while nobody waits, and for the first message
const PING_AFTER_MILLISECONDS = 25_000; // a silent connection may be lost
const FULL_WAIT = 20_000; // with too many connections from this address
const GONE = 4404; // the close code for an unknown room

export class Connection {
  #path;
  /** @type {() => boolean} */ #isFlipped;
  /** @type {(message: ToClient) => void} */ #received;
  /** @type {Changed} */ #changed;
  /** @type {Socket | null} */ #socket = null;
  #wait = FIRST_WAIT;
  #lost = 0; // when the connection was lost; 0 while there is one
  /** @type {Timer} */ #timer = 0;
  /** @type {Timer} */ #pingTimer = 0; // until the next ping
  /** @type {Timer} */ #timeout = 0; // the timer until a silent connection is given up
  #deadline = 0; // the time of the timer
  #ended = false;
  #isAccepted = false; // whether a state has arrived: a refused connection opens, too, before it is closed

  // `received` is called with each message, `changed` with "open", "lost", "full" or "gone" and the server's close
  // reason; `isFlipped` returns the orientation of the board.
  /**
   * @param {string} room
   * @param {{ received: (message: ToClient) => void, changed: Changed, isFlipped: () => boolean }} how
   */
  constructor(room, { received, changed, isFlipped }) {
    this.#path = `/api/rooms/${encodeURIComponent(room)}`;
    this.#isFlipped = isFlipped;
    this.#received = received;
    this.#changed = changed;
    addEventListener("online", this.#retry);
    document.addEventListener("visibilitychange", this.#retry);
    this.#open();
  }

  get isOpen() {
    return this.#isAccepted && this.#socket?.readyState === WebSocket.OPEN;
  }

  /** @param {FromClient} message */
  send(message) {
    if (!this.isOpen) return false;
    this.check(); // first, as the answer to the message may take long
    this.#socket?.send(JSON.stringify(message));
    return true;
  }

  // Pings the server; a connection that stays silent is given up, as browsers do not report a dead one.
  check(timeout = ANSWER_TIMEOUT) {
    clearTimeout(this.#pingTimer);
    if (!this.isOpen) return;
    const deadline = performance.now() + timeout;
    if (this.#timeout && this.#deadline <= deadline) return;
    if (!this.#timeout) this.#socket?.send('{"type":"here"}');
    this.#giveUpAt(deadline, timeout);
  }

  end() {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#clearTimers();
    removeEventListener("online", this.#retry);
    document.removeEventListener("visibilitychange", this.#retry);
    closeSocket(this.#socket);
  }

  #open() {
    const socket = openSocket(this.#isFlipped() ? `${this.#path}?flip=true` : this.#path);
    this.#socket = socket;
    this.#isAccepted = false;
    this.#giveUpAt(0, IDLE_TIMEOUT); // a deadline of 0 is never shortened
    const isOver = () => this.#ended || socket !== this.#socket;
    socket.addEventListener("message", (event) => {
      if (isOver()) return;
      this.#clearTimers();
      this.#pingTimer = setTimeout(() => this.check(IDLE_TIMEOUT), PING_AFTER_MILLISECONDS);
      const message = JSON.parse(event.data);
      if (message.type === "state" && !this.#isAccepted) this.#accepted();
      this.#received(message);
    });
    socket.addEventListener("close", (event) => {
      if (isOver()) return;
      this.#clearTimers();
      if (event.code === GONE) {
        this.end();
        this.#changed("gone");
        return;
      }
      const full = TURNED_AWAY.includes(event.code);
      this.#changed(full ? "full" : "lost", event.reason);
      const wait = full ? FULL_WAIT : this.#wait;
      const atOnce = event.code === RESTART && !this.#lost;
      this.#timer = setTimeout(() => this.#open(), atOnce ? SPREAD * Math.random() : wait * (0.8 + 0.4 * Math.random()));
      this.#lost ||= performance.now();
      const mayRestart = performance.now() - this.#lost < RESTART_MILLISECONDS;
      this.#wait = Math.min(this.#wait * 2, mayRestart ? RESTART_WAIT : LONGEST_WAIT);
    });
  }

  #accepted() {
    this.#isAccepted = true;
    this.#wait = FIRST_WAIT;
    this.#lost = 0;
    this.#changed("open");
  }

  // Reconnects or pings at once when the network or the page is back, for example after a phone was locked.
  #retry = () => {
    if (document.hidden || this.#ended) return;
    if (this.#socket?.readyState === WebSocket.CLOSED) this.#reconnect();
    else this.check();
  };

  #reconnect() {
    clearTimeout(this.#timer);
    this.#open();
  }

  /** @param {number} deadline @param {number} timeout */
  #giveUpAt(deadline, timeout) {
    clearTimeout(this.#timeout);
    this.#deadline = deadline;
    this.#timeout = setTimeout(() => this.#giveUp(), silence(timeout));
  }

  #clearTimers() {
    clearTimeout(this.#pingTimer);
    clearTimeout(this.#timeout);
    this.#timeout = 0;
  }

  #giveUp() {
    const dead = this.#socket;
    this.#clearTimers();
    this.#reconnect();
    this.#changed("lost");
    closeSocket(dead);
  }
}

// The messages of a room, shown one after the other: showing one may take as long as an animation.
export class Inbox {
  /** @type {GameMessage[]} */ #waiting = [];
  #isShowing = false;
  #show;

  // `show` is called with each message; the next one waits for its promise.
  /** @param {(message: GameMessage) => unknown} show */
  constructor(show) {
    this.#show = show;
  }

  get length() {
    return this.#waiting.length;
  }

  clear() {
    this.#waiting.length = 0;
  }

  // Shows a message after those that wait.
  /** @param {GameMessage} message */
  async add(message) {
    this.#waiting.push(message);
    if (this.#isShowing) return;
    this.#isShowing = true;
    try {
      for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) await this.#show(next);
    } finally {
      this.#isShowing = false;
    }
  }
}
