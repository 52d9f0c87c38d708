// The settings dialog: preferences of this browser, and the player's name.

import { byId, every, messageOf, notify, save, saved } from "../dom.js";
import { fetchJson } from "../server.js";

const DEFAULTS = { sound: true, warn: false, confirm: false, premove: true };

/** @param {keyof typeof DEFAULTS} name */
export const setting = (name) => saved(name, DEFAULTS[name]);

/** @param {HTMLInputElement} box */
const nameOf = (box) => /** @type {keyof typeof DEFAULTS} */ (box.dataset.setting);

// `changed` is called after every change.
/** @param {() => void} changed */
export function initSettings(changed) {
  const boxes = /** @type {HTMLInputElement[]} */ (every("[data-setting]"));
  byId("settings").addEventListener("click", () => {
    byId("settings-name").value = saved("name", "");
    for (const box of boxes) box.checked = setting(nameOf(box));
    byId("settings-dialog").showModal();
    import("./looks.js").then(({ initLooks }) => initLooks(), (error) => notify(messageOf(error)));
  });
  for (const box of boxes) {
    box.addEventListener("change", () => {
      save(nameOf(box), box.checked);
      changed();
    });
  }
  byId("settings-name").addEventListener("change", () => setName(byId("settings-name").value));
}

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
