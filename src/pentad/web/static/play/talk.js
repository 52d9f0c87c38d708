// What is said in a room; whoever does not want to hear it mutes it.

import { byId, capital, dot, keep, kept, make } from "/static/dom.js";
import { play } from "/static/play/sound.js";

export class Talk {
  #heard = new Set();
  #isMuted = kept("mute", false);

  // `say` sends a text; what it returns is whether that could be done. It gets a name where one is asked for.
  constructor(say) {
    byId("say-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const field = byId("say");
      const text = field.value.trim();
      const name = byId("say-name");
      if (text && say(text, name.hidden ? null : name.value.trim())) field.value = "";
    });
    byId("mute").addEventListener("click", () => {
      this.#isMuted = !this.#isMuted;
      keep("mute", this.#isMuted);
      this.#mark();
    });
    this.#mark();
  }

  clear() {
    this.#heard.clear();
    byId("sayings").replaceChildren();
  }

  // Whom the server does not know says who they are first.
  askName(wanted) {
    for (const each of ["say-name", "say-name-label"]) byId(each).hidden = !wanted;
    if (wanted) byId("say-name").value ||= kept("name", "");
  }

  // Told again after a line was lost, everything comes once more. What is new and another's comes back in words.
  hear({ number, name, text, mine, colour }) {
    if (this.#heard.has(number)) return "";
    this.#heard.add(number);
    const who = make("b", {}, colour ? dot(colour) : "", `${name || capital(colour ?? "somebody")}:`);
    byId("sayings").append(make("li", { className: mine ? "mine" : "" }, who, ` ${text}`));
    byId("sayings").scrollTop = byId("sayings").scrollHeight;
    if (mine || this.#isMuted) return "";
    play("said");
    return `${who.textContent} ${text}`;
  }

  #mark() {
    byId("mute").ariaPressed = String(this.#isMuted);
    byId("sayings").hidden = this.#isMuted;
    byId("muted").hidden = !this.#isMuted;
  }
}
