// Who answers a page's messages: the worker that plays at once, as long as Python is not there; then Python, which takes over
// what has begun.

/** @typedef {Record<string, any>} Message of a page or of a worker, told apart by its first field */
/** @typedef {{ room: string, request: object, record: object[] }} Begun a game that Python does not know yet */
/** @typedef {{ socket: number, state: object }} Shown what the client of a socket has */
/** @typedef {{ worker: Worker, early: Event[] }} First the worker that plays at once, and its events until the page has a relay */
/** @typedef {{ keep: (begun: Begun) => void, all: () => Begun[], forget: (room: string) => void }} BegunGames those that the browser keeps */
/**
 * What a relay needs: the workers, where their messages go, what to do when the page waits for Python, and the games that have
 * begun. Without a first worker Python starts at once.
 * @typedef {{
 *   first: First | null, makePython: () => Worker | null, receive: (message: Message) => void, awaited: () => void, games: BegunGames,
 * }} Parts
 */

const IDLE_MILLISECONDS = 3000; // after them Python starts even if nobody has moved
const SERVER_ERROR = 500;

export class Relay {
  #receive; #makePython; #awaited; #games;
  /** @type {Worker | null} */ #first = null;
  /** @type {Worker | null} */ #python = null;
  #isOpen = false; // whether Python gets messages at once
  /** @type {Message[]} */ #unsent = [];
  /** @type {Map<number, Message>} */ #asked = new Map(); // requests to the first worker
  /** @type {Map<number, string>} */ #sockets = new Map(); // their paths, while the first worker has them
  /** @type {Map<number, object>} */ #shown = new Map(); // the states that clients had when Python took over
  /** @type {Map<string, Begun>} */ #begun = new Map();
  /** @type {Map<number, (answer: Message) => void>} */ #own = new Map(); // requests of this module have negative numbers
  #idle = 0;
  /** @type {() => void} */ #started = () => {};
  /** @type {(stopped: { shown: Shown[], waiting: Message[] }) => void} */ #stopped = () => {};
  started = new Promise((/** @type {(value: void) => void} */ settle) => (this.#started = settle));

  /** @param {Parts} parts */
  constructor({ first, makePython, receive, awaited, games }) {
    this.#makePython = makePython;
    this.#receive = receive;
    this.#awaited = awaited;
    this.#games = games;
    if (first) this.#begin(first);
    else this.#need();
  }

  /** @param {Message} message */
  send(message) {
    const { request, open, path, send, close } = message;
    const isFirsts = request !== undefined || open !== undefined || this.#sockets.has(send ?? close);
    if (!this.#first || !isFirsts) return this.#toPython(message);
    if (request !== undefined) this.#asked.set(request, message);
    if (open !== undefined) this.#sockets.set(open, path);
    this.#first.postMessage(message);
    if (close !== undefined) this.#sockets.delete(close);
    if ((send ?? request) !== undefined && this.#idle) this.#wait();
    return undefined;
  }

  /** @param {Message} message */
  #toPython(message) {
    if (this.#isOpen) this.#python?.postMessage(message);
    else this.#unsent.push(message);
  }

  // ── the first worker ──

  /** @param {First} first */
  #begin({ worker, early }) {
    worker.onmessage = ({ data }) => this.#hear(data);
    worker.onerror = ({ message }) => this.#giveUp(message || "A script cannot be loaded.");
    this.#first = worker;
    for (const event of early.splice(0)) worker.dispatchEvent(event);
  }

  /** @param {Message} data */
  #hear(data) {
    if (data.failed !== undefined) this.#giveUp(data.failed);
    else if (data.pass) this.#pass(data.pass, data.isPatient);
    else if (data.begun) this.#keep(data.begun);
    else if (data.prepared) this.#wait();
    else if (data.answered) this.#start();
    else if (data.stopped) this.#stopped(/** @type {any} */ (data));
    else if (!this.#isOpen) {
      this.#asked.delete(data.answer);
      this.#receive(data);
    }
  }

  // What is not covered goes to Python, which starts for it.
  /** @param {Message} message @param {boolean} [isPatient] */
  #pass(message, isPatient = false) {
    this.#asked.delete(message.request);
    this.#sockets.delete(message.open);
    this.#toPython(message);
    if (!isPatient) this.#need();
  }

  #wait() {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#start(), IDLE_MILLISECONDS);
  }

