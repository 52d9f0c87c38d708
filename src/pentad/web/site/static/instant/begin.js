// Starts the worker that plays at once, and puts a new game into the play page, while its other scripts are still being loaded.
// They wait for the new game, as they import this module.

import { here } from "../addresses.js";
import { INSTANT } from "../python/version.js";
import { warnOf } from "./relay.js";

/** @import { First } from "./relay.js" */

const { pathname, searchParams } = here();
const [, page, part] = pathname.split("/");
const [any] = Object.keys(INSTANT);
// What names the first game of a page.
const named = {
  play: part ? null : searchParams.get("game") ?? any,
  embed: searchParams.get("position") ?? searchParams.get("puzzle"),
  learn: part ?? any,
  puzzles: part,
}[page];
const [game] = /^\w*/.exec(named ?? "") ?? [""];
const isCovered = game in INSTANT;

// The worker; null for pages that need more, and where there are no workers of its kind.
export const first = isCovered ? begun() : null;

if (isCovered && page === "play") {
  for (const [id, value] of Object.entries(await newGame())) {
    document.head.append(Object.assign(document.createElement("script"), { id, type: "application/json", textContent: JSON.stringify(value) }));
  }
}

/** @returns {First | null} */
function begun() {
  try {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: `${page} ${game}` });
    /** @type {Event[]} */ const early = [];
    worker.onmessage = worker.onerror = (/** @type {Event} */ event) => early.push(event);
    return { worker, early };
  } catch (error) {
    warnOf(String(error));
    return null;
  }
}

// What the page shows until the worker answers, by the names of its parts.
/** @returns {Promise<Record<string, unknown>>} */
async function newGame() {
  try {
    return await (await fetch(new URL(`./new/${game}.json`, import.meta.url))).json();
  } catch {
    return {}; // the page waits for the worker
  }
}
