// A game's options as rows of a form. What was chosen is kept by name, apart from what is as usual.

import { capital, make, plain } from "/static/dom.js";

const YES_NO = [
  ["Yes", true],
  ["No", false],
];

export const valueOf = (option, chosen) => chosen[option.name] ?? option.default;

// The row of an option; `changed` gets it whenever something valid was chosen.
export function optionRow(option, chosen, changed = () => {}) {
  const keep = (value) => {
    chosen[option.name] = value;
    if (value === option.default) delete chosen[option.name];
  };
  return option.several ? severalRow(option, chosen, keep) : plainRow(option, chosen, keep, changed);
}

function plainRow(option, chosen, keep, changed) {
  // What is usual with the other options has no value of its own: it is asked for by saying nothing.
  const usual = option.default === null;
  const value = valueOf(option, chosen);
  let input;
  if (option.kind === "choice" || (option.kind === "boolean" && usual)) {
    const named = option.kind === "choice" ? option.allowed.map((each) => [plain(each), each]) : YES_NO;
    input = make("select", {}, ...(usual ? [new Option("Usual", "")] : []), ...named.map(([words, each]) => new Option(words, each)));
    input.value = value ?? "";
  } else {
    input = make("input", { type: option.kind === "boolean" ? "checkbox" : "number" });
    if (option.kind === "boolean") input.checked = value;
    else Object.assign(input, { min: option.minimum, max: option.maximum, required: !usual, value: value ?? "" });
    if (usual) input.placeholder = "usual";
  }
  input.name = option.name;
  input.addEventListener("change", () => {
    keep(chosenIn(input, option));
    if (input.validity.valid) changed(option);
  });
  const words = option.name === "players" ? "Players" : capital(option.help);
  return make("label", { className: "row" }, make("span", {}, words), input);
}

// Several different words of a list: a field for each. Who chooses a word that another has takes its place.
function severalRow(option, chosen, keep) {
  const words = valueOf(option, chosen).split(",");
  const fields = words.map((word, i) => {
    const select = make("select", { name: `${option.name}${i}`, ariaLabel: `Number ${i + 1} of ${words.length}` });
    select.append(...option.allowed.map((each) => new Option(plain(each), each)));
    select.value = word;
    select.addEventListener("change", () => {
      const other = words.indexOf(select.value);
      if (other >= 0) words[other] = words[i];
      words[i] = select.value;
      fields.forEach((field, number) => (field.value = words[number]));
      keep(words.join());
    });
    return select;
  });
  const help = capital(option.help);
  return make("div", { className: "row several", role: "group", ariaLabel: help }, make("span", {}, help), ...fields);
}

// The value that a field holds for an option; null where it leaves what is usual.
function chosenIn(input, option) {
  if (input.type === "checkbox") return input.checked;
  if (input.value === "" && option.default === null) return null;
  if (option.kind === "integer") return input.valueAsNumber;
  return option.kind === "boolean" ? input.value === "true" : input.value;
}

// Options as the server reads them in a line.
export const written = (chosen) => Object.entries(chosen).map(([name, value]) => `${name}=${value}`);
