// The chat of a room, which can be muted.

import { byId, capitalize, dot, make, save, saved } from "../dom.js";
import { phrase } from "../words.js";
import { play } from "./sound.js";

/** @import { ChatPosted } from "../messages.d.ts" */

/**
 * `send` is called with a text, and with a name if the field for it is shown; it returns whether it was sent. `remove` removes
 * a watcher's message, and `letWatchers` decides whether watchers may write.
 * @typedef {{ send: (text: string, name: string | null) => boolean, remove: (number: number) => void, letWatchers: (say: boolean) => void }} ChatActions
 */

export class Chat {
  /** @type {Map<number, HTMLLIElement | null>} */ #shown = new Map(); // the messages by their numbers; null if removed
  #isMuted = saved("mute", false);
  #watchersSay = true;
  #remove;

  /** @param {ChatActions} actions */
  constructor({ send, remove, letWatchers }) {
    this.#remove = remove;
    byId("chat-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const field = byId("chat-text");
      const text = field.value.trim();
      const name = byId("chat-name");
      if (text && send(text, name.hidden ? null : name.value.trim())) field.value = "";
    });
    byId("mute").addEventListener("click", () => {
      this.#isMuted = !this.#isMuted;
      save("mute", this.#isMuted);
      this.#mark();
    });
    byId("watchers-chat").addEventListener("click", () => letWatchers(!this.#watchersSay));
    this.#mark();
  }

  clear() {
    this.#shown.clear();
    byId("chat-messages").replaceChildren();
  }

  // Shows the field for a name, which watchers without one fill in first.
  /** @param {boolean} wanted */
  showNameField(wanted) {
    byId("chat-name").hidden = byId("chat-name-label").hidden = !wanted;
    if (wanted) byId("chat-name").value ||= saved("name", "");
  }

  // Says to watchers of a running game who reads what they write.
  /** @param {boolean} wanted */
  showNote(wanted) {
    byId("chat-note").hidden = !wanted;
  }

  // Shows whether watchers may write: to a player with a button if there are any, to a watcher in place of the form.
  /** @param {{ isPlayer: boolean, say: boolean, areHere: boolean }} watchers */
  showWatchers({ isPlayer, say, areHere }) {
    this.#watchersSay = say;
    const isShut = !isPlayer && !say;
    byId("chat-form").hidden = isShut;
    byId("watchers-off").hidden = !isShut;
    const haveWritten = byId("chat-messages").querySelector(":scope > :not(.by-player)") !== null;
    byId("watchers-chat").hidden = !isPlayer || (say && !areHere && !haveWritten);
    byId("watchers-chat").textContent = say ? "Turn off the chat for watchers" : "Turn on the chat for watchers";
  }

  // Removes a message that a player has removed.
  /** @param {number} number */
  remove(number) {
    const line = this.#shown.get(number);
    const hadFocus = line?.contains(document.activeElement);
    line?.remove();
    this.#shown.set(number, null);
    if (hadFocus) byId("chat-messages").focus();
  }

  // Shows a message, once, as all are sent again after a reconnect; returns the text of a new one by somebody else.
  // Players get the messages of watchers after the game, so that a later message may belong before others.
  /** @param {Pick<ChatPosted, "number" | "name" | "text" | "mine"> & { colour: string | undefined, canRemove: boolean }} message */
  show({ number, name, text, mine, colour, canRemove }) {
    if (this.#shown.has(number)) return "";
    const later = [...this.#shown].filter(([each, line]) => each > number && line).length;
    const who = make("b", {}, colour ? dot(colour) : "", `${name || capitalize(colour ?? "someone")}:`);
    const kinds = [mine ? "mine" : "", colour ? "by-player" : ""].filter(Boolean).join(" ");
    const list = byId("chat-messages");
    const removal = canRemove ? this.#removal(number, name) : null;
    const line = make("li", { className: kinds, "data-text": `${who.textContent} ${text}` }, who, ` ${text}`, removal);
    list.insertBefore(line, list.children[list.children.length - later] ?? null);
    this.#shown.set(number, line);
    byId("chat-messages").scrollTop = byId("chat-messages").scrollHeight;
    if (mine || this.#isMuted) return "";
    play("chat");
    return `${who.textContent} ${text}`;
  }

  /** @param {number} number @param {string} name */
  #removal(number, name) {
    const remove = make("button", { type: "button", className: "quiet", onclick: () => this.#remove(number) }, "Remove");
    remove.ariaLabel = phrase("Remove this message of {name}", { name });
    return remove;
  }

  // The messages of others with their numbers, the latest first.
  get others() {
    const lines = [...this.#shown].flatMap(([number, line]) => (line && !line.classList.contains("mine") ? [{ number, line }] : []));
    return lines.map(({ number, line }) => /** @type {[number, string]} */ ([number, line.dataset.text ?? ""])).reverse();
  }

  #mark() {
    byId("mute").ariaPressed = String(this.#isMuted);
    byId("chat-messages").hidden = this.#isMuted;
    byId("muted").hidden = !this.#isMuted;
  }
}
