// A worker with Python: the server of a page ("server MEGABYTES" for its engines), one job at a time for a server ("jobs
// MODULE"), or code that a page runs ("console").
//
// The server's worker starts the others. Python's memory after all imports is kept as a snapshot, from which later
// workers and visits start in a fraction of the time.

import { failureOf } from "./failures.js";
import { dropSnapshot, keepSnapshot, load, loadSnapshot } from "./files.js";
import { Refused, openStorage } from "./storage.js";
import { FILES, FRIENDS_SERVER, LATER, LOCK } from "./version.js";

/** @typedef {{ memory: Uint8Array<ArrayBuffer> | null, module: WebAssembly.Module | null }} Start */

const PAGE = 1 << 16; // bytes by which WebAssembly's memory grows
const PLACE = "/pentad"; // of the package in Python's files
const [role, detail = ""] = self.name.split(" ");
/** @type {any} */ let python = null;
/** @type {WebAssembly.Module | null} */ let compiled = null;
/** @type {Uint8Array<ArrayBuffer> | null} */ let snapshot = null;

// ── starting Python ──────────────────────────────────────────────────────────────────────────────

// What is in the snapshot: all modules, and what they compute once.
const PREPARE = ["import sys", `sys.path.insert(0, "${PLACE}")`, "from pentad.web.site.browser import server", "server.preload()"].join("\n");
const OPTIONS = { indexURL: new URL("./", import.meta.url).href, lockFileContents: JSON.stringify(LOCK) };

/** @param {Start} start */
async function startPython({ memory, module }) {
  const progress = (/** @type {number} */ loaded) => self.postMessage({ progress: loaded });
  const code = module ? null : load("pyodide.asm.wasm", progress);
  const [script, library] = await Promise.all([load("pyodide.asm.mjs", progress), load("python_stdlib.zip", progress), code]);
  const packageFile = load("pentad.zip", progress); // last: Python starts meanwhile
  packageFile.catch(() => {}); // an error is reported where the file is needed
  const wasm = module ?? (await WebAssembly.compile(await /** @type {Promise<Uint8Array<ArrayBuffer>>} */ (code)));
  compiled = wasm;
  // Pyodide fetches its own files; these answers come from what was loaded and checked above.
  const { fetch } = self;
  const own = /** @type {Record<string, Uint8Array<ArrayBuffer>>} */ ({
    "python_stdlib.zip": library,
    "pyodide.asm.wasm": new Uint8Array(), // they are compiled already
  });
  self.fetch = async (input, options) => {
    const name = String(input instanceof Request ? input.url : input).split("/").pop() ?? "";
    return name in own ? new Response(own[name]) : fetch(input, options);
  };
  WebAssembly.instantiateStreaming = async (_, imports) => {
    const instance = await WebAssembly.instantiate(wasm, imports);
    const room = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
    // Pyodide does not make room for a snapshot that is larger than its first memory.
    const missing = (memory?.length ?? 0) - room.buffer.byteLength;
    if (missing > 0) room.grow(Math.ceil(missing / PAGE));
    return { module: wasm, instance };
  };
  const blob = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all([import("./pyodide.mjs"), import(blob)]);
  URL.revokeObjectURL(blob);
  const env = hasSimd() ? {} : { PENTAD_PROCESSOR: "wasm32" };
  const options = { ...OPTIONS, env, createPyodideModule };
  if (memory) {
    python = await loadPyodide({ ...options, _loadSnapshot: memory });
    unpack(await packageFile);
    python.runPython("import importlib, random; importlib.invalidate_caches(); random.seed()");
    snapshot = memory;
  } else {
    python = await loadPyodide({ ...options, _makeSnapshot: true });
    unpack(await packageFile);
    python.runPython(PREPARE);
    snapshot = python.makeMemorySnapshot();
  }
  self.fetch = fetch;
}

/** @param {Uint8Array} archive */
function unpack(archive) {
  python.unpackArchive(archive, "zip", { extractDir: PLACE });
}

// Whether this browser runs SIMD instructions: a function that returns `i8x16.splat 0`.
const hasSimd = () =>
  WebAssembly.validate(
    new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]),
  );

