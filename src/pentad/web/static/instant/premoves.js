// What a turn entered in advance can be, as `rooms/premoves.py` reads it.

import { firstChoice, fits } from "../board/choices.js";
import { linesThatDiffer } from "./turns.js";

/** @import { ChoiceInfo, PremoveAnswer } from "../messages.d.ts" */
/** @import { Node } from "./room.js" */
/** @import { Turns } from "./turns.js" */
/** @typedef {Omit<PremoveAnswer, "type" | "at" | "targets">} Premove */

const TRIED = 8, STRIDE = 7919, MOST_STEPS = 40; // as the server has them
const NAME = /data-target="([^"]*)"/g;

// What touches can mean for the next turn of some seats: after one of a few moves of the others.
/** @param {Turns} turns @param {Node} end @param {number[]} seats @param {string[]} targets @returns {Premove} */
export function premove(turns, end, seats, targets) {
  /** @type {Premove | null} */ let best = null;
  for (let number = 0; number < TRIED && best?.used !== targets.length; number++) {
    if (!playOthers(turns, end, seats, number)) continue;
    const found = entered(turns, end, targets);
    if (!best || found.used > best.used) best = found;
  }
  return best ?? { used: 0, steps: "", lines: [], prompt: "", whole: false };
}

// Plays moves of the others, other ones for other numbers; returns whether it is the turn of one of these seats then.
/** @param {Turns} turns @param {Node} end @param {number[]} seats @param {number} number */
function playOthers(turns, end, seats, number) {
  const { rules } = turns;
  const isOver = () => rules.result >= 0 || seats.includes(rules.seat);
  rules.state = end.state;
  for (let moves = 0; moves < MOST_STEPS && !isOver(); moves++) {
    for (const { ply } = rules; rules.result < 0 && rules.ply === ply; ) {
      const named = turns.named().sort((one, other) => (one.step < other.step ? -1 : 1));
      rules.play(named[(number * STRIDE) % named.length].action);
    }
  }
  return rules.result < 0 && isOver();
}

// The steps that touches select at the position of the rules; a step that they only begin uses them, too.
/** @param {Turns} turns @param {Node} end @param {string[]} targets @returns {Premove} */
function entered(turns, end, targets) {
  const { rules } = turns;
  const { ply } = rules;
  const choices = () => (rules.ply === ply ? rules.legal() : []).flatMap((action) => turns.touches(rules.offer(action)).map((way) => ({ ...way, action })));
  /** @type {string[]} */ const steps = [];
  const offers = [];
  let [next, rest] = [choices(), targets];
  for (let found = firstChoice(next, rest); found.choice; found = firstChoice(next, rest)) {
    const { action, step } = /** @type {typeof next[number]} */ (found.choice);
    steps.push(step);
    offers.push(rules.offer(action));
    rules.play(action);
    [next, rest] = [choices(), found.rest];
  }
  const used = fits(next, rest) ? targets.length : targets.length - rest.length;
  const numbers = rules.look([]);
  const prompt = next.length ? turns.prompt(numbers) : turns.words(offers);
  const lines = steps.length ? moreTargets(turns.drawn(end.numbers), turns.drawn(numbers), next) : [];
  return { used, steps: steps.join(" "), lines, prompt, whole: !next.length };
}

// The lines of another drawing with targets that choices need and the drawing shown lacks.
/** @param {string} shown @param {string} other @param {ChoiceInfo[]} choices @returns {Premove["lines"]} */
function moreTargets(shown, other, choices) {
  const namesIn = (/** @type {string} */ text) => Array.from(text.matchAll(NAME), ([, name]) => name);
  const known = new Set(namesIn(shown));
  const needed = new Set(choices.flatMap(({ targets }) => targets).filter((name) => !known.has(name)));
  return linesThatDiffer(shown, other).filter(([, line]) => namesIn(line).some((name) => needed.has(name)));
}
