// What each seat has left: told by the room with every state, and run on here in between.

import { play } from "/static/play/sound.js";

const LOW = 20; // seconds below which a clock is shown as low

export class Clocks {
  #told = null;
  #heard = 0;
  #rows = [];
  #mine = [];
  #warned = false;
  #timer = 0;

  // `told` is what the room said of the clock, or null, and `heard` when; `rows` are the elements to write into,
  // `mine` tells which are one's own.
  set(told, heard, rows, mine) {
    this.#told = told;
    this.#rows = rows;
    this.#mine = mine;
    this.#heard = heard;
    if (!mine[told?.running]) this.#warned = false;
    clearInterval(this.#timer);
    this.#write();
    if (told && told.running !== null) this.#timer = setInterval(() => this.#write(), told.days ? 30000 : 200);
  }

  #write() {
    if (!this.#told) return;
    const { left, running, days } = this.#told;
    const gone = (performance.now() - this.#heard) / 1000;
    for (const [seat, row] of this.#rows.entries()) {
      const seconds = Math.max(0, left[seat] - (seat === running ? gone : 0));
      row.textContent = words(seconds, days);
      const low = !days && seconds < LOW;
      row.classList.toggle("low", low);
      if (low && seat === running && this.#mine[seat] && !this.#warned) {
        this.#warned = true;
        play("low");
      }
    }
  }
}

export function words(seconds, days = false) {
  if (days) {
    const hours = Math.ceil(seconds / 3600);
    return hours >= 48 ? `${Math.round(hours / 24)} days` : hours > 1 ? `${hours} h` : `${Math.ceil(seconds / 60)} min`;
  }
  if (seconds < 10) return seconds.toFixed(1);
  const whole = Math.ceil(seconds);
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