async function start() {
  const memory = await loadSnapshot();
  try {
    await startPython({ memory, module: null });
  } catch (error) {
    if (!memory) throw error;
    console.warn("The snapshot of Python cannot be used.", error);
    await dropSnapshot();
    await startPython({ memory: null, module: compiled });
  }
  if (!memory && snapshot) await keepSnapshot(snapshot);
}

// ── the server of a page ─────────────────────────────────────────────────────────────────────────

/** @type {Map<number, any>} */ const sockets = new Map();
const tabs = globalThis.BroadcastChannel && new BroadcastChannel("pentad games"); // the names of games that change
/** @type {Worker[]} */ const spare = []; // workers that start before they are needed

// What Python takes from here; see `pentad/web/site/browser/server.py`.
/** @param {import("./storage.js").Storage} storage */
function environment(storage) {
  return {
    friends_server: FRIENDS_SERVER,
    memory: Number(detail),
    // Runs operations given as JSON; returns JSON with their results, or the reason for a refusal.
    storage: async (/** @type {string} */ operations) => {
      try {
        return JSON.stringify({ results: await storage.run(JSON.parse(operations)) });
      } catch (error) {
        const { name, message } = /** @type {Error} */ (error);
        return JSON.stringify({ error: name, message, row: error instanceof Refused ? error.row : null });
      }
    },
    changed: (/** @type {string} */ name) => tabs?.postMessage(name),
    startWorker,
  };
}

// A worker for the jobs of a module. `received` is called with each line, and with undefined, Python's None, at its end.
/** @param {string} module @param {(line: string | undefined) => void} received */
function startWorker(module, received) {
  const known = spare.findIndex((each) => /** @type {any} */ (each).jobs === module);
  const worker = known >= 0 ? spare.splice(known, 1)[0] : makeWorker(module);
  worker.onmessage = ({ data }) => {
    if (data.failed !== undefined) console.error("A worker has stopped.", data.details);
    if (data.line !== undefined || data.failed !== undefined) received(data.line);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    console.error("A worker has stopped.", event.message);
    received(undefined);
  };
  return { send: (/** @type {string} */ line) => worker.postMessage({ line }), kill: () => worker.terminate() };
}

/** @param {string} module */
function makeWorker(module) {
  const worker = new Worker(new URL(import.meta.url), { type: "module", name: `jobs ${module}` });
  worker.postMessage({ start: { memory: snapshot, module: compiled } });
  // One that fails while it is spare will not be used.
  const drop = () => void spare.splice(0, Infinity, ...spare.filter((each) => each !== worker));
  worker.onmessage = ({ data }) => data.failed !== undefined && drop();
  worker.onerror = drop;
  return Object.assign(worker, { jobs: module });
}

/** @type {Record<string, (server: any, data: any) => Promise<void>>} */
const REQUESTS = {
  async request(server, { request: id, method, path, body }) {
    const answer = await server.request(method, path, body);
    const [status, headers, content] = answer.toJs();
    answer.destroy();
    self.postMessage({ answer: id, status, headers: Object.fromEntries(headers), body: content });
  },
  async open(server, { open: id, path }) {
    const post = (/** @type {object} */ message) => self.postMessage({ socket: id, ...message });
    const socket = server.connect(
      path,
      (/** @type {string} */ text) => post({ text }),
      (/** @type {number} */ code, /** @type {string} */ reason) => {
        sockets.get(id)?.destroy();
        sockets.delete(id);
        post({ code, reason });
      },
    );
    sockets.set(id, socket);
    post({ opened: true });
  },
  async send(_, { send: id, text }) {
    sockets.get(id)?.put(text);
  },
  async close(_, { close: id }) {
    sockets.get(id)?.leave();
  },
  // Starts a worker for jobs that will probably come.
  async prepare(_, { prepare: module }) {
    if (!spare.length) spare.push(makeWorker(module));
  },
  // Loads what engines and the next visit's first moves need, so that it is there without a network.
  async later() {
    try {
      for (const name of Object.keys(FILES)) if (name.includes("/")) await load(name);
    } catch (error) {
      console.error(error); // an engine that needs the file loads it again, and says what is wrong
    }
  },
};

