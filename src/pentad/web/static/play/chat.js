// The chat of a room, which can be muted.

import { byId, capitalize, dot, make, save, saved } from "../dom.js";
import { play } from "./sound.js";

/** @import { ChatPosted } from "../messages.d.ts" */

export class Chat {
  /** @type {Set<number>} */ #shown = new Set(); // the numbers of the messages shown
  #isMuted = saved("mute", false);

  // `send` is called with a text, and with a name if the field for it is shown; it returns whether it was sent.
  /** @param {(text: string, name: string | null) => boolean} send */
  constructor(send) {
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

  // Shows a message, once, as all are sent again after a reconnect; returns the text of a new one by somebody else.
  // Players get the messages of watchers after the game, so that a later message may belong before others.
  /** @param {Pick<ChatPosted, "number" | "name" | "text" | "mine"> & { colour: string | undefined }} message */
  show({ number, name, text, mine, colour }) {
    if (this.#shown.has(number)) return "";
    const later = [...this.#shown].filter((each) => each > number).length;
    this.#shown.add(number);
    const who = make("b", {}, colour ? dot(colour) : "", `${name || capitalize(colour ?? "someone")}:`);
    const kinds = [mine ? "mine" : "", colour ? "by-player" : ""].filter(Boolean).join(" ");
    const list = byId("chat-messages");
    list.insertBefore(make("li", { className: kinds }, who, ` ${text}`), list.children[list.children.length - later] ?? null);
    byId("chat-messages").scrollTop = byId("chat-messages").scrollHeight;
    if (mine || this.#isMuted) return "";
    play("chat");
    return `${who.textContent} ${text}`;
  }

  #mark() {
    byId("mute").ariaPressed = String(this.#isMuted);
    byId("chat-messages").hidden = this.#isMuted;
    byId("muted").hidden = !this.#isMuted;
  }
}
