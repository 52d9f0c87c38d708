// What a page says when the worker with Python has stopped: a line for the person, and details for whoever mends it.

/** @typedef {{ failed: string, details: string }} Failure */

// An error whose message is the line.
export class LoadingFailed extends Error {}

export const STOPPED = "The program in this page has stopped. Reload the page.";
export const NO_WORKERS = "This browser cannot start the program in this page. Try another browser.";
const FULL = "There is not enough memory for Python in this browser. Close other tabs, and reload the page.";

/** @param {unknown} error @returns {Failure} */
export function failureOf(error) {
  const details = detailsOf(error);
  const line = error instanceof LoadingFailed ? error.message : isTooSmall(details) ? FULL : STOPPED;
  return { failed: line, details };
}

/** @param {string} text */
const isTooSmall = (text) => /out of memory|could not allocate|MemoryError/i.test(text);

/** @param {unknown} error */
function detailsOf(error) {
  if (!(error instanceof Error)) return String(error);
  const { stack = "" } = error; // has the message too in some browsers
  return stack.includes(error.message) ? stack : `${error}\n${stack}`;
}