async function runServer() {
  /** @type {Array<any>} */ const waiting = [];
  self.onmessage = ({ data }) => waiting.push(data);
  const [storage] = await Promise.all([openStorage(), start()]);
  const server = python.pyimport("pentad.web.site.browser.server").start(environment(storage));
  const follow = (/** @type {any} */ data) => {
    const kind = Object.keys(REQUESTS).find((each) => each in data) ?? "";
    REQUESTS[kind](server, data).catch(stop);
  };
  self.onmessage = ({ data }) => follow(data);
  if (tabs) tabs.onmessage = ({ data }) => server.refresh(data);
  self.postMessage({ ready: true, isKept: storage.isKept });
  waiting.forEach(follow);
}

// Brings a file of the package to where Python looks for it.
/** @param {string} name @param {(loaded: number) => void} [progress] */
async function bring(name, progress) {
  const bytes = await load(name, progress);
  const path = `${PLACE}/pentad/${name}`;
  python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
  python.FS.writeFile(path, bytes);
}

// ── jobs ─────────────────────────────────────────────────────────────────────────────────────────

async function runJobs() {
  /** @type {string[]} */ const waiting = [];
  /** @type {(start: Start) => void} */ let begin = () => {};
  const given = new Promise((/** @type {(start: Start) => void} */ resolve) => (begin = resolve));
  self.onmessage = ({ data }) => (data.start ? begin(data.start) : waiting.push(data.line));
  await startPython(await given);
  const worker = python.pyimport("pentad.web.site.browser.worker").start(detail, {
    write: (/** @type {string} */ line) => self.postMessage({ line }),
    later: LATER,
    bring,
  });
  self.onmessage = ({ data }) => worker.receive(data.line);
  for (const line of waiting) worker.receive(line);
}

// ── code ─────────────────────────────────────────────────────────────────────────────────────────

// `group` names the namespace, whose first names are those of a module. With `all` the values of all expressions are
// written, not only of the last one, and with `past` the statements after an error run too.
/** @typedef {{ run: number, code: string, group?: string, module?: string, all?: boolean, past?: boolean }} Code */

const PIECES = 100; // of output that are sent at once; from then on they are collected
const PAUSE_MILLISECONDS = 50;

async function runConsole() {
  /** @type {Code[]} */ const waiting = [];
  self.onmessage = ({ data }) => waiting.push(data);
  self.postMessage({ total: Object.values(FILES).reduce((sum, { packed }) => sum + packed, 0) });
  await start();
  const progress = (/** @type {number} */ loaded) => self.postMessage({ progress: loaded });
  await Promise.all(LATER.map((name) => bring(name, progress)));
  const { start: startConsole } = python.pyimport("pentad.web.site.browser.console");
  /** @type {Map<string, any>} */ const consoles = new Map();
  const follow = (/** @type {Code} */ { run: id, code, group = "", module = "", all = false, past = false }) => {
    let text = "";
    let pieces = 0;
    let last = 0;
    const flush = () => {
      if (text) self.postMessage({ run: id, output: text });
      text = "";
      last = performance.now();
    };
    const write = (/** @type {string} */ output) => {
      text += output;
      pieces += 1;
      if (pieces < PIECES || performance.now() - last > PAUSE_MILLISECONDS) flush();
    };
    if (!consoles.has(group)) consoles.set(group, startConsole(module));
    const result = consoles.get(group).run.callKwargs(code, write, { all_values: all, past_errors: past });
    flush();
    self.postMessage({ run: id, result: JSON.parse(result) });
  };
  self.onmessage = ({ data }) => follow(data);
  self.postMessage({ ready: true });
  waiting.forEach(follow);
}

const ROLES = /** @type {Record<string, () => Promise<void>>} */ ({ server: runServer, jobs: runJobs, console: runConsole });

// Reports an error after which nothing can be relied on: one at the start, or one that nobody has caught.
/** @param {unknown} error */
function stop(error) {
  console.error(error);
  self.postMessage(failureOf(error));
}
self.addEventListener("error", (event) => {
  event.preventDefault();
  stop(event.error ?? event.message);
});
self.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  stop(event.reason);
});
ROLES[role]().catch(stop);
