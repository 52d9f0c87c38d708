// The Open and Share dialogs: games and positions are pasted, loaded or dropped, and downloaded or copied.

import { byId, capitalize, every, make, messageOf, targetOf } from "../dom.js";
import { download, fileName, toGif } from "../gif/movie.js";
import { optionRow, optionTexts } from "../options.js";
import { fetchJson, fetchText, shareableLink } from "../server.js";
import { MAX_TEXT, afterReading, sourceOf } from "./games.js";
import { linkRequest } from "./link.js";
import { phrase } from "../words.js";

/** @import { Source } from "./games.js" */
/** @import { LinkRequest } from "./link.js" */
/** @import { Game, Tree } from "./tree.js" */
/** @import { Chosen } from "../options.js" */
/** @import { GameInfo } from "../messages.d.ts" */

const MAX_FILE_BYTES = 4 << 20;
const TEXT_FIELD = "textarea, input:not([type='checkbox'], [type='radio'], [type='file'])";
const PNG_SCALE = 2; // pixels of a PNG for one of the drawing

// The game at a place of a text; only its part is sent. With several games the text is its `source`, to choose another one.
/** @param {Source} source @param {number} at @returns {Promise<Game>} */
export async function readGame(source, at = 0) {
  const { part, number } = source.places[at];
  const { text, lines } = source.parts[part];
  if (text.length > MAX_TEXT) {
    const size = { count: text.length, most: MAX_TEXT };
    throw new Error(source.parts.length > 1 ? phrase("The game has {count:,} characters. At most {most:,} can be opened.", size) : phrase("The text has {count:,} characters. At most {most:,} can be opened.", size));
  }
  const game = await fetchJson("/api/study/read", { text, game: source.game, number, lines_before: lines });
  const known = afterReading(source, at, game);
  return known.places.length > 1 ? { ...game, source: known } : game;
}

export class OpenDialog {
  /** @type {(game: Game) => void} */ #opened;
  /** @type {(error: unknown) => void} */ #refused;
  /** @type {(request: LinkRequest) => Promise<Game>} */ #linked;
  /** @type {() => string | undefined} */ #currentGame;
  /** @type {GameInfo[]} */ #games = [];
  /** @type {Chosen} */ #chosen = {}; // the options of a new game
  #transfers = 0; // pasted or dropped on the page

  // `opened` is called with a game that was read, `refused` with an error after something was pasted or dropped on the page;
  // `linked` reads the game of a link, `currentGame` returns the name of the game to which bare moves belong.
  /** @param {{ opened: (game: Game) => void, refused: (error: unknown) => void, linked: (request: LinkRequest) => Promise<Game>, currentGame: () => string | undefined }} on */
  constructor({ opened, refused, linked, currentGame }) {
    this.#opened = opened;
    this.#refused = refused;
    this.#linked = linked;
    this.#currentGame = currentGame;
    byId("open-cancel").addEventListener("click", () => byId("open-dialog").close());
    byId("open-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#openText(byId("paste").value);
    });
    byId("open-game").addEventListener("change", () => this.#fillOptions());
    byId("open-new").addEventListener("click", () => this.#newGame());
    byId("file").addEventListener("change", () => [...(byId("file").files ?? [])].slice(0, 1).forEach((file) => this.#openFile(file)));
    document.addEventListener("dragover", (event) => {
      event.preventDefault();
      document.body.classList.add("dropping");
    });
    document.addEventListener("dragleave", (event) => event.relatedTarget || document.body.classList.remove("dropping"));
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      document.body.classList.remove("dropping");
      this.#take(event.dataTransfer);
    });
    document.addEventListener("paste", (event) => {
      if (targetOf(event).closest?.(TEXT_FIELD) || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      this.#take(event.clipboardData);
    });
  }

  // Opens a file or text that is pasted or dropped on the page; of several in a row, the last one.
  /** @param {DataTransfer | null} data */
  async #take(data) {
    const file = data?.files[0];
    const text = data?.getData("text/plain");
    if (!file && !text) return;
    const number = ++this.#transfers;
    const isLast = () => number === this.#transfers;
    try {
      const game = await (file ? this.#readFile(file) : this.#readText(text ?? ""));
      if (isLast()) this.#accept(game);
    } catch (error) {
      if (isLast()) this.#refused(error);
    }
  }

  /** @param {GameInfo[]} games @param {string} game */
  open(games, game) {
    byId("open-game").replaceChildren(...games.map((each) => make("option", { value: each.name }, each.title)));
    byId("open-game").value = game;
    this.#games = games;
    this.#fillOptions();
    byId("open-more").open = false;
    byId("file").value = "";
    this.#showError("");
    byId("open-dialog").showModal();
  }

  #fillOptions() {
    const game = this.#games.find((each) => each.name === byId("open-game").value);
    this.#chosen = {};
    byId("open-options").replaceChildren(...(game?.options ?? []).map((option) => optionRow(option, this.#chosen)));
  }

  // Starts a new game; an invalid option is reported at its field.
  #newGame() {
    const wrong = /** @type {HTMLInputElement[]} */ (every(":invalid", byId("open-options")));
    if (wrong.length) {
      byId("open-more").open = true;
      wrong[0].reportValidity();
      return;
    }
    this.#openText([byId("open-game").value, ...optionTexts(this.#chosen)].join(" "));
  }

  /** @param {string} text */
  #showError(text) {
    byId("open-error").textContent = text;
    byId("open-error").hidden = !text;
  }

  /** @param {string} text */
  async #readText(text) {
    const request = linkRequest(text);
    if (request) return this.#linked(request);
    const game = byId("open-dialog").open ? byId("open-game").value : this.#currentGame();
    return readGame(sourceOf(text, game));
  }

  /** @param {File} file */
  async #readFile(file) {
    if (file.size > MAX_FILE_BYTES) throw new Error(phrase("The file {file} is larger than {size} MB.", { file: file.name, size: MAX_FILE_BYTES >> 20 }));
    return this.#readText(decodedText(await file.arrayBuffer()));
  }

