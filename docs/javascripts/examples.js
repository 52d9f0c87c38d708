// The text of an example on a page of the docs: Python code, or a session with prompts and what it prints.

// The code of an example. Of a session with prompts it is what a person types, without the options of doctests.
/** @param {string} text */
export function codeOf(text) {
  const lines = text.split("\n");
  if (!lines.some(isPrompt)) return text.trim();
  const typed = [];
  let isTyped = false;
  for (const line of lines) {
    isTyped = isPrompt(line) || (isTyped && isContinuation(line));
    if (isTyped) typed.push(line.slice(4).replace(/ *# doctest:.*$/, ""));
  }
  return typed.join("\n").trim();
}

// Whether each statement of a session has the option of doctests that skips it: the example needs a file, for instance.
/** @param {string} text */
export function isSkipped(text) {
  const typed = text.split("\n").filter(isPrompt);
  return typed.length > 0 && typed.every((line) => /# doctest:.*\+SKIP\b/.test(line));
}

// Whether the example shows an error.
/** @param {string} text */
export const expectsError = (text) => /^Traceback \(most recent call last\):/m.test(text);

/** @param {string} line */
const isPrompt = (line) => /^>>>( |$)/.test(line);

/** @param {string} line */
const isContinuation = (line) => /^\.\.\.( |$)/.test(line);
