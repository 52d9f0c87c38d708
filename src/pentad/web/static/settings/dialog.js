// The settings, behind a button in the header of every page, which loads them. After a change of a preference the window gets
// the event `settings`.

import { byId, every, save, saved } from "../dom.js";
import { initLooks } from "./looks.js";
import { setName, setting } from "./preferences.js";

/** @import { Preference } from "./preferences.js" */

const boxes = /** @type {HTMLInputElement[]} */ (every("[data-setting]"));

/** @param {HTMLInputElement} box */
const nameOf = (box) => /** @type {Preference} */ (box.dataset.setting);

export function openSettings() {
  byId("settings-name").value = saved("name", "");
  for (const box of boxes) box.checked = setting(nameOf(box));
  initLooks();
  if (!byId("settings-dialog").open) byId("settings-dialog").showModal();
}

for (const box of boxes) {
  box.addEventListener("change", () => {
    save(nameOf(box), box.checked);
    dispatchEvent(new Event("settings"));
  });
}
byId("settings-name").addEventListener("change", () => setName(byId("settings-name").value));