  /** @param {Game} game */
  #accept(game) {
    byId("open-dialog").close();
    this.#opened(game);
  }

  /** @param {string} text */
  async #openText(text) {
    try {
      this.#accept(await this.#readText(text));
    } catch (error) {
      this.#showError(messageOf(error));
    }
  }

  /** @param {File} file */
  async #openFile(file) {
    try {
      this.#accept(await this.#readFile(file));
    } catch (error) {
      this.#showError(messageOf(error));
    }
  }
}

export class ShareDialog {
  /** @type {() => { tree: Tree, flip: boolean }} */ #view;
  /** @type {AbortController | null} */ #running = null; // while a GIF is made

  // `view` returns the tree and the orientation of the board: { tree, flip }.
  /** @param {() => { tree: Tree, flip: boolean }} view */
  constructor(view) {
    this.#view = view;
    byId("share-cancel").addEventListener("click", () => byId("share-dialog").close());
    byId("copy-link").addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(byId("link").value);
        this.#note("Link copied.");
      } catch {
        byId("link").select(); // the browser forbids copying
        this.#note("The link is selected. Copy it with the keyboard or a long press.");
      }
    });
    byId("share-dialog").addEventListener("close", () => this.#running?.abort());
    byId("share-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#download().catch((error) => this.#note(messageOf(error)));
    });
  }

  open() {
    const { tree } = this.#view();
    byId("link").value = shareableLink();
    byId("position").value = tree.here.position;
    byId("format").replaceChildren(
      make("optgroup", { label: "The game" }, ...tree.formats.map((each) => make("option", { value: each.name }, `${capitalize(each.summary)} (${each.suffix})`)), make("option", { value: "gif" }, "Animated GIF (.gif)")),
      make("optgroup", { label: "This position" }, make("option", { value: "svg" }, "Picture (.svg)"), make("option", { value: "png" }, "Picture (.png)")),
    );
    this.#note("");
    byId("share-dialog").showModal();
  }

  /** @param {string} text */
  #note(text) {
    byId("share-note").textContent = text;
  }

  async #download() {
    const { tree, flip } = this.#view();
    const format = byId("format").value;
    if (format === "gif") return this.#saveGif();
    if (format !== "svg" && format !== "png") {
      const file = await fetchJson("/api/study/write", tree.toRequest(format));
      download(new Blob([file.text], { type: "text/plain" }), file.name);
      return this.#note(file.left_out ? phrase("Downloaded. {left_out}", { left_out: file.left_out }) : "Downloaded.");
    }
    const { position, move } = tree.here;
    const svg = await fetchText(`/api/board.svg?${new URLSearchParams({ position, last: move, flip: String(flip) })}`);
    const file = format === "svg" ? new Blob([svg], { type: "image/svg+xml" }) : await toPng(svg);
    download(file, `${tree.game}.${format}`);
    this.#note("Downloaded.");
  }

  // Saves the line through the current node; closing the dialog cancels that.
  async #saveGif() {
    if (this.#running) return;
    const mine = (this.#running = new AbortController());
    const { tree, flip } = this.#view();
    /** @param {number} done @param {number} all */
    const progress = (done, all) => this.#note(phrase("Making the GIF: {done} of {all} positions. Press Close to cancel.", { done, all }));
    try {
      const file = await toGif({ game: tree.game, frames: tree.line(), flip }, { progress, signal: mine.signal });
      download(file, fileName(tree.game, new Date()));
      this.#note("Downloaded.");
    } catch (error) {
      if (!mine.signal.aborted) throw error;
    } finally {
      this.#running = null;
    }
  }
}

// A file's text: UTF-16 with a byte order mark, else UTF-8, else Windows-1252.
/** @param {ArrayBuffer} buffer */
export function decodedText(buffer) {
  const [first, second] = new Uint8Array(buffer, 0, Math.min(2, buffer.byteLength));
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(buffer);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(buffer);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(buffer);
  } catch {
    return new TextDecoder("windows-1252").decode(buffer);
  }
}

// A drawing as a PNG.
/** @param {string} svg @returns {Promise<Blob>} */
async function toPng(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = make("canvas", { width: image.naturalWidth * PNG_SCALE, height: image.naturalHeight * PNG_SCALE });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  /** @type {Blob | null} */
  const blob = await new Promise((settle) => canvas.toBlob(settle, "image/png"));
  if (!blob) throw new Error("This browser cannot make a PNG. Download the SVG instead.");
  return blob;
}
