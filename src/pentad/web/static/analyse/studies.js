// Studies: chapters that the server keeps. Each change of a chapter is saved soon, with the version that it is based on; if
// somebody else has changed the chapter meanwhile, both versions are kept.

import { announce, byId, button, keepFocus, make, messageOf } from "../dom.js";
import { download } from "../gif/movie.js";
import { fetchJson, keepsStudies, linkTo, shareableLink } from "../server.js";
import { decodedText } from "./files.js";
import { readParts } from "./games.js";
import { editable, forget, keep, keyOf } from "./keys.js";
import { editLink, studyLink } from "./link.js";
import { phrase } from "../words.js";

/** @import { ChapterInfo, NewChapter, StudyInfo } from "../messages.d.ts" */
/** @import { Game, Tree } from "./tree.js" */
/** @import { Editable } from "./keys.js" */

const SAVE_AFTER = 500; // milliseconds without a change
const RETRY_AFTER = 3000; // milliseconds after a failure
const CONFLICT = 409; // the status when somebody else has changed the chapter
const MAX_FILE_BYTES = 4 << 20;
const MOST_CHAPTERS = 64;
const GONE = 404; // the status of a study that is deleted
const READ_ONLY = 403; // the status of a change without the key
const KEY = "Study-Key"; // the header with the key
const GONE_FOR_ALL = "Everyone with the link loses it. This cannot be undone.";

export class Studies {
  /** @type {(game: Game) => unknown} */ #show;
  /** @type {() => Tree} */ #tree;
  /** @type {StudyInfo | null} */ #study = null;
  #key = "";
  #isOutdated = false; // whether the link had a key that is not the study's any more
  /** @type {ChapterInfo | null} */ #chapter = null; // the one on the board
  #isChanged = false;
  #isStale = false; // somebody else has changed the chapter on the board
  /** @type {ReturnType<typeof setTimeout> | 0} */ #timer = 0;
  /** @type {Promise<void>} */ #saving = Promise.resolve();
  /** @type {() => unknown} */ #confirmed = () => {}; // it waits for the answer to the question

