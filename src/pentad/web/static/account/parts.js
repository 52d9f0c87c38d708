// What the pages of an account have in common: errors, and a code to copy.

import { announce, byId } from "../dom.js";

// Shows an error beside the form that it is about, or hides it if it is empty.
/** @param {"code-error" | "new-error" | "passkey-error" | "erase-error"} id @param {string} text */
export function showError(id, text) {
  byId(id).textContent = text;
  byId(id).hidden = !text;
}

// Lets a button copy the code that is shown.
export function copyOnClick() {
  byId("made-copy").addEventListener("click", async () => {
    await navigator.clipboard.writeText(byId("made-code").textContent ?? "");
    announce("Copied.");
  });
}
