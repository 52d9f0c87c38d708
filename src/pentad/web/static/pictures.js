// Pictures that pages show beside texts.

import { addressOf } from "./server.js";

// The address of a game's picture.
/** @param {string} game */
export const pictureOf = (game) => new URL(`pictures/${game}.svg`, import.meta.url).href;

// The path of a position's picture: the board alone.
/** @param {string} position */
export const pathOfPosition = (position) => `/api/board.svg?labels=false&position=${encodeURIComponent(position)}`;

// Shows the picture at a path in an image, which stays empty if there is none.
/** @param {HTMLImageElement} image @param {string} path */
export async function loadPicture(image, path) {
  try {
    const address = await addressOf(path);
    if (address.startsWith("blob:")) image.onload = () => URL.revokeObjectURL(address);
    image.src = address;
  } catch {
    // The text beside it says the same.
  }
}
