// The text of an example on a page of the docs: code, or a session with prompts, of Python or a shell, and what it prints.

// The code of an example. Of a session with prompts it is what a person types, without the options of doctests.
/** @param {string} text */
export function codeOf(text) {
  const lines = text.split("\n");
  const isSession = lines.some(isPrompt);
  if (!isSession && !lines.some(isShellPrompt)) return text.trim();
  return (isSession ? typedInPython(lines) : typedInShell(lines)).join("\n").trim();
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

/** @param {string[]} lines */
function typedInPython(lines) {
  const typed = [];
  let isTyped = false;
  for (const line of lines) {
    isTyped = isPrompt(line) || (isTyped && isContinuation(line));
    if (isTyped) typed.push(line.slice(4).replace(/ *# doctest:.*$/, ""));
  }
  return typed;
}

// A line that ends with a backslash goes on in the next one.
/** @param {string[]} lines */
function typedInShell(lines) {
  const goesOn = (/** @type {number} */ at) => at > 0 && lines[at - 1].endsWith("\\");
  return lines.filter((line, at) => isShellPrompt(line) || goesOn(at)).map((line) => line.replace(/^\$ /, ""));
}

/** @param {string} line */
const isPrompt = (line) => /^>>>( |$)/.test(line);

/** @param {string} line */
const isContinuation = (line) => /^\.\.\.( |$)/.test(line);

/** @param {string} line */
const isShellPrompt = (line) => line.startsWith("$ ");
