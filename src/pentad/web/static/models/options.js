// A model's options as form fields.

import { capitalize, labelOf, make } from "../dom.js";

/** @import { OptionInfo } from "../messages.d.ts" */

/** @param {OptionInfo} option @param {string} value */
function field(option, value) {
  const common = { name: option.name, id: `option-${option.name}` };
  if (option.kind === "boolean") return make("input", { ...common, type: "checkbox", checked: value === "true" });
  if (option.kind === "integer") {
    return make("input", { ...common, type: "number", min: String(option.minimum), max: String(option.maximum), required: true, value });
  }
  const select = make("select", common, ...option.allowed.map((each) => make("option", { value: each }, labelOf(each))));
  select.value = value;
  return select;
}

// One row per option, with its help text; `values` are strings.
/** @param {OptionInfo[]} options @param {Record<string, string>} values */
export function optionRows(options, values) {
  return options.map((option) =>
    make(
      "div",
      { className: "option" },
      make("label", { className: "row" }, make("span", {}, labelOf(option.name)), field(option, values[option.name])),
      make("p", { className: "help" }, capitalize(option.help)),
    ),
  );
}

// The values of the form as strings, without defaults.
/** @param {HTMLFormElement} form @param {OptionInfo[]} options */
export function chosenOptions(form, options) {
  /** @type {Record<string, string>} */
  const chosen = {};
  for (const option of options) {
    const input = /** @type {HTMLInputElement} */ (form.elements.namedItem(option.name));
    const value = option.kind === "boolean" ? String(input.checked) : input.value;
    if (value !== String(option.default)) chosen[option.name] = value;
  }
  return chosen;
}
