// The playground of the docs: a button below each example of Python runs it in the page, where it can be changed.
//
// Python runs in a worker of the folder that `pentad site` writes; a build without that folder marks no examples.

import { codeOf, expectsError, isSkipped } from "./examples.js";

/** @typedef {{ text?: string, svg?: string, error?: string }} Result */
/** @typedef {{ code: string, group: string, module: string, past: boolean }} Code */
/** @typedef {{ resolve: (result: Result) => void, reject: (error: Error) => void, write: (text: string) => void }} Run */

const LONGEST_OUTPUT = 100_000; // characters
/** @type {NodeListOf<HTMLElement>} */ const blocks = document.querySelectorAll("[data-python]");
const address = blocks[0]?.dataset.python ?? "";

class Stopped extends Error {}

// ── Python ───────────────────────────────────────────────────────────────────────────────────────

// The worker with Python, which starts with the first example that is run.
const python = {
  lives: 0, // the number of workers so far: a new one knows no names of the one before
  loaded: 0,
  all: 0,
  isReady: false,
  counter: 0,
  /** @type {Worker | null} */ worker: null,
  /** @type {Map<number, Run>} */ runs: new Map(),
  showProgress: () => {},

  start() {
    if (this.worker) return;
    Object.assign(this, { lives: this.lives + 1, loaded: 0, all: 0, isReady: false });
    this.worker = new Worker(new URL(address, location.href), { type: "module", name: "console" });
    this.worker.onmessage = ({ data }) => this.receive(data);
    this.worker.onerror = () => this.end(new Error("Python cannot start in this browser. Reload the page to try again."));
  },

  /** @param {any} data */
  receive(data) {
    if (data.failed !== undefined) this.end(new Error(data.failed));
    if (data.ready) this.isReady = true;
    this.loaded += data.progress ?? 0;
    this.all = data.total ?? this.all;
    if (data.output !== undefined) this.runs.get(data.run)?.write(data.output);
    if (data.result !== undefined) {
      this.runs.get(data.run)?.resolve(data.result);
      this.runs.delete(data.run);
    }
    this.showProgress();
  },

  /** @param {Code} code @param {(text: string) => void} write @returns {Promise<Result>} */
  run(code, write) {
    this.start();
    const run = ++this.counter;
    this.worker?.postMessage({ run, ...code, all: true });
    return new Promise((resolve, reject) => this.runs.set(run, { resolve, reject, write }));
  },

  // Ends the worker; the runs that wait for it fail.
  /** @param {Error} why */
  end(why) {
    this.worker?.terminate();
    this.worker = null;
    for (const { reject } of this.runs.values()) reject(why);
    this.runs.clear();
  },

  stop() {
    const wasReady = this.isReady;
    this.end(new Stopped());
    if (wasReady) this.start();
  },
};

// ── examples ─────────────────────────────────────────────────────────────────────────────────────

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string>} [attributes]
 * @param {...(Node | string)} inner
 */
function element(tag, attributes = {}, ...inner) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...inner);
  return made;
}

class Example {
  life = 0; // of the worker that ran it last
  written = 0; // characters of the output
  isOpen = false;
  isRunning = false;

  /** @param {HTMLElement} block @param {number} number @param {string} group @param {string} module */
  constructor(block, number, group, module) {
    const text = block.querySelector("code")?.textContent ?? "";
    this.block = block;
    this.number = number;
    this.group = group; // the examples that share their names
    this.module = module; // whose names they have from the start, or nothing
    this.original = codeOf(text);
    this.mayFail = expectsError(text);
    this.field = element("textarea", {
      ...{ "aria-label": `Code of example ${number}`, spellcheck: "false", autocapitalize: "off", autocomplete: "off" },
      ...{ autocorrect: "off", wrap: "off", title: "Ctrl+Enter runs the code" },
    });
    this.button = element("button", { type: "button", class: "playground-run" });
    this.reset = element("button", { type: "button", "aria-label": `Reset example ${number}` }, "Reset");
    this.status = element("span", { role: "status" });
    this.progress = element("span", { class: "playground-progress" });
    this.output = element("pre", { tabindex: "0", role: "region", "aria-label": `Output of example ${number}` });
    this.note = element("p", { class: "playground-note" });
    this.board = element("div", { class: "playground-board" });
    this.place = element(
      "div",
      { class: "playground" },
      this.field,
      element("div", { class: "playground-bar" }, this.button, this.reset, this.status, this.progress),
      this.note,
      this.output,
      this.board,
    );
    this.button.onclick = () => (this.isRunning ? python.stop() : void this.start());
    this.reset.onclick = () => this.restore();
    this.field.oninput = () => this.fit();
    this.field.onkeydown = (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (!this.isRunning) void this.start();
    };
    this.restore();
    block.after(this.place);
  }

  // An example that shows errors goes on after them, as long as nobody changes it.
  get code() {
    const code = this.isOpen ? this.field.value : this.original;
    return { code, group: this.group, module: this.module, past: this.mayFail && code === this.original };
  }

