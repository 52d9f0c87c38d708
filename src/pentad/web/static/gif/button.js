// A button that saves a game as a GIF. What makes the file is loaded when it is pressed.

import { announce, messageOf, notify } from "../dom.js";

/** @import { Movie } from "./movie.js" */

// Meanwhile the button shows the progress, and pressing it again cancels.
export class GifButton {
  /** @type {HTMLButtonElement} */ #button;
  /** @type {AbortController | null} */ #running = null;
  #label;

  /** @param {HTMLButtonElement} button @param {() => Promise<Movie>} movie returns the game to save */
  constructor(button, movie) {
    this.#button = button;
    this.#label = button.textContent;
    button.addEventListener("click", () => (this.#running ? this.cancel() : this.#save(movie)));
  }

  cancel() {
    this.#running?.abort();
    this.#running = null;
    this.#button.textContent = this.#label;
  }

  /** @param {() => Promise<Movie>} movie */
  async #save(movie) {
    const mine = (this.#running = new AbortController());
    /** @param {number} done @param {number} all */
    const progress = (done, all) => {
      if (this.#running === mine) this.#button.textContent = `Cancel (${Math.floor((100 * done) / all)} %)`;
    };
    progress(0, 1);
    announce("Making the GIF.");
    try {
      const { download, fileName, toGif } = await import("./movie.js");
      const game = await movie();
      const file = await toGif(game, { progress, signal: mine.signal });
      const name = fileName(game.game, new Date());
      download(file, name);
      announce(`${name} is saved.`);
    } catch (error) {
      if (!mine.signal.aborted) notify(messageOf(error));
    } finally {
      if (this.#running === mine) this.cancel();
    }
  }
}
