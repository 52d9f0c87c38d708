// Confirming moves: the last step of a turn is shown, and played only by a button or the Enter key.

import { byId } from "../dom.js";

// Whether a key press on the page confirms: Enter on the board, or where nothing has the focus.
/** @param {KeyboardEvent} event */
function confirms({ key, repeat, altKey, ctrlKey, metaKey }) {
  if (key !== "Enter" || repeat || altKey || ctrlKey || metaKey || document.querySelector("dialog[open]")) return false;
  const focused = document.activeElement;
  return !focused || focused === document.body || byId("board").contains(focused);
}

// `isHeld` tells whether a turn waits, `confirm` plays it.
/** @param {() => boolean} isHeld @param {() => void} confirm */
export function initConfirm(isHeld, confirm) {
  byId("confirm").addEventListener("click", confirm);
  document.addEventListener("keydown", (event) => {
    if (!isHeld() || !confirms(event)) return;
    event.preventDefault();
    event.stopPropagation(); // the board would touch its target
    confirm();
  }, { capture: true });
}
