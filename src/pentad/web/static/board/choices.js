// Choices by touches: which ones the touches so far begin or complete.

/** @typedef {{ step: string, targets: string[], label: string }} Choice with the targets to touch, in order */

/** @param {Choice} choice @param {string[]} touched */
const begins = (choice, touched) => touched.every((name, i) => choice.targets[i] === name);

// The choices that need further touches after these.
/** @param {Choice[]} choices @param {string[]} touched */
export function continuing(choices, touched) {
  return choices.filter((choice) => choice.targets.length > touched.length && begins(choice, touched));
}

// The choices that these touches complete.
/** @param {Choice[]} choices @param {string[]} touched */
export function complete(choices, touched) {
  return choices.filter((choice) => choice.targets.length === touched.length && begins(choice, touched));
}

/** @param {Choice[]} choices @param {string[]} touched */
export function fits(choices, touched) {
  return choices.some((choice) => choice.targets.length >= touched.length && begins(choice, touched));
}

// The choice that the first touches determine, and the touches after them; without one, no touches are left.
/** @param {Choice[]} choices @param {string[]} touches @returns {{ choice: Choice | null, rest: string[] }} */
export function firstChoice(choices, touches) {
  for (let count = 1; count <= touches.length; count++) {
    const longer = touches.slice(0, count + 1);
    const done = complete(choices, touches.slice(0, count));
    if (done.length !== 1 || (longer.length > count && fits(choices, longer))) continue;
    return { choice: done[0], rest: touches.slice(count) };
  }
  return { choice: null, rest: [] };
}
