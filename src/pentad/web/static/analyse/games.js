// The games in a text, found by where each begins, without reading their moves: the server reads only those that are sent.

import { phrase } from "../words.js";

/** @typedef {{ text: string, lines: number }} Part of a text, and the number of lines before it */

export const MAX_TEXT = 64_000; // characters of a game; the limit of the server
const PART = 4000; // characters that the server reads at once, if they are several games

// Comments are skipped. A game begins with a tag after a line that is none, or with its first move after a line that ends with
// a result.
const BEFORE_GAME = /\{(?:[^}\\]|\\[^])*(?:\}|$)|(?<!\S)(?:\*|[01](?:\/[1-9])?(?:-[01](?:\/[1-9])?)+)[ \t]*\n\s*(?=1[.):])|(?<=\S)[^\S\n]*\n\s*(?=\[\w+ ")/g;

// The games of a text, each with the space after it; the whole text if it is in a format with other beginnings.
/** @param {string} text with `\n` at the ends of lines @returns {Part[]} */
export function gamesOf(text) {
  const begins = [0];
  if (/^\s*[[\w]/.test(text)) {
    for (const { 0: found, index } of text.matchAll(BEFORE_GAME)) {
      const before = text.slice(text.lastIndexOf("\n", index - 1) + 1, index).trim();
      if (!found.startsWith("{") && !(before.startsWith("[") && before.endsWith('"]'))) begins.push(index + found.length);
    }
  }
  let lines = 0;
  return begins.map((begin, i) => {
    const game = { text: text.slice(begin, begins[i + 1]), lines };
    lines += linesIn(game.text);
    return game;
  });
}

/** @param {string} text */
const linesIn = (text) => text.split("\n").length - 1;

// What is left of a part after so many characters.
/** @param {Part} part @param {number} read @returns {Part} */
export const rest = ({ text, lines }, read) => ({ text: text.slice(read), lines: lines + linesIn(text.slice(0, read)) });

// The parts in which a file is sent: whole games.
/** @param {string} text @returns {Part[]} */
export function partsOf(text) {
  /** @type {Part[]} */
  const parts = [];
  for (const game of gamesOf(text)) {
    const last = parts.at(-1);
    if (game.text.length > MAX_TEXT) throw new Error(phrase("A game in the file is longer than {most:,} characters, or its games do not begin with tags or numbers.", { most: MAX_TEXT }));
    if (last && last.text.length + game.text.length <= PART) last.text += game.text;
    else parts.push(game);
  }
  return parts;
}

// Sends a file in parts, and returns all answers; `ask` sends one. The rest of a part that is not read at once is sent again.
/**
 * @template {{ read: number }} Read
 * @param {string} text @param {(part: Part, done: number) => Promise<Read>} ask `done` is the share of the file before the part
 * @returns {Promise<Read[]>}
 */
export async function readParts(text, ask) {
  const answers = [];
  let done = 0;
  for (let part of partsOf(text)) {
    while (part.text) {
      const answer = await ask(part, done / text.length);
      answers.push(answer);
      done += answer.read;
      part = rest(part, answer.read);
    }
  }
  return answers;
}

// ── the games to choose from ──

/** @typedef {{ part: number, number: number, isRead: boolean, isRest?: boolean }} Place of a game: the part that has it, and its number there */
/** @typedef {{ game: string | undefined, parts: Part[], places: Place[], at: number }} Source the games of a text, the one at `at` is open */

/** @param {string} text @param {string | undefined} game that of bare moves @returns {Source} */
export function sourceOf(text, game) {
  const parts = gamesOf(text.replaceAll("\r\n", "\n"));
  return { game, parts, places: parts.map((_, part) => ({ part, number: 1, isRead: false })), at: 0 };
}

// The source after the game at `at` is read: its part may have several games, and more than the server reads at once.
/** @param {Source} source @param {number} at @param {{ count: number, read: number }} answer @returns {Source} */
export function afterReading(source, at, { count, read }) {
  const { part, isRead } = source.places[at];
  if (isRead) return { ...source, at };
  const whole = source.parts[part];
  const parts = source.parts.map((each) => (each === whole ? { ...whole, text: whole.text.slice(0, read) } : each));
  /** @type {Place[]} */
  const places = Array.from({ length: count }, (_, i) => ({ part, number: i + 1, isRead: true }));
  if (read < whole.text.length) {
    places.push({ part: parts.length, number: 1, isRead: false, isRest: true });
    parts.push(rest(whole, read));
  }
  return { ...source, parts, places: [...source.places.slice(0, at), ...places, ...source.places.slice(at + 1)], at };
}

// The names of the games to choose from. Where a text goes on after what is read at once, the last one leads there.
/** @param {Source} source */
export const namesOf = ({ places }) => places.map(({ isRest }, i) => {
  if (isRest) return phrase("{number:,} and later", { number: i + 1 });
  if (places.some((each) => each.isRest)) return phrase("{number:,}", { number: i + 1 });
  return phrase("{number:,} of {count:,}", { number: i + 1, count: places.length });
});