  // `show` is called with the game of a chapter; `tree` returns the tree on the board.
  /** @param {{ show: (game: Game) => unknown, tree: () => Tree }} page */
  constructor({ show, tree }) {
    this.#show = show;
    this.#tree = tree;
    byId("new-study").hidden = !keepsStudies;
    if (keepsStudies) byId("all-studies").href = linkTo("/studies");
    byId("new-study").addEventListener("click", () => {
      this.#dialogError("");
      byId("study-file").value = "";
      this.#listOwn();
      byId("study-dialog").showModal();
    });
    byId("study-cancel").addEventListener("click", () => byId("study-dialog").close());
    byId("study-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#make(async () => ({ title: "", chapters: [{ title: "", record: await this.#record() }] }));
    });
    byId("study-file").addEventListener("change", () => {
      const [file] = byId("study-file").files ?? [];
      if (file) this.#make(() => readFile(file));
    });
    byId("study-title").addEventListener("change", () => this.#rename());
    byId("chapter-title").addEventListener("input", () => {
      if (this.#chapter) this.#chapter.title = byId("chapter-title").value;
      this.changed();
      this.#list();
    });
    byId("add-chapter").addEventListener("click", () => this.#add());
    byId("chapter-up").addEventListener("click", () => this.#move(-1));
    byId("chapter-down").addEventListener("click", () => this.#move(1));
    byId("remove-chapter").addEventListener("click", () =>
      this.#ask(phrase("Delete the chapter {title}?", { title: this.#chapter?.title ?? "" }), GONE_FOR_ALL, "Delete", () => this.#remove()));
    byId("remove-study").addEventListener("click", () =>
      this.#ask(phrase("Delete the study {title}?", { title: this.#study?.title ?? "" }), GONE_FOR_ALL, "Delete", () => this.#removeStudy()));
    byId("change-link").addEventListener("click", () =>
      this.#ask("Change the link to edit?", "The old link stops working at once: everyone who has it can only read the study. This cannot be undone.", "Change", () => this.#changeLink()));
    byId("study-ask-dialog").addEventListener("close", () => {
      if (byId("study-ask-dialog").returnValue === "yes") this.#confirmed();
    });
    byId("share-study").addEventListener("click", () => this.#share());
    byId("study-download").addEventListener("click", () => this.#download());
    byId("conflict-load").addEventListener("click", () => this.#chapter && this.openChapter(this.#chapter.number, { drop: true }));
    byId("conflict-keep").addEventListener("click", () => this.#add({ drop: true }));
    addEventListener("beforeunload", (event) => this.#isChanged && event.preventDefault());
  }

  get isOpen() {
    return this.#study !== null;
  }

  get mayEdit() {
    return this.#study?.may_edit ?? false;
  }

  // The study and its chapter on the board, for a report; null without a study.
  /** @returns {import("../report.js").Place | null} */
  get place() {
    return this.#study && { place: "study", name: this.#study.name, part: this.#chapter?.number ?? null };
  }

  // Opens a study; returns the game of one of its chapters, by default of the first. Without a key the one kept here counts.
  /** @param {string} name @param {string} key */
  async open(name, key, number = 0) {
    this.#key = key || keyOf(name);
    try {
      this.#study = await this.#send(`/api/study/kept/${encodeURIComponent(name)}`);
    } catch (error) {
      if (error instanceof Error && error.cause === GONE) forget(name);
      throw error;
    }
    this.#isOutdated = this.#key !== "" && !this.#study.key_fits;
    if (this.#isOutdated) {
      if (this.#key === keyOf(name)) forget(name);
      this.#key = "";
    }
    if (this.mayEdit) this.#keep();
    const known = this.#study.chapters.find((each) => each.number === number) ?? this.#study.chapters[0];
    return this.#load(known.number);
  }

  // Saves what is not saved yet, before the page shows something else.
  leave() {
    return this.#flush().catch((error) => this.#error(messageOf(error)));
  }

  // Ends the study: the page shows another game.
  close() {
    this.#study = this.#chapter = null;
    byId("study").hidden = true;
  }

  // Shows another chapter, after the changes of this one are saved; with `drop` they are lost.
  /** @param {number} number @param {{ drop?: boolean }} how */
  async openChapter(number, { drop = false } = {}) {
    try {
      if (drop) this.#forget();
      else await this.#flush();
      this.#show(await this.#load(number));
      announce(phrase("Chapter {title}.", { title: this.#chapter?.title ?? "" }));
    } catch (error) {
      this.#error(messageOf(error));
    }
  }

  // The tree on the board or the title has changed.
  changed() {
    if (!this.mayEdit || this.#isStale) return;
    this.#isChanged = true;
    byId("study-saved").textContent = "Saving…";
    this.#saveLater(SAVE_AFTER);
  }

  // Adds a game as a chapter, and shows it.
  /** @param {Game} game */
  async addGame(game) {
    try {
      const nodes = game.nodes.slice(1).map(({ parent, move, comment, clock, value, exact, shapes }) => ({ parent: parent ?? 0, move, comment, clock, value, exact, shapes }));
      const { comment, shapes } = game.nodes[0];
      const { start, tags, result, reason } = game;
      const { text } = await fetchJson("/api/study/write", { format: "pentad", start, tags, result, reason, comment, shapes, nodes });
      await this.#append(text);
    } catch (error) {
      this.#error(messageOf(error));
    }
  }

  // ── on the server ──

  // Sends a request with the key of the study.
  /**
   * @template {string} Path
   * @param {Path} path
   * @param {object} [body]
   * @param {string} [method]
   */
  #send(path, body, method) {
    return fetchJson(path, body, method, this.#key ? { [KEY]: this.#key } : {});
  }

  /** @returns {`/api/study/kept/${string}`} */
  get #path() {
    return `/api/study/kept/${encodeURIComponent(this.#study?.name ?? "")}`;
  }

  /** @param {() => Promise<{ title: string, chapters: NewChapter[] }>} read what the study begins with */
  async #make(read) {
    try {
      const { name, key } = await fetchJson("/api/study/new", await read());
      await this.#flush();
      this.#show(await this.open(name, key));
      byId("study-dialog").close();
    } catch (error) {
      this.#dialogError(messageOf(error));
    }
  }

  /** @param {Editable} study */
  async #openOwn({ name }) {
    try {
      await this.#flush();
      this.#show(await this.open(name, ""));
      byId("study-dialog").close();
    } catch (error) {
      this.#listOwn();
      this.#dialogError(messageOf(error));
    }
  }

  #keep() {
    const study = this.#study;
    if (study) keep({ name: study.name, key: this.#key, title: study.title });
  }

  async #record() {
    return (await fetchJson("/api/study/write", this.#tree().toRequest("pentad"))).text;
  }

  /** @param {number} number @returns {Promise<Game>} */
  async #load(number) {
    const { tree, ...chapter } = await fetchJson(`${this.#path}/chapters/${number}/tree`);
    this.#forget();
    this.#chapter = chapter;
    const study = /** @type {StudyInfo} */ (this.#study);
    study.chapters = study.chapters.map((each) => (each.number === number ? chapter : each));
    this.#fill();
    return { ...tree, chapter: { study: study.name, number } };
  }

  // Drops the changes that are not saved.
  #forget() {
    clearTimeout(this.#timer);
    this.#isChanged = this.#isStale = false;
    byId("study-conflict").hidden = true;
    this.#error("");
  }

  /** @param {number} milliseconds */
  #saveLater(milliseconds) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#flush().catch(() => this.#saveLater(RETRY_AFTER)), milliseconds);
  }

  // Saves the changes, after a save that is running.
  #flush() {
    clearTimeout(this.#timer);
    const done = this.#saving.then(() => this.#save());
    this.#saving = done.catch(() => {});
    return done;
  }

  async #save() {
    const chapter = this.#chapter;
    if (!this.#isChanged || !chapter) return;
    if (this.#isStale) throw new Error("This chapter was changed in another browser. Choose a version first.");
    this.#isChanged = false;
    try {
      const { version, title } = chapter;
      const query = { version, title, tree: this.#tree().toRequest("pentad") };
      chapter.version = (await this.#send(`${this.#path}/chapters/${chapter.number}`, query, "PUT")).version;
      if (!this.#isChanged) byId("study-saved").textContent = "Saved";
      this.#error("");
    } catch (error) {
      this.#isChanged = true;
      this.#isStale = error instanceof Error && error.cause === CONFLICT;
      byId("study-saved").textContent = "Not saved";
      byId("study-conflict").hidden = !this.#isStale;
      this.#error(messageOf(error));
      if (error instanceof Error && error.cause === READ_ONLY) return this.#lock();
      if (!this.#isStale) throw error;
    }
  }

  // Somebody has changed the link to edit: what is on the board stays, but cannot be saved.
  #lock() {
    if (!this.#study) return;
    this.#study.may_edit = false;
    this.#isOutdated = true;
    this.#key = "";
    forget(this.#study.name);
    this.#fillControls();
    byId("study-saved").textContent = "Not saved";
  }

  /** @param {{ drop?: boolean }} how */
  async #add({ drop = false } = {}) {
    try {
      const record = await this.#record();
      if (drop) this.#forget();
      await this.#append(record);
    } catch (error) {
      this.#error(messageOf(error));
    }
  }

  /** @param {string} record */
  async #append(record) {
    await this.#flush();
    const added = await this.#send(`${this.#path}/chapters`, { title: "", record });
    await this.#refresh();
    await this.openChapter(added.number);
  }

  // Reads the list of chapters again.
  async #refresh() {
    this.#study = await this.#send(this.#path);
    this.#list();
  }

  async #remove() {
    const chapter = this.#chapter;
    if (!chapter) return;
    try {
      if (!this.#isStale) await this.#flush();
      const { number, version } = chapter;
      this.#study = await this.#send(`${this.#path}/chapters/${number}/remove`, { version });
      await this.openChapter(/** @type {StudyInfo} */ (this.#study).chapters[0].number, { drop: true });
    } catch (error) {
      this.#error(messageOf(error));
    }
  }

  // Asks whether to do what cannot be undone.
  /** @param {string} question @param {string} text @param {string} yes the label of the button @param {() => unknown} confirmed */
  #ask(question, text, yes, confirmed) {
    this.#confirmed = confirmed;
    byId("study-ask-title").textContent = question;
    byId("study-ask-text").textContent = text;
    byId("study-ask-yes").textContent = yes;
    byId("study-ask-dialog").returnValue = "no";
    byId("study-ask-dialog").showModal();
  }

  // Deletes the study; the game on the board stays there.
  async #removeStudy() {
    const { name } = this.#study ?? { name: "" };
    try {
      const { tree } = await fetchJson(`${this.#path}/chapters/${this.#chapter?.number}/tree`);
      await this.#send(`${this.#path}/remove`, {});
      forget(name);
      this.#forget();
      this.#show(tree);
      announce("Study deleted.");
    } catch (error) {
      this.#error(messageOf(error));
    }
  }

  // Moves the chapter on the board up or down in the list.
  /** @param {-1 | 1} by */
  async #move(by) {
    const numbers = (this.#study?.chapters ?? []).map(({ number }) => number);
    const at = numbers.indexOf(this.#chapter?.number ?? 0);
    [numbers[at], numbers[at + by]] = [numbers[at + by], numbers[at]];
    try {
      await this.#flush();
      this.#study = await this.#send(`${this.#path}/order`, { chapters: numbers }, "PUT");
      this.#error("");
      announce(phrase("Chapter {number} of {all}.", { number: at + by + 1, all: numbers.length }));
    } catch (error) {
      if (error instanceof Error && error.cause === CONFLICT) await this.#refresh().catch(() => {});
      this.#error(messageOf(error));
    }
    keepFocus(() => byId(by < 0 ? "chapter-down" : "chapter-up"), () => this.#list());
  }

  async #rename() {
    byId("study-saved").textContent = "Saving…";
    try {
      this.#study = await this.#send(this.#path, { title: byId("study-title").value }, "PUT");
      this.#keep();
      byId("study-title").value = this.#study?.title ?? "";
      byId("study-saved").textContent = this.#isChanged ? "Saving…" : "Saved";
    } catch (error) {
      byId("study-saved").textContent = "Not saved";
      this.#error(messageOf(error));
    }
  }

  async #download() {
    try {
      await this.#flush();
      const { text, name } = await fetchJson(`${this.#path}/text`);
      download(new Blob([text], { type: "text/plain" }), name);
      byId("study-share-note").textContent = "Downloaded.";
    } catch (error) {
      byId("study-share-note").textContent = messageOf(error);
    }
  }

  // ── on the page ──

  #share() {
    const study = this.#study?.name ?? "";
    byId("read-link").value = shareableLink(studyLink({ study }));
    byId("edit-link").value = shareableLink(editLink(study, this.#key));
    byId("edit-link-row").hidden = !this.#key;
    byId("change-link").hidden = !this.#study?.owned;
    byId("study-share-note").textContent = "";
    if (!byId("study-share-dialog").open) byId("study-share-dialog").showModal();
  }

  // Replaces the link to edit.
  async #changeLink() {
    try {
      this.#key = (await this.#send(`${this.#path}/key`, {})).key;
      this.#keep();
      this.#share();
      byId("study-share-note").textContent = "The link to edit is a new one. The old link only reads.";
    } catch (error) {
      this.#error(messageOf(error));
    }
  }

  #fill() {
    byId("study").hidden = false;
    byId("study-title").value = this.#study?.title ?? "";
    byId("chapter-title").value = this.#chapter?.title ?? "";
    this.#fillControls();
    this.#list();
  }

  // Shows what may be done.
  #fillControls() {
    const may = this.mayEdit;
    for (const field of /** @type {const} */ (["study-title", "chapter-title"])) byId(field).readOnly = !may;
    for (const each of /** @type {const} */ (["add-chapter", "chapter-up", "chapter-down", "remove-chapter", "remove-study"])) byId(each).hidden = !may;
    byId("study-saved").textContent = may ? "Saved" : "Read only";
    byId("study-help").textContent = may
      ? "Changes are saved automatically. A game or position that you open becomes a new chapter."
      : this.#isOutdated ? "The link to edit was changed. Yours can only read: your changes are not saved." : "Your changes are not saved.";
  }

  #listOwn() {
    const own = editable();
    byId("edited-studies").hidden = !own.length;
    byId("edited-studies-list").replaceChildren(
      ...own.map((study) => make("li", {}, button(study.title, () => this.#openOwn(study), { className: "move" }))),
    );
  }

  #list() {
    const current = this.#chapter?.number;
    byId("chapters").replaceChildren(
      ...(this.#study?.chapters ?? []).map(({ number, title }) => {
        const name = number === current ? (this.#chapter?.title ?? title) : title;
        const choice = button(name, () => this.openChapter(number), { className: "move" });
        if (number === current) choice.setAttribute("aria-current", "true");
        return make("li", {}, choice);
      }),
    );
    const numbers = (this.#study?.chapters ?? []).map(({ number }) => number);
    byId("chapter-up").disabled = numbers[0] === current;
    byId("chapter-down").disabled = numbers.at(-1) === current;
    byId("remove-chapter").disabled = numbers.length < 2;
  }

  /** @param {string} text */
  #error(text) {
    byId("study-error").textContent = text;
    byId("study-error").hidden = !text;
  }

  /** @param {string} text */
  #dialogError(text) {
    byId("study-dialog-error").textContent = text;
    byId("study-dialog-error").hidden = !text;
  }
}

// The chapters of a file; an error names its line.
/** @param {File} file */
async function readFile(file) {
  if (file.size > MAX_FILE_BYTES) throw new Error(phrase("{file} is larger than {size} MB. Nothing was imported.", { file: file.name, size: MAX_FILE_BYTES >> 20 }));
  try {
    let count = 0;
    const parts = await readParts(decodedText(await file.arrayBuffer()).replaceAll("\r\n", "\n"), async ({ text, lines }) => {
      const part = await fetchJson("/api/study/chapters", { text, lines_before: lines });
      count += part.chapters.length;
      if (count > MOST_CHAPTERS) throw new Error(phrase("Expected at most {most} chapters, got more.", { most: MOST_CHAPTERS }));
      return part;
    });
    const chapters = parts.flatMap((part) => part.chapters);
    const title = parts.find((part) => part.title)?.title ?? "";
    return { title, chapters };
  } catch (error) {
    throw new Error(phrase("{file}: {reason} Nothing was imported.", { file: file.name, reason: messageOf(error) }), { cause: error });
  }
}
