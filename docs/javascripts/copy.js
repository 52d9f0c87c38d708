// The copy buttons of sessions copy what a person types, without prompts and without what is printed.

import { codeOf } from "./examples.js";

/** @type {NodeListOf<HTMLElement>} */
const blocks = document.querySelectorAll(":is(.language-pycon, .language-console).highlight");
for (const block of blocks) block.dataset.copy = codeOf(block.querySelector("code")?.textContent ?? "");
