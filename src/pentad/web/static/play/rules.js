// The rules in the page: the rest of a turn, and earlier positions of the game, without a round trip to the server.
//
// The server has them for games with their default options. They are loaded once the page is idle.

import { fetchText, givesRules } from "../server.js";

/** @import { Game } from "../instant/game.js" */
/** @import { Room } from "../instant/room.js" */
/** @import { Sheet } from "../instant/turns.js" */
/** @import { PremoveAnswer, PremoveMessage, StateMessage, StepMessage } from "../messages.d.ts" */

const FOLDER = "/static/rules/";

/** @type {Map<string, { start: string, rules: Game, room: Room } | null>} */
const known = new Map(); // by the names of games; null while they load, and where there are none

// Loads the rules for a game that is played here, and the drawing from its side.
/** @param {StateMessage} game */
export function prepareRules({ game, options, seats, outcome, flip }) {
  const rules = known.get(game)?.rules;
  if (rules && rules.isFlipped !== flip) rules.turn(flip).catch(() => {}); // until then the server answers
  const isPlayed = seats.some(({ yours }) => yours) && !outcome;
  if (!givesRules || !isPlayed || Object.keys(options).length || known.has(game)) return;
  known.set(game, null);
  const begin = () => load(game).catch(() => {}); // without them the server answers
  if ("requestIdleCallback" in globalThis) requestIdleCallback(begin);
  else setTimeout(begin);
}

/** @param {string} name */
const read = async (name) => JSON.parse(await fetchText(`${FOLDER}${name}.json`));

/** @param {string} name */
async function load(name) {
  const data = await read(name);
  if (!data) return;
  const [{ gameByRules }, { Room }] = await Promise.all([import("../instant/game.js"), import("../instant/room.js")]);
  /** @type {Promise<Sheet> | null} */ let flipped = null;
  const rules = await gameByRules(data, () => (flipped ??= read(`${name}-flipped`)));
  known.set(name, { start: data.start, rules, room: new Room(rules, data.room, []) });
}

// A room at the last position of a game; null where only the server knows the game.
/** @param {StateMessage} game */
function roomOf({ game, start, flip, moves }) {
  const found = known.get(game);
  return found && found.start === start && found.rules.isFlipped === flip && found.room.follow(moves.map(({ text }) => text)) ? found.room : null;
}

// The answer of the server to a premove, to the first steps of a turn, or to a whole turn that is to be confirmed; null if it
// is not known.
/** @param {StateMessage} game @param {StepMessage | PremoveMessage} message */
export function answerTo(game, message) {
  const room = roomOf(game);
  if (message.type === "premove") return room && premove(room, game, message.targets);
  const answer = message.end ? null : room?.begun(message.steps);
  return answer && (message.hold || !answer.whole) ? { ...answer, at: game.at } : null;
}

/** @param {Room} room @param {StateMessage} game @param {string[]} targets @returns {PremoveAnswer} */
function premove(room, { at, seats }, targets) {
  const own = seats.flatMap(({ yours }, seat) => (yours ? [seat] : []));
  return { type: "premove", at, targets, ...room.premove(own, targets) };
}

// The position after so many moves; null if it is not known.
/** @param {StateMessage} game @param {number} moves */
export const earlierPosition = (game, moves) => roomOf(game)?.earlier(moves) ?? null;
