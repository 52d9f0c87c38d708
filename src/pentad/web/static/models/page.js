// The Models page. The address holds the model, its options, the tab and the path of steps.

import { byId, capitalize, decoded, every, make, messageOf, notify } from "../dom.js";
import { loadPicture, pictureOf } from "../pictures.js";
import { addressOf, fetchJson, here, linkTo, showPath } from "../server.js";
import { Explore } from "./explore.js";
import { chosenOptions, optionRows } from "./options.js";
import { Picture } from "./picture.js";
import { Stepper } from "./stepper.js";
import { phrase } from "../words.js";

/** @import { ModelAnswer, ModelInfo, ModelList } from "../messages.d.ts" */
/** @typedef {(typeof TABS)[number]} Tab */
/** @typedef {{ name: string, options: Record<string, string>, tab: Tab, path: number[], show: string }} Address */

const TABS = /** @type {const} */ (["start", "rules", "control", "step", "explore"]);
const RESERVED = ["tab", "path", "show"]; // query parameters that are not options

const pictures = {
  start: new Picture(byId("start-picture"), "Start graph"),
  rule: new Picture(byId("rule-picture"), "Rule"),
  control: new Picture(byId("control-picture"), "Control automaton"),
};
const stepper = new Stepper((path) => go({ path }));
const exploring = new Explore();
const state = {
  /** @type {ModelList | null} */ catalogue: null,
  /** @type {ModelAnswer & { key: string } | null} */ model: null, // the one shown; `key` identifies its name and options
  visit: 0, // increases with every navigation, to drop late answers
};

// ── the address ──

/** @returns {Address} */
function parseAddress() {
  const name = decoded(here().pathname.split("/")[2] ?? "");
  const query = here().searchParams;
  const options = Object.fromEntries([...query].filter(([key]) => !RESERVED.includes(key)));
  const path = (query.get("path") ?? "").split(".").filter(Boolean).map(Number);
  const tab = TABS.find((each) => each === query.get("tab")) ?? (query.has("path") ? "step" : "start");
  return { name, options, tab, path, show: query.get("show") ?? "" };
}

/** @param {Address} at */
function address({ name, options, tab, path, show }) {
  const query = new URLSearchParams(options);
  if (tab !== "start" || path.length) query.set("tab", tab); // a path alone implies the step tab
  if (path.length) query.set("path", path.join("."));
  if (tab === "rules" && show) query.set("show", show);
  return `/models/${encodeURIComponent(name)}${query.size ? `?${query}` : ""}`;
}

/** @param {Partial<Address>} changes */
function go(changes, { replace = false } = {}) {
  const to = address({ ...parseAddress(), ...changes });
  if (to !== here().pathname + here().search) showPath(to, { replace });
  return showPage();
}

// ── what is shown ──

async function showPage() {
  const mine = ++state.visit;
  const at = parseAddress();
  try {
    const catalogue = (state.catalogue ??= await fetchJson("/api/models"));
    if (mine !== state.visit) return;
    byId("all").hidden = Boolean(at.name);
    if (!at.name) {
      leave();
      showList(catalogue);
      return;
    }
    await load(at, catalogue);
    if (mine !== state.visit) return;
  } catch (error) {
    if (mine !== state.visit) return;
    notify(messageOf(error));
    if (!state.model && state.catalogue) {
      byId("all").hidden = false;
      showList(state.catalogue);
    }
    return;
  }
  byId("model").hidden = false;
  for (const each of TABS) {
    const chosen = each === at.tab;
    byId(`tab-${each}`).ariaSelected = String(chosen);
    byId(`tab-${each}`).tabIndex = chosen ? 0 : -1;
    byId(`panel-${each}`).hidden = !chosen;
  }
  if (at.tab !== "explore") exploring.leave();
  if (state.model && state.catalogue) await SHOW_TAB[at.tab](state.model, at, state.catalogue);
}

/** @type {Record<Tab, (model: ModelAnswer, at: Address, catalogue: ModelList) => unknown>} */
const SHOW_TAB = {
  start: (model) => pictures.start.show(model.start),
  rules: showRule,
  control: (model) => pictures.control.show(model.control),
  step: (model, at, catalogue) => stepper.show(model, at.path, catalogue.most_steps),
  explore: (model, _, catalogue) => exploring.show(model, catalogue),
};

function leave() {
  state.model = null;
  byId("model").hidden = true;
  exploring.leave();
  stepper.clear();
  document.title = "Models · pentad";
  notify("");
}

/** @param {ModelList} catalogue */
function showList(catalogue) {
  byId("list").replaceChildren(
    ...catalogue.models.map((each) =>
      make(
        "li",
        {},
        picture(each),
        make("h2", {}, make("a", { href: linkTo(`/models/${each.name}`), onclick: (event) => follow(event, each.name) }, each.title)),
        make("p", {}, capitalize(each.summary)),
      ),
    ),
  );
}

