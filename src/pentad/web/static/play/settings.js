// The settings dialog: preferences of this browser, and the player's name.

import { byId, fetchJson, notify, save, saved } from "../dom.js";

const DEFAULTS = { sound: true, warn: false, premove: true };

export const setting = (name) => saved(name, DEFAULTS[name]);

// `changed` is called after every change.
export function initSettings(changed) {
  const boxes = document.querySelectorAll("[data-setting]");
  byId("settings").addEventListener("click", () => {
    byId("settings-name").value = saved("name", "");
    for (const box of boxes) box.checked = setting(box.dataset.setting);
    byId("settings-dialog").showModal();
  });
  for (const box of boxes) {
    box.addEventListener("change", () => {
      save(box.dataset.setting, box.checked);
      changed();
    });
  }
  byId("settings-name").addEventListener("change", ({ target }) => setName(target.value));
}

// Sets the player's name from the next game on; returns whether the server accepted it.
export async function setName(name) {
  save("name", name);
  try {
    await fetchJson("/api/me", { name }, "PUT");
    return true;
  } catch (error) {
    notify(error.message);
    return false;
  }
}
