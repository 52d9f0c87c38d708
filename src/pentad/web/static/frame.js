// What the frame of a page does: its help behind "?", the settings, its links on a narrow screen, and menus that close when
// they are left.

import { every, messageOf, notify } from "./dom.js";

const dialog = /** @type {HTMLDialogElement | null} */ (document.getElementById("help-dialog"));
const button = document.getElementById("help");

/** @param {EventTarget | null} target */
const isField = (target) => target instanceof Element && target.matches("input:not([type='checkbox'], [type='radio']), textarea, select");

if (dialog && button) {
  button.hidden = false;
  button.addEventListener("click", () => dialog.showModal());
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || isField(event.target) || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    dialog.showModal();
  });
}

document.getElementById("settings")?.addEventListener("click", () => {
  import("./settings/dialog.js").then(({ openSettings }) => openSettings(), (error) => notify(messageOf(error)));
});

// On a narrow screen the links of the header are in a menu.
const opener = document.getElementById("pages-menu");
const pages = document.getElementById("pages");
if (opener && pages) {
  /** @param {boolean} isOpen */
  const show = (isOpen) => {
    pages.classList.toggle("open", isOpen);
    opener.ariaExpanded = String(isOpen);
  };
  opener.addEventListener("click", () => show(opener.ariaExpanded !== "true"));
  document.addEventListener("pointerdown", ({ target }) => {
    if (target instanceof Node && !pages.contains(target) && !opener.contains(target)) show(false);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || opener.ariaExpanded !== "true") return;
    show(false);
    opener.focus();
  });
}

for (const menu of /** @type {HTMLDetailsElement[]} */ (every(".menu"))) {
  const close = () => (menu.open = false);
  // Before the button acts: a dialog that it opens gives the focus back to where it was.
  menu.addEventListener("click", (event) => {
    if (!(event.target instanceof Element && event.target.closest("button, a"))) return;
    menu.querySelector("summary")?.focus();
    close();
  }, { capture: true });
  document.addEventListener("pointerdown", (event) => {
    if (event.target instanceof Node && !menu.contains(event.target)) close();
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    event.stopPropagation();
    close();
    menu.querySelector("summary")?.focus();
  });
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !menu.contains(relatedTarget)) close();
  });
}