  /** @param {string} why */
  #giveUp(why) {
    if (this.#isOpen) return;
    warnOf(why);
    this.#first?.terminate();
    this.#first = null;
    this.#stopped({ shown: [], waiting: [] });
    this.#need();
  }

  /** @param {Begun} begun */
  #keep(begun) {
    this.#begun.set(begun.room, begun);
    this.#games.keep(begun);
  }

  // ── Python ──

  #need() {
    this.#awaited();
    this.#start();
  }

  #start() {
    clearTimeout(this.#idle);
    if (this.#python) return;
    this.#python = this.#makePython();
    if (this.#python) this.#python.onmessage = ({ data }) => this.#hearPython(data);
    this.#started();
  }

  /** @param {Message} data */
  #hearPython(data) {
    const { answer, socket, opened, text, ready } = data;
    if (ready) this.#takeOver().then(() => this.#receive(data));
    else if (this.#own.has(answer)) this.#own.get(answer)?.(data);
    else if (opened && this.#shown.has(socket)) return;
    else if (text !== undefined && this.#isKnown(socket, text)) return;
    else this.#receive(data);
  }

  // Whether a text is the first one after Python took over, and says what the client knows.
  /** @param {number} socket @param {string} text */
  #isKnown(socket, text) {
    const shown = this.#shown.get(socket);
    this.#shown.delete(socket);
    return shown !== undefined && sorted(shown) === sorted(JSON.parse(text));
  }

  // Python is there: it gets the games that have begun, and from then on every message.
  async #takeOver() {
    const before = this.#unsent.splice(0);
    const { shown, waiting } = await this.#stop();
    before.push(...this.#asked.values(), ...waiting);
    for (const begun of this.#allBegun()) await this.#adopt(begun);
    for (const { socket, state } of shown) this.#shown.set(socket, state);
    for (const [open, path] of this.#sockets) this.#python?.postMessage({ open, path: pathOf(path, this.#shown.get(open)) });
    this.#isOpen = true;
    for (const each of [...before, ...this.#unsent.splice(0)]) if (!this.#isLate(each)) this.#toPython(each);
    this.#sockets.clear();
  }

  // Ends the first worker's games, and says what their clients have.
  /** @returns {Promise<{ shown: Shown[], waiting: Message[] }>} */
  async #stop() {
    const first = this.#first;
    if (!first) return { shown: [], waiting: [] };
    const stopped = new Promise((/** @type {(value: { shown: Shown[], waiting: Message[] }) => void} */ settle) => (this.#stopped = settle));
    first.postMessage({ stop: true });
    this.#first = null; // what comes now waits for Python
    const found = await stopped;
    first.terminate();
    return found;
  }

  // The games that have begun here, and in pages that were closed before Python was there.
  #allBegun() {
    return [...this.#begun.values(), ...this.#games.all().filter(({ room }) => !this.#begun.has(room))];
  }

  /** @param {Begun} begun */
  async #adopt(begun) {
    const request = -1 - this.#own.size;
    const answered = new Promise((/** @type {(answer: Message) => void} */ settle) => this.#own.set(request, settle));
    this.#python?.postMessage({ request, method: "POST", path: "/api/begun", body: JSON.stringify(begun) });
    const { status } = await answered;
    if (status < SERVER_ERROR) this.#games.forget(begun.room);
  }

  // Whether a message is about a state of a game that is over by now, as others were answered meanwhile.
  /** @param {Message} message */
  #isLate({ send, text }) {
    const room = this.#sockets.get(send)?.split(/[/?]/)[3];
    const begun = room === undefined ? undefined : this.#begun.get(room);
    const { at } = begun ? JSON.parse(text) : { at: undefined };
    return at !== undefined && at !== begun?.record.length;
  }
}

/** @param {string} why */
export const warnOf = (why) => console.warn("The page cannot play before Python is there.", why);

// The path of a socket whose client has this state.
/** @param {string} path @param {any} [state] */
const pathOf = (path, state) => (state ? `${path.split("?")[0]}${state.flip ? "?flip=true" : ""}` : path);

// A state as a text to compare.
/** @param {object} state */
const sorted = (state) => JSON.stringify(Object.entries(state).sort(([one], [other]) => (one < other ? -1 : 1)));
