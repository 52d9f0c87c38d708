// Premoves: a turn that is entered before it comes. The server tells what the touches can mean and what can follow; when the
// turn comes, it is played whole or not at all.

import { phrase } from "../words.js";

/** @import { PremoveAnswer } from "../messages.d.ts" */

/** @param {readonly string[]} one @param {readonly string[]} other */
const isSame = (one, other) => one.length === other.length && one.every((name, i) => name === other[i]);

// The touches that an answer leaves; null if they stay as they are. A touch that cannot follow begins another turn; the
// first one stays even if nothing is possible there now, as the others' moves may change that.
/** @param {Pick<PremoveAnswer, "targets" | "used">} answer @returns {string[] | null} */
export function touchesAfter({ targets, used }) {
  return used < targets.length && targets.length > 1 ? targets.slice(-1) : null;
}

// The steps of a whole turn that these touches have entered; null if it is not known to be whole.
/** @param {Pick<PremoveAnswer, "targets" | "steps" | "whole"> | null} premove @param {string[]} touches */
export const wholeTurn = (premove, touches) => (premove?.whole && isSame(premove.targets, touches) ? premove.steps : null);

// What is shown about a premove: the turn in words, or what it needs; nothing before its first step is complete.
/** @param {Pick<PremoveAnswer, "steps" | "prompt"> | null} premove */
export const premoveText = (premove) => (premove?.steps ? phrase("Premove: {text}", { text: premove.prompt }) : "");
