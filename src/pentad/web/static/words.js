// Messages with gaps, numbers with their nouns, and lists of names. Templates are literals: a catalogue can hold them.

/** @typedef {string | number} Value of a gap */
/**
 * The names of the gaps of a template: `{count}`, or `{count:,}` for a number with commas.
 * @template {string} Template
 * @typedef {Template extends `${string}{${infer Gap}}${infer Rest}` ? (Gap extends `${infer Name}:,` ? Name : Gap) | GapsOf<Rest> : never} GapsOf
 */
/**
 * @template {string} Template @template Content
 * @typedef {Readonly<Record<GapsOf<Template>, Content>>} Gaps
 */

const GAP = /\{(\w+(?::,)?)\}/;

// A message as the children of an element; gaps may be elements, too.
/**
 * @template {string} Template @template Content
 * @param {Template} template @param {Gaps<Template, Content>} gaps
 * @returns {Array<string | Exclude<Content, number>>}
 */
export function phraseNodes(template, gaps) {
  return template.split(GAP).map((part, i) => {
    if (i % 2 === 0) return part;
    const value = gaps[/** @type {GapsOf<Template>} */ (part.replace(":,", ""))];
    if (typeof value === "number") return part.endsWith(":,") ? value.toLocaleString("en") : String(value);
    return /** @type {Exclude<Content, number>} */ (value);
  });
}

// A message, or a part of one, with its gaps filled.
/** @template {string} Template @param {Template} template @param {Gaps<Template, Value>} gaps */
export const phrase = (template, gaps) => phraseNodes(template, gaps).join("");

// A message about one thing or several; the gap `count` has their number.
/**
 * @template {string} One @template {string} Several
 * @param {number} count @param {One} one @param {Several} several
 * @param {Readonly<Record<Exclude<GapsOf<One> | GapsOf<Several>, "count">, Value>>} [gaps]
 */
export const plural = (count, one, several, gaps) => phrase(/** @type {string} */ (count === 1 ? one : several), { count, ...gaps });

// Names joined with commas and `and`.
/** @param {readonly string[]} names */
export const listed = (names) =>
  names.length < 2 ? names.join("") : phrase("{others} and {last}", { others: names.slice(0, -1).join(", "), last: names[names.length - 1] });
