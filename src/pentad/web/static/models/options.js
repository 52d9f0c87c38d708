// A model's options as fields of a form, and back.

import { make, plain } from "/static/dom.js";

function field(option, value) {
  const common = { name: option.name, id: `option-${option.name}` };
  if (option.kind === "boolean") return make("input", { ...common, type: "checkbox", checked: value === "true" });
  if (option.kind === "integer") {
    return make("input", { ...common, type: "number", min: String(option.minimum), max: String(option.maximum), required: true, value });
  }
  const select = make("select", common, ...option.allowed.map((word) => make("option", { value: word }, plain(word))));
  select.value = value;
  return select;
}

// One row an option, each with what it is; `values` are texts.
export function rows(options, values) {
  return options.map((option) =>
    make(
      "div",
      { className: "option" },
      make("label", { className: "row" }, make("span", {}, plain(option.name)), field(option, values[option.name])),
      make("p", { className: "help" }, option.help),
    ),
  );
}

// What a form says, as texts; what is as usual is left out.
export function said(form, options) {
  const chosen = {};
  for (const option of options) {
    const input = form.elements.namedItem(option.name);
    const value = option.kind === "boolean" ? String(input.checked) : input.value;
    if (value !== String(option.default)) chosen[option.name] = value;
  }
  return chosen;
}
