// Rules by name: options of a game that have a name of their own, such as those of a variant.

/** @import { Chosen } from "../options.js" */
/** @import { GameInfo } from "../messages.d.ts" */

const STANDARD = "Standard"; // the game's usual rules

/** @param {GameInfo} game @returns {Array<[string, Chosen]>} */
export const rulesOf = ({ presets }) => [[STANDARD, {}], ...Object.entries(presets)];

// The options of rules, the usual ones if the game has no rules of this name.
/** @param {GameInfo} game @param {string | null} name @returns {Chosen} */
export const optionsOf = (game, name) => ({ ...rulesOf(game).find(([each]) => each === name)?.[1] });

// The name of the rules with these options; null if they have none.
/** @param {GameInfo} game @param {object} options */
export const nameOfRules = (game, options) => rulesOf(game).find(([, those]) => isSame(those, options))?.[0] ?? null;

/** @param {object} options */
const text = (options) => JSON.stringify(Object.entries(options).sort(([one], [other]) => (one < other ? -1 : 1)));
/** @param {object} one @param {object} other */
const isSame = (one, other) => text(one) === text(other);
