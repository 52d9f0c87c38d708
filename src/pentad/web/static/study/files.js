// Games and positions into the page and out of it: pasted, from a file, dropped on it; downloaded, copied.

import { ask, byId, capital, make } from "/static/dom.js";
import { optionRow, written } from "/static/options.js";

const LARGEST = 64 * 1024; // bytes of a file; the server says how many characters it reads
const SHARP = 2; // pixels of a PNG for one of the drawing

// What the server says of a game in a text; where that holds more games it is kept, so that another can be chosen.
export async function readGame(wish) {
  const told = await ask("/api/study/read", wish);
  return told.count > 1 ? { ...told, source: { ...wish, count: told.count } } : told;
}

export class Opening {
  #opened;
  #usual;
  #games = [];
  #chosen = {}; // the options of a new game

  // `opened` gets what the server says of a game that was read, `refused` an error of what was dropped; `usual`
  // tells the game that dropped moves are of.
  constructor({ opened, refused, usual }) {
    this.#opened = opened;
    this.#usual = usual;
    byId("open-cancel").addEventListener("click", () => byId("open-dialog").close());
    byId("open-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#read(byId("paste").value);
    });
    byId("open-game").addEventListener("change", () => this.#fillOptions());
    byId("open-new").addEventListener("click", () => this.#begin());
    byId("file").addEventListener("change", ({ target }) => target.files[0] && this.#file(target.files[0]));
    document.addEventListener("dragover", (event) => {
      event.preventDefault();
      document.body.classList.add("dropping");
    });
    document.addEventListener("dragleave", (event) => event.relatedTarget || document.body.classList.remove("dropping"));
    document.addEventListener("drop", async (event) => {
      event.preventDefault();
      document.body.classList.remove("dropping");
      const file = event.dataTransfer.files[0];
      const text = file ? null : event.dataTransfer.getData("text/plain");
      try {
        if (file) this.#take(await this.#fileTold(file));
        else if (text) this.#take(await this.#told(text));
      } catch (error) {
        refused(error);
      }
    });
  }

  open(games, game) {
    byId("open-game").replaceChildren(...games.map((each) => make("option", { value: each.name }, each.title)));
    byId("open-game").value = game;
    this.#games = games;
    this.#fillOptions();
    byId("open-more").open = false;
    byId("file").value = "";
    this.#wrong("");
    byId("open-dialog").showModal();
  }

  #fillOptions() {
    const game = this.#games.find((each) => each.name === byId("open-game").value);
    this.#chosen = {};
    byId("open-options").replaceChildren(...(game?.options ?? []).map((option) => optionRow(option, this.#chosen)));
  }

  // A new game, if its options can be; what is wrong with one is shown at its field.
  #begin() {
    const wrong = [...byId("open-options").querySelectorAll(":invalid")];
    if (wrong.length) {
      byId("open-more").open = true;
      wrong[0].reportValidity();
      return;
    }
    this.#read([byId("open-game").value, ...written(this.#chosen)].join(" "));
  }

  #wrong(text) {
    byId("open-error").textContent = capital(text);
    byId("open-error").hidden = !text;
  }

  async #told(text) {
    const game = byId("open-dialog").open ? byId("open-game").value : this.#usual();
    return readGame({ text, game, number: 1 });
  }

  async #fileTold(file) {
    if (file.size > LARGEST) throw new Error(`${file.name} is larger than ${LARGEST / 1024} kB, more than is read here`);
    return this.#told(decoded(await file.arrayBuffer()));
  }

  #take(told) {
    byId("open-dialog").close();
    this.#opened(told);
  }

  async #read(text) {
    try {
      this.#take(await this.#told(text));
    } catch (error) {
      this.#wrong(error.message);
    }
  }

  async #file(file) {
    try {
      this.#take(await this.#fileTold(file));
    } catch (error) {
      this.#wrong(error.message);
    }
  }
}

export class Sharing {
  #view;

  // `view` tells the tree, and whether the board is turned.
  constructor(view) {
    this.#view = view;
    byId("share-cancel").addEventListener("click", () => byId("share-dialog").close());
    byId("copy-link").addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(byId("link").value);
        this.#note("The link is copied.");
      } catch {
        byId("link").select(); // where pages may not copy, a person can
        this.#note("The link is marked: copy it from there.");
      }
    });
    byId("share-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#download().catch((error) => this.#note(capital(error.message)));
    });
  }

  open() {
    const { tree } = this.#view();
    byId("link").value = location.href;
    byId("position").value = tree.here.position;
    byId("format").replaceChildren(
      make("optgroup", { label: "The game" }, ...tree.formats.map((each) => make("option", { value: each.name }, `${capital(each.summary)} (${each.suffix})`))),
      make("optgroup", { label: "This position" }, make("option", { value: "svg" }, "A picture (.svg)"), make("option", { value: "png" }, "A picture (.png)")),
    );
    this.#note("");
    byId("share-dialog").showModal();
  }

  #note(text) {
    byId("share-note").textContent = text;
  }

  async #download() {
    const { tree, flip } = this.#view();
    const format = byId("format").value;
    if (format !== "svg" && format !== "png") {
      const told = await ask("/api/study/write", tree.wish(format));
      save(new Blob([told.text], { type: "text/plain" }), told.name);
      return this.#note(told.left_out ? `Downloaded. ${capital(told.left_out)}.` : "Downloaded.");
    }
    const { position, move } = tree.here;
    const answer = await fetch(`/api/board.svg?${new URLSearchParams({ position, last: move, flip: String(flip) })}`);
    if (!answer.ok) throw new Error((await answer.json()).error);
    const svg = await answer.text();
    const file = format === "svg" ? new Blob([svg], { type: "image/svg+xml" }) : await raster(svg);
    save(file, `${tree.game}.${format}`);
    this.#note("Downloaded.");
  }
}

// A file's text: as its first bytes say, else UTF-8 if it is that, else as older programs wrote it.
function decoded(buffer) {
  const [first, second] = new Uint8Array(buffer, 0, Math.min(2, buffer.byteLength));
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(buffer);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(buffer);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(buffer);
  } catch {
    return new TextDecoder("windows-1252").decode(buffer);
  }
}

function save(blob, name) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// A drawing as pixels.
async function raster(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = make("canvas", { width: image.naturalWidth * SHARP, height: image.naturalHeight * SHARP });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((settle) => canvas.toBlob(settle, "image/png"));
  if (!blob) throw new Error("this browser makes no PNG of it; take the SVG");
  return blob;
}
