// The preferences of this browser, and the player's name.

import { messageOf, notify, save, saved } from "../dom.js";
import { fetchJson } from "../server.js";

const DEFAULTS = { sound: true, warn: false, confirm: false, premove: true, autostart: true };

/** @typedef {keyof typeof DEFAULTS} Preference */

/** @param {Preference} name */
export const setting = (name) => saved(name, DEFAULTS[name]);

// Sets the player's name from the next game on; returns whether the server accepted it.
/** @param {string} name */
export async function setName(name) {
  save("name", name);
  try {
    await fetchJson("/api/me", { name }, "PUT");
    return true;
  } catch (error) {
    notify(messageOf(error));
    return false;
  }
}
