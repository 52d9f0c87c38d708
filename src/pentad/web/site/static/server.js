// Requests to the server, its sockets, and the addresses of pages, in a folder without a server: Python in a worker
// of this page answers, and before it is there a worker that plays at once.

import { linkTo, site } from "./addresses.js";
import { first } from "./instant/begin.js";
import { begunGames } from "./instant/begungames.js";
import { Relay } from "./instant/relay.js";
import { NO_WORKERS, STOPPED } from "./python/failures.js";
import { FILES, VERSION } from "./python/version.js";
import { phrase } from "./words.js";

/** @import { Answer } from "../../static/messages.d.ts" */
/** @import { Failure } from "./python/failures.js" */
/** @typedef {{ status: number, headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer> }} Response */

const JOBS = /** @type {Record<string, string>} */ ({
  play: "pentad.web.engines.jobs",
  analyse: "pentad.web.engines.jobs",
  review: "pentad.web.engines.jobs",
  models: "pentad.web.exploration_job",
}); // the jobs that a page will probably need, by its name

// ── the workers ──────────────────────────────────────────────────────────────────────────────────

/** @type {Map<number, (answer: Response) => void>} */ const requests = new Map();
/** @type {Map<number, LocalSocket>} */ const sockets = new Map();
let counter = 0;

// The megabytes for engines. WebAssembly has at most 4 GB, and a page on a small device much less.
const MOST_MEMORY = 1200;
const gigabytes = /** @type {{ deviceMemory?: number }} */ (navigator).deviceMemory ?? 4; // browsers name at most 8
const memory = Math.min(MOST_MEMORY, Math.max(350, gigabytes * 300));

// The worker with Python; null where there are no workers.
function makePython() {
  try {
    const worker = new Worker(new URL("./python/python.js", import.meta.url), { type: "module", name: `server ${memory}` });
    // The worker reports its own errors; this is one of its scripts, which is missing or too new for the browser.
    worker.onerror = ({ message }) => fail({ failed: STOPPED, details: message || "A script of the worker cannot be loaded." });
    return worker;
  } catch (error) {
    fail({ failed: NO_WORKERS, details: String(error) });
    return null;
  }
}

/** @param {any} data */
function receive(data) {
  if (data.progress !== undefined) bar.add(data.progress);
  else if (data.failed !== undefined) fail(data);
  else if (data.answer !== undefined) {
    requests.get(data.answer)?.(data);
    requests.delete(data.answer);
  } else if (data.socket !== undefined) sockets.get(data.socket)?.received(data);
  else if (data.ready) ready(data.isKept);
}

/** @param {boolean} isKept */
function ready(isKept) {
  bar.end();
  const page = document.body.classList[0];
  if (page === "embed") return; // stores nothing, and needs no engines
  const jobs = JOBS[page];
  if (jobs) relay.send({ prepare: jobs });
  if (page === "analyse" && memory < MOST_MEMORY) note("Low memory: exact values only near the end of a game.");
  if (!isKept) note("This browser blocks storage: your games will be lost when you close the page.");
  const later = window.requestIdleCallback ?? ((/** @type {() => void} */ act) => setTimeout(act, 1000));
  later(() => relay.send({ later: true }));
}

let hasFailed = false;

// Says so once. Requests stay without an answer, as each page would show the same once more.
/** @param {Failure} failure */
function fail({ failed, details }) {
  bar.end();
  if (hasFailed) return;
  hasFailed = true;
  const program = phrase("pentad {version}, {browser}", { version: VERSION, browser: navigator.userAgent });
  note(failed).after(folded([details.trim(), "", location.href, program].join("\n")));
}

// A text that is shown on demand and can be copied.
/** @param {string} text */
function folded(text) {
  const [all, title, shown, copy] = ["details", "summary", "pre", "button"].map((name) => document.createElement(name));
  title.textContent = "Details";
  Object.assign(shown, { textContent: text, tabIndex: 0 });
  Object.assign(copy, { type: "button", textContent: "Copy", className: "choice" });
  copy.onclick = () => {
    getSelection()?.selectAllChildren(shown);
    document.execCommand("copy"); // pages that come neither encrypted nor from this machine have no other clipboard
    copy.textContent = "Copied";
  };
  all.className = "panel site-details";
  all.append(title, shown, copy);
  return all;
}

/** @param {string} method @param {string} path @param {string | null} body @returns {Promise<Response>} */
function request(method, path, body) {
  const id = ++counter;
  relay.send({ request: id, method, path, body });
  return new Promise((resolve) => requests.set(id, resolve));
}

// ── the start ────────────────────────────────────────────────────────────────────────────────────

const SHOWN_AFTER = 700; // milliseconds of waiting; a quick start needs no bar

const bar = {
  loaded: 0,
  all: Object.entries(FILES).reduce((sum, [name, { packed }]) => sum + (name.includes("/") ? 0 : packed), 0), // the others come later
  /** @type {HTMLElement | null} */ line: null,
  timer: /** @type {ReturnType<typeof setTimeout> | 0} */ (0),

  // The page waits for Python from now on.
  begin() {
    this.timer ||= setTimeout(() => this.show(), SHOWN_AFTER);
  },

  show() {
    this.line = document.createElement("p");
    this.line.className = "loading";
    this.line.setAttribute("role", "status");
    this.line.append(document.createElement("span"), document.createElement("progress"));
    document.querySelector(".notes")?.prepend(this.line);
    this.draw();
  },

  /** @param {number} bytes */
  add(bytes) {
    this.loaded += bytes;
    this.draw();
  },

  draw() {
    if (!this.line) return;
    const [text, progress] = /** @type {[HTMLElement, HTMLProgressElement]} */ (/** @type {unknown} */ (this.line.children));
    const megabytes = (/** @type {number} */ bytes) => (bytes / 1e6).toFixed(1);
    const isLoading = this.loaded > 0 && this.loaded < this.all; // later visits have the files
    text.textContent = isLoading ? phrase("Downloading pentad: {loaded} of {all} MB", { loaded: megabytes(this.loaded), all: megabytes(this.all) }) : "Starting pentad…";
    progress.max = this.all;
    if (isLoading) progress.value = this.loaded;
    else progress.removeAttribute("value");
  },

  end() {
    clearTimeout(this.timer);
    this.line?.remove();
  },
};

