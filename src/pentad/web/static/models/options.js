// A model's options as form fields.

import { capitalize, labelOf, make } from "../dom.js";

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
export function chosenOptions(form, options) {
  const chosen = {};
  for (const option of options) {
    const input = form.elements.namedItem(option.name);
    const value = option.kind === "boolean" ? String(input.checked) : input.value;
    if (value !== String(option.default)) chosen[option.name] = value;
  }
  return chosen;
}
