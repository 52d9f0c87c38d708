// A game as a moving picture: its positions one after the other, drawn and saved in this browser.

import { make } from "../dom.js";
import { fetchJson, fetchText } from "../server.js";
import { GifEncoder, MOST_COLOURS } from "./encoder.js";
import { Palette } from "./palette.js";

/** @import { StateMessage } from "../messages.d.ts" */

const WIDTH_PIXELS = 480;
const MOVE_SECONDS = 0.8;
const END_SECONDS = 3;
const SAMPLES = 4; // frames from which the palette is made

/** @typedef {{ position: string, move: string }} Frame a position, and the move that led to it */
/** @typedef {{ game: string, frames: Frame[], flip: boolean }} Movie */

// A game in a room so far.
/** @param {Pick<StateMessage, "game" | "start" | "moves" | "flip"> | null} state @returns {Promise<Movie>} */
export async function movieOf(state) {
  if (!state) throw new Error("There is no game yet.");
  const { game, start, moves, flip } = state;
  const { nodes } = await fetchJson("/api/study/line", { start, moves: moves.map((move) => move.text) });
  return { game, frames: nodes, flip };
}

// The GIF of a game; `progress` is called after each frame. Between frames the page stays live.
/** @param {Movie} movie @param {{ progress: (done: number, all: number) => void, signal: AbortSignal }} how */
export async function toGif({ frames, flip }, { progress, signal }) {
  /** @type {Map<number, Promise<HTMLImageElement>>} */
  const images = new Map();
  /** @param {number} i */
  const imageOf = (i) => {
    const found = images.get(i) ?? drawing(frames[i], flip);
    images.set(i, found);
    return found;
  };
  const first = await imageOf(0);
  const height = Math.round((WIDTH_PIXELS * first.naturalHeight) / first.naturalWidth);
  const context = make("canvas", { width: WIDTH_PIXELS, height }).getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("This browser cannot draw the frames.");
  /** @param {number} i */
  const pixelsOf = async (i) => {
    const image = await imageOf(i);
    signal.throwIfAborted();
    context.fillStyle = "#fff"; // a drawing that is not as high as the first one leaves some of it free
    context.fillRect(0, 0, WIDTH_PIXELS, height);
    context.drawImage(image, 0, 0, WIDTH_PIXELS, Math.round((WIDTH_PIXELS * image.naturalHeight) / image.naturalWidth));
    return context.getImageData(0, 0, WIDTH_PIXELS, height).data;
  };
  const last = frames.length - 1;
  const samples = [];
  for (const i of new Set(Array.from({ length: SAMPLES }, (_, n) => Math.round((n * last) / (SAMPLES - 1))))) samples.push(await pixelsOf(i));
  const encoder = new GifEncoder(WIDTH_PIXELS, height, Palette.of(samples, MOST_COLOURS));
  for (let i = 0; i <= last; i++) {
    const pixels = await pixelsOf(i);
    if (i < last) imageOf(i + 1).catch(() => {}); // is on its way meanwhile; its error is thrown when it is drawn
    encoder.frame(pixels, i === last ? END_SECONDS : MOVE_SECONDS);
    images.delete(i);
    progress(i + 1, frames.length);
    await new Promise((resolve) => setTimeout(resolve));
  }
  signal.throwIfAborted();
  return encoder.finish();
}

// The drawing of a position, without a style sheet: it looks the same on dark pages.
/** @param {Frame} frame @param {boolean} flip */
async function drawing({ position, move }, flip) {
  const query = new URLSearchParams({ position, last: move, flip: String(flip), plain: "true" });
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await fetchText(`/api/board.svg?${query}`))}`;
  await image.decode();
  return image;
}

/** @param {string} game @param {Date} date */
export function fileName(game, date) {
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0"));
  return `pentad-${game}-${day.join("-")}.gif`;
}

// Downloads a file that this page has made.
/** @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
