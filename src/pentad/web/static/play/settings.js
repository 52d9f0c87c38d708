// What a person sets for themselves in this browser, and what they are called.

import { ask, byId, capital, keep, kept, tell } from "/static/dom.js";

const USUAL = { sound: true, warn: false, premove: true };

export const setting = (name) => kept(name, USUAL[name]);

// `changed` is told when something is set.
export function setUp(changed) {
  const boxes = document.querySelectorAll("[data-setting]");
  byId("settings").addEventListener("click", () => {
    byId("settings-name").value = kept("name", "");
    for (const box of boxes) box.checked = setting(box.dataset.setting);
    byId("settings-dialog").showModal();
  });
  for (const box of boxes) {
    box.addEventListener("change", () => {
      keep(box.dataset.setting, box.checked);
      changed();
    });
  }
  byId("settings-name").addEventListener("change", ({ target }) => callMe(target.value));
}

// Be called something else from the next game on; whether the server took it.
export async function callMe(name) {
  keep("name", name);
  try {
    await ask("/api/me", { name }, "PUT");
    return true;
  } catch (error) {
    tell(`${capital(error.message)}.`);
    return false;
  }
}
