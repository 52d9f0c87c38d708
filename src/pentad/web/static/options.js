// Form rows for a game's options. The chosen values are stored by name, except defaults.

import { capitalize, labelOf, make } from "./dom.js";
import { loadPicture, pathOfPosition } from "./pictures.js";
import { phrase } from "./words.js";

/** @import { OptionAbout, OptionInfo } from "./messages.d.ts" */
/** @typedef {boolean | number | string} Value */
/** @typedef {Record<string, Value>} Chosen the values that differ from the default, by name */


/** @param {OptionInfo} option @param {Chosen} chosen */
export const valueOf = (option, chosen) => chosen[option.name] ?? option.default;

// The row of an option; `changed` is called with the option after every valid choice.
/** @param {OptionInfo} option @param {Chosen} chosen @param {(option: OptionInfo) => void} changed */
export function optionRow(option, chosen, changed = () => {}) {
  /** @param {Value | null} value */
  const store = (value) => {
    if (value === option.default || value === null) delete chosen[option.name];
    else chosen[option.name] = value;
  };
  return option.several ? listRow(option, chosen, store, changed) : singleRow(option, chosen, store, changed);
}

// A row with a sentence below it, and a picture.
/** @param {HTMLElement} row @param {OptionAbout | undefined} what */
export function withAbout(row, what) {
  if (!what) return row;
  const id = `about-${row.querySelector("input, select")?.getAttribute("name")}`;
  for (const field of row.querySelectorAll("input, select")) field.setAttribute("aria-describedby", id);
  const picture = what.example ? make("img", { alt: "", width: 72, height: 72 }) : null;
  if (picture) loadPicture(picture, pathOfPosition(what.example));
  return make("div", { className: "option" }, row, make("div", { className: "about" }, picture, make("span", { id }, what.about)));
}

/**
 * @param {OptionInfo} option
 * @param {Chosen} chosen
 * @param {(value: Value | null) => void} store
 * @param {(option: OptionInfo) => void} changed
 */
function singleRow(option, chosen, store, changed) {
  // A default that depends on the other options is null: the option is left out.
  const hasNoValue = option.default === null;
  const value = valueOf(option, chosen);
  let input;
  if (option.kind === "choice" || (option.kind === "boolean" && hasNoValue)) {
    const named = option.kind === "choice" ? wordsOf(option) : [new Option("Yes", "true"), new Option("No", "false")];
    input = make("select", {}, ...(hasNoValue ? [new Option("Default", "")] : []), ...named);
    input.value = String(value ?? "");
  } else {
    input = make("input", { type: option.kind === "boolean" ? "checkbox" : "number" });
    if (option.kind === "boolean") input.checked = Boolean(value);
    else Object.assign(input, { min: option.minimum, max: option.maximum, required: !hasNoValue, value: value ?? "" });
    if (hasNoValue) input.placeholder = "default";
  }
  input.name = option.name;
  input.addEventListener("change", () => {
    store(valueIn(input, option));
    if (input.validity.valid) changed(option);
  });
  const label = option.name === "players" ? "Number of players" : capitalize(option.help);
  return make("label", { className: "row" }, make("span", {}, label), input);
}

// A row for a list of distinct values, a field for each. Choosing a value that another field has swaps the two.
/**
 * @param {OptionInfo} option
 * @param {Chosen} chosen
 * @param {(value: Value | null) => void} store
 * @param {(option: OptionInfo) => void} changed
 */
function listRow(option, chosen, store, changed) {
  const values = String(valueOf(option, chosen)).split(",");
  /** @type {HTMLSelectElement[]} */
  const fields = values.map((value, i) => {
    const select = make("select", { name: `${option.name}${i}`, ariaLabel: phrase("Number {number} of {all}", { number: i + 1, all: values.length }) });
    select.append(...wordsOf(option));
    select.value = value;
    select.addEventListener("change", () => {
      const other = values.indexOf(select.value);
      if (other >= 0) values[other] = values[i];
      values[i] = select.value;
      fields.forEach((field, number) => (field.value = values[number]));
      store(values.join());
      changed(option);
    });
    return select;
  });
  const help = capitalize(option.help);
  return make("div", { className: "row several", role: "group", ariaLabel: help }, make("span", {}, help), ...fields);
}

/** @param {OptionInfo} option */
const wordsOf = (option) => option.allowed.map((each) => new Option(labelOf(each), each));

// The value of an option's field; null stands for the default.
/** @param {HTMLInputElement | HTMLSelectElement} input @param {OptionInfo} option @returns {Value | null} */
function valueIn(input, option) {
  if (input instanceof HTMLInputElement && input.type === "checkbox") return input.checked;
  if (input.value === "" && option.default === null) return null;
  if (option.kind === "integer") return Number.parseFloat(input.value);
  return option.kind === "boolean" ? input.value === "true" : input.value;
}

// The options as `name=value`, which the server parses.
/** @param {Chosen} chosen */
export const optionTexts = (chosen) => Object.entries(chosen).map(([name, value]) => `${name}=${value}`);