  // The field is as high as its lines.
  fit() {
    this.field.rows = this.field.value.split("\n").length;
  }

  open() {
    if (this.isOpen) return;
    this.isOpen = true;
    this.block.hidden = true;
    this.field.value = this.original;
    this.fit();
    this.field.hidden = this.reset.hidden = false;
  }

  restore() {
    if (this.isRunning) python.stop();
    const hadFocus = document.activeElement === this.reset;
    this.isOpen = false;
    this.block.hidden = false;
    this.field.hidden = this.reset.hidden = true;
    this.clear();
    this.say("");
    this.draw();
    if (hadFocus) this.button.focus();
  }

  clear() {
    this.written = 0;
    this.output.textContent = this.note.textContent = "";
    this.output.hidden = this.note.hidden = true;
    this.board.replaceChildren();
  }

  /** @param {string} text */
  say(text) {
    if (this.status.textContent !== text) this.status.textContent = text;
  }

  draw() {
    const act = this.isRunning ? "Stop" : "Run";
    this.button.textContent = act;
    this.button.setAttribute("aria-label", `${act} example ${this.number}`);
    this.place.toggleAttribute("data-running", this.isRunning);
  }

  // What happens, while it runs. The numbers are not read aloud at each change.
  showProgress() {
    const { loaded, all, isReady } = python;
    const megabytes = (/** @type {number} */ bytes) => (bytes / 1e6).toFixed(1);
    const isLoading = !isReady && loaded > 0 && loaded < all;
    this.progress.textContent = isLoading ? `${megabytes(loaded)} of ${megabytes(all)} MB` : "";
    this.say(isReady ? "Running …" : isLoading ? "Downloading Python, once:" : "Starting Python …");
  }

  async start() {
    this.open();
    this.clear();
    this.isRunning = true;
    this.draw();
    const show = () => this.showProgress();
    shown.add(show);
    python.start();
    show();
    try {
      await this.runEarlier();
      this.life = python.lives;
      this.finish(await python.run(this.code, (text) => this.write(text)));
    } catch (error) {
      this.life = 0;
      if (error instanceof Stopped) this.say("Stopped.");
      else {
        this.say("");
        this.remark(error instanceof Error ? error.message : String(error));
      }
    }
    shown.delete(show);
    this.isRunning = false;
    this.progress.textContent = "";
    this.draw();
  }

  // Runs the examples before this one that share its names, if this worker has not run them.
  async runEarlier() {
    const earlier = examples.slice(0, examples.indexOf(this)).filter((each) => each.group === this.group);
    for (const each of earlier) {
      if (each.life === python.lives) continue;
      each.life = python.lives;
      const { error } = await python.run(each.code, () => {});
      if (!error || each.mayFail) continue;
      this.remark(`Example ${each.number}, which ran first, ended with an error: ${error.split("\n").pop()}`);
    }
  }

  /** @param {Result} result */
  finish({ text, svg, error }) {
    if (svg) this.board.append(picture(svg));
    else if (text !== undefined) this.write(text);
    if (error) this.write(element("span", { class: "playground-error" }, error));
    this.say(error ? "Ended with an error." : this.written || svg ? "Done." : "Done, without output.");
  }

  /** @param {string | HTMLElement} piece */
  write(piece) {
    const text = typeof piece === "string" ? piece : (piece.textContent ?? "");
    if (!text) return;
    this.output.hidden = false;
    const room = LONGEST_OUTPUT - this.written;
    this.written += text.length;
    if (typeof piece !== "string" || text.length <= room) this.output.append(piece);
    else if (room >= 0) {
      this.output.append(text.slice(0, room));
      this.remark("There is more output, which is not shown.");
    }
  }

  /** @param {string} text */
  remark(text) {
    this.note.textContent = text;
    this.note.hidden = false;
  }
}

/** @param {string} svg */
function picture(svg) {
  return document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);
}

// ── the page ─────────────────────────────────────────────────────────────────────────────────────

/** @type {Example[]} */ const examples = [];
/** @type {Set<() => void>} */ const shown = new Set(); // of the examples that run
python.showProgress = () => shown.forEach((show) => show());

// Examples of one docstring share their names, and have those of its module; the others of a page share theirs.
const docstrings = new Map();
for (const block of blocks) {
  const module = [...block.classList].find((name) => name.startsWith("module-"))?.slice("module-".length) ?? "";
  const docstring = module && block.closest(".doc-contents");
  if (docstring && !docstrings.has(docstring)) docstrings.set(docstring, `docstring ${docstrings.size + 1}`);
  const group = docstring ? docstrings.get(docstring) : "page";
  const canRun = !isSkipped(block.querySelector("code")?.textContent ?? "");
  if (canRun) examples.push(new Example(block, examples.length + 1, group, module));
}

// Boards follow the colours of the page.
const setTheme = () => {
  document.documentElement.dataset.theme = document.body.dataset.mdColorScheme === "slate" ? "dark" : "light";
};
setTheme();
new MutationObserver(setTheme).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
