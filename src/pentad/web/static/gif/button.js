// A button that saves a game as a GIF. The page loads it when it is first pressed.

import { announce, messageOf, notify } from "../dom.js";
import { download, fileName, movieOf, toGif } from "./movie.js";
import { phrase } from "../words.js";

/** @import { StateMessage } from "../messages.d.ts" */

// While it works the button shows the progress, and pressing it again cancels.
export class GifButton {
  /** @type {HTMLButtonElement} */ #button;
  /** @type {AbortController | null} */ #running = null;
  #label;
  #changed;

  // `changed` is called when the work begins and when it ends.
  /** @param {HTMLButtonElement} button @param {() => void} changed */
  constructor(button, changed) {
    this.#button = button;
    this.#label = button.textContent;
    this.#changed = changed;
  }

  get isRunning() {
    return this.#running !== null;
  }

  /** @param {StateMessage | null} game */
  press(game) {
    if (this.#running) this.cancel();
    else this.#save(game);
  }

  cancel() {
    this.#running?.abort();
    this.#running = null;
    this.#button.textContent = this.#label;
    this.#changed();
  }

  /** @param {StateMessage | null} game */
  async #save(game) {
    const mine = (this.#running = new AbortController());
    /** @param {number} done @param {number} all */
    const progress = (done, all) => {
      if (this.#running === mine) this.#button.textContent = phrase("Cancel ({percent}%)", { percent: Math.floor((100 * done) / all) });
    };
    progress(0, 1);
    this.#changed();
    announce("Making the GIF.");
    try {
      const movie = await movieOf(game);
      const file = await toGif(movie, { progress, signal: mine.signal });
      const name = fileName(movie.game, new Date());
      download(file, name);
      announce(phrase("Saved as {file}.", { file: name }));
    } catch (error) {
      if (!mine.signal.aborted) notify(messageOf(error));
    } finally {
      if (this.#running === mine) this.cancel();
    }
  }
}
