// The clocks of a game: the server sends them with every state, and they run on here in between.

import { play } from "./sound.js";
import { phrase } from "../words.js";

/** @import { Timer } from "../dom.js" */
/** @import { ClockInfo } from "../messages.d.ts" */

const LOW = 20; // seconds; less is shown as low

export class Clocks {
  /** @type {ClockInfo | null} */ #clock = null;
  #received = 0;
  /** @type {HTMLElement[]} */ #elements = [];
  /** @type {boolean[]} */ #isMine = [];
  #warned = false;
  /** @type {Timer} */ #timer = 0;

  // `clock` is the server's clock, or null, and `received` its time of arrival; `elements` show the seats' times,
  // `isMine` marks the user's own seats.
  /** @param {ClockInfo | null} clock @param {number} received @param {HTMLElement[]} elements @param {boolean[]} isMine */
  set(clock, received, elements, isMine) {
    this.#clock = clock;
    this.#elements = elements;
    this.#isMine = isMine;
    this.#received = received;
    if (!isMine[clock?.running ?? -1]) this.#warned = false;
    clearInterval(this.#timer);
    this.#write();
    if (clock && clock.running !== null) this.#timer = setInterval(() => this.#write(), clock.days ? 30000 : 200);
  }

  #write() {
    if (!this.#clock) return;
    const { left, running, days } = this.#clock;
    const elapsed = (performance.now() - this.#received) / 1000;
    for (const [seat, element] of this.#elements.entries()) {
      const seconds = Math.max(0, left[seat] - (seat === running ? elapsed : 0));
      element.textContent = formatTime(seconds, days);
      const low = !days && seconds < LOW;
      element.classList.toggle("low", low);
      if (low && seat === running && this.#isMine[seat] && !this.#warned) {
        this.#warned = true;
        play("low");
      }
    }
  }
}

/** @param {number} seconds */
export function formatTime(seconds, days = false) {
  if (days) {
    const hours = Math.ceil(seconds / 3600);
    if (hours >= 48) return phrase("{days} days", { days: Math.round(hours / 24) });
    return hours > 1 ? phrase("{hours} h", { hours }) : phrase("{minutes} min", { minutes: Math.ceil(seconds / 60) });
  }
  if (seconds < 10) return seconds.toFixed(1);
  const whole = Math.ceil(seconds);
  /** @param {number} number */
  const twoDigits = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours ? `${hours}:${twoDigits(minutes)}:${twoDigits(whole % 60)}` : `${minutes}:${twoDigits(whole % 60)}`;
}