// The picture of a game's main model is the game, that of another model its start graph.
/** @param {ModelInfo} model */
function picture({ name, game }) {
  const image = make("img", { alt: "", width: 300, height: 144, loading: "lazy" });
  if (name === game) image.src = pictureOf(name);
  else loadPicture(image, `/api/models/${name}/start.svg`);
  return image;
}

/** @param {MouseEvent} event @param {string} name */
function follow(event, name) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return; // opens a new tab or window
  event.preventDefault();
  showPath(`/models${name ? `/${name}` : ""}`);
  showPage().then(() => {
    const title = name ? byId("title") : byId("all").querySelector("h1");
    if (!title) return;
    title.tabIndex = -1;
    title.focus();
  });
}

// Loads the model of the address, unless it is shown already.
/** @param {Address} at @param {ModelList} catalogue */
async function load({ name, options }, catalogue) {
  const key = `${name}?${new URLSearchParams(options)}`;
  if (state.model?.key === key) return;
  const answer = await fetchJson(`/api/models/${encodeURIComponent(name)}?${new URLSearchParams(options)}`);
  if (parseAddress().name !== name) return;
  notify("");
  state.model = { ...answer, key };
  stepper.clear();
  exploring.leave();
  const info = catalogue.models.find((each) => each.name === name);
  document.title = phrase("{model} · Models · pentad", { model: answer.title });
  byId("title").textContent = answer.title;
  byId("summary").textContent = capitalize(answer.summary);
  byId("size").textContent = sizeText(answer);
  const shown = state.model;
  addressOf(`/api/models/${name}/grammar.zip?${new URLSearchParams(options)}`).then((zip) => {
    if (state.model === shown) Object.assign(byId("download"), { href: zip, download: `${name}.gps.zip` });
  });
  byId("option-rows").replaceChildren(...optionRows(info?.options ?? [], answer.options));
  byId("option-error").hidden = true;
  byId("type-pictures").replaceChildren(
    ...answer.types.map((part) => {
      const root = make("div", {});
      new Picture(root, phrase("Type graph {name}", { name: part.name })).show(part.svg);
      return root;
    }),
  );
  byId("programs").replaceChildren(
    ...answer.programs.map((part) => make("pre", { tabIndex: 0, role: "region", ariaLabel: phrase("Program {name}", { name: part.name }) }, make("code", {}, part.text.trim()))),
  );
  if (!answer.programs.length) {
    byId("programs").replaceChildren(make("p", {}, "No control program: any rule can be applied at any time. Rules with higher priority come first."));
  }
}

/** @param {ModelAnswer} model */
function sizeText({ nodes, edges, rules, isomorphism }) {
  const size = { nodes, edges, rules: rules.length };
  return isomorphism
    ? phrase("{nodes} nodes, {edges} edges, {rules} rules; isomorphic states are merged.", size)
    : phrase("{nodes} nodes, {edges} edges, {rules} rules; isomorphic states are kept apart.", size);
}

/** @param {ModelAnswer} model @param {Address} at */
function showRule(model, { show: name }) {
  const part = model.rules.find((each) => each.name === name) ?? model.rules[0];
  byId("rule-names").replaceChildren(
    ...model.rules.map((each) =>
      make(
        "button",
        { type: "button", ariaPressed: String(each === part), onclick: () => go({ show: each.name }).then(() => focusRule()) },
        each.name,
      ),
    ),
  );
  pictures.rule.show(part.svg);
}

function focusRule() {
  every('[aria-pressed="true"]', byId("rule-names"))[0]?.focus({ preventScroll: true });
}

// ── actions of the user ──

for (const each of TABS) byId(`tab-${each}`).onclick = () => go({ tab: each });
byId("tabs").addEventListener("keydown", (event) => {
  const at = TABS.indexOf(parseAddress().tab);
  const to = new Map([["ArrowRight", at + 1], ["ArrowLeft", at - 1], ["Home", 0], ["End", TABS.length - 1]]).get(event.key);
  if (to === undefined) return;
  event.preventDefault();
  const tab = TABS[(to + TABS.length) % TABS.length];
  byId(`tab-${tab}`).focus();
  go({ tab });
});
byId("option-form").onsubmit = async (event) => {
  event.preventDefault();
  const { name } = parseAddress();
  const info = state.catalogue?.models.find((each) => each.name === name);
  const options = chosenOptions(byId("option-form"), info?.options ?? []);
  try {
    await fetchJson(`/api/models/${name}?${new URLSearchParams(options)}`);
  } catch (error) {
    byId("option-error").textContent = messageOf(error);
    byId("option-error").hidden = false;
    return;
  }
  byId("options").open = false;
  go({ options, path: [], show: "" });
};
every(".back a")[0].onclick = (event) => follow(event, "");
addEventListener("popstate", showPage);
showPage();
