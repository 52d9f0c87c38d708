// Texts of expressions over numbers, as `pentad.drawing.looks` writes them for pages.
//
// An expression is a text, a list of expressions that follow each other, or an object:
//   { number: i }                     numbers[i] in digits
//   { pick: i, of: table }            the expression of the table that numbers[i] selects
//   { each: i, of: table, between, last, none }   numbers[i] of them, selected by the numbers that follow
//   { at: table, draw, by: i }        an expression drawn at the place of the table that numbers[i] selects
//   { at: table, draw, which: n }     the same at the place n of the table, the first one without `which`, all for null
//   { each: i, at: table, draw, … }   the same at the places that the numbers after numbers[i] select
// `table` is the number of a table. A text has fields of its place: {x}, {x-20.5}, {name}, {x+3.25:1}.

/** @typedef {Record<string, number | string>} Place */
/** @typedef {string | Expression[] | { [name: string]: any }} Expression */

const FIELD = /\{([a-z]+)([-+][0-9.e-]+)?(?::([0-9]))?\}/g;

/** @param {string} text @param {Place} place */
function filled(text, place) {
  return text.replace(FIELD, (_, name, away, decimals) => {
    const value = place[name];
    if (typeof value === "string") return value;
    const sum = value + Number(away ?? 0);
    return decimals ? sum.toFixed(Number(decimals)) : String(Number(sum.toFixed(2)));
  });
}

// The text of an expression.
/** @param {Expression} expression @param {ArrayLike<number>} numbers @param {any[][]} tables @param {Place | null} [place] @returns {string} */
export function written(expression, numbers, tables, place = null) {
  if (typeof expression === "string") return place ? filled(expression, place) : expression;
  const write = (/** @type {Expression} */ each) => written(each, numbers, tables, place);
  if (Array.isArray(expression)) return expression.map(write).join("");
  const { number, pick, each, at, of, by, draw, which = 0, between = "", last = between, none = "" } = expression;
  const entry = (/** @type {number} */ i) =>
    at === undefined ? write(tables[of][i]) : written(draw, numbers, tables, { ...place, ...tables[at][i] });
  if (number !== undefined) return String(numbers[number]);
  if (pick !== undefined) return entry(numbers[pick]);
  if (which === null) return tables[at].map((_, i) => entry(i)).join("");
  if (each === undefined) return entry(by === undefined ? which : numbers[by]);
  const texts = Array.from({ length: numbers[each] }, (_, i) => entry(numbers[each + 1 + i]));
  if (texts.length < 2) return texts[0] ?? none;
  return `${texts.slice(0, -1).join(between)}${last}${texts.at(-1)}`;
}