const relay = new Relay({ first, makePython, receive, awaited: () => bar.begin(), games: begunGames });

/** @param {string} text @param {...Node} more */
function note(text, ...more) {
  const line = document.createElement("p");
  line.className = "site-note";
  line.setAttribute("role", "alert");
  line.append(text, ...more);
  document.querySelector(".notes")?.prepend(line);
  return line;
}

// ── requests ─────────────────────────────────────────────────────────────────────────────────────

// Sends a request and returns the JSON of the answer; throws an error with the server's message.
/**
 * @template {string} Path
 * @param {Path} path
 * @param {object} [body]
 * @returns {Promise<Answer<Path>>}
 */
export async function fetchJson(path, body, method = body === undefined ? "GET" : "POST") {
  const answer = await answerTo(path, method, body === undefined ? null : JSON.stringify(body));
  return answer.status === 204 ? /** @type {any} */ (null) : JSON.parse(String(answer.body));
}

// The text of an answer.
/** @param {string} path */
export async function fetchText(path) {
  return String((await answerTo(path)).body);
}

// An address at which the browser finds an answer.
/** @param {string} path */
export async function addressOf(path) {
  const { headers, body } = await answerTo(path);
  return URL.createObjectURL(new Blob([body], { type: headers["content-type"] ?? "" }));
}

/** @param {string} path @param {string} method @param {string | null} body */
async function answerTo(path, method = "GET", body = null) {
  const answer = await request(method, path, body);
  if (answer.status >= 400) throw new Error(JSON.parse(String(answer.body)).error);
  return answer;
}

// ── sockets ──────────────────────────────────────────────────────────────────────────────────────

export const TURNED_AWAY = [4429]; // nobody is turned away here

// The close code of a server that stops; another one may already be there.
export const RESTART = 1012;
const LEFT = 1001;

// A connection to the worker that is used like a WebSocket.
class LocalSocket extends EventTarget {
  readyState = 0; // connecting; 1 open, 3 closed
  #id = ++counter;

  /** @param {string} path */
  constructor(path) {
    super();
    sockets.set(this.#id, this);
    relay.send({ open: this.#id, path });
  }

  /** @param {string} text */
  send(text) {
    relay.send({ send: this.#id, text });
  }

  close() {
    if (this.readyState === 3) return;
    relay.send({ close: this.#id });
    this.#close(LEFT, "");
  }

  /** @param {{ opened?: boolean, text?: string, code?: number, reason?: string }} message */
  received({ opened, text, code, reason }) {
    if (opened) {
      this.readyState = 1;
      this.dispatchEvent(new Event("open"));
    } else if (text !== undefined) this.dispatchEvent(new MessageEvent("message", { data: text }));
    else if (code !== undefined) this.#close(code, reason ?? "");
  }

  /** @param {number} code @param {string} reason */
  #close(code, reason) {
    if (this.readyState === 3) return;
    this.readyState = 3;
    sockets.delete(this.#id);
    this.dispatchEvent(new CloseEvent("close", { code, reason }));
  }
}

/** @param {string} path @returns {WebSocket} */
export const openSocket = (path) => /** @type {any} */ (new LocalSocket(path));

// The milliseconds after which a silent connection is taken for dead: never, as Python may take long to start.
export const silence = () => LONGEST_TIMER;
const LONGEST_TIMER = 2 ** 31 - 1;

/** @param {WebSocket | null} socket */
export const closeSocket = (socket) => socket?.close();

// ── addresses ────────────────────────────────────────────────────────────────────────────────────

export { here, linkTo } from "./addresses.js";

/** @param {string} path @param {{ replace?: boolean, state?: unknown }} [how] */
export function showPath(path, { replace = false, state = null } = {}) {
  history[replace ? "replaceState" : "pushState"](state, "", linkTo(path));
}

// The address to give to others.
/** @param {string} [path] */
export const shareableLink = (path) => (path === undefined ? location.href : linkTo(path));

// Whether there is a server that gives pages the rules of games.
export const givesRules = false;

// Whether there is a server that keeps studies.
export const keepsStudies = false;

// ── without a network ────────────────────────────────────────────────────────────────────────────

// Lets the service worker keep the site, and says when a new version of it is there. It loads all pages, so it waits with Python.
export async function registerOffline() {
  await relay.started;
  try {
    const registration = await navigator.serviceWorker?.register(new URL("worker.js", site), { updateViaCache: "none" });
    if (!registration) return;
    const offer = () => registration.waiting && navigator.serviceWorker.controller && offerReload(registration.waiting);
    offer();
    registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", offer));
  } catch {
    // The browser stores nothing: the site needs a network.
  }
}

/** @param {ServiceWorker} next */
function offerReload(next) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", textContent: "Reload", className: "choice" });
  button.onclick = () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
    next.postMessage("take over");
  };
  note("A new version of pentad is available. ", button);
}
