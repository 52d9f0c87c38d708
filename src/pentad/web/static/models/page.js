// The page of models: which one, which of its sides, and where one stands in it are all in the address.

import { ask, byId, capital, decoded, make, tell } from "/static/dom.js";
import { Explore } from "/static/models/explore.js";
import { rows, said } from "/static/models/options.js";
import { Picture } from "/static/models/picture.js";
import { Steps } from "/static/models/step.js";

const TABS = ["start", "rules", "control", "step", "explore"];
const OWN = ["tab", "path", "show"]; // words of the address that are no options

const pictures = {
  start: new Picture(byId("start-picture"), "The start graph"),
  rule: new Picture(byId("rule-picture"), "The rule"),
  control: new Picture(byId("control-picture"), "The control automaton"),
};
const steps = new Steps((path) => go({ path }));
const exploring = new Explore();
let catalogue = null;
let model = null; // as the server told it; `asked` is by what
let shown = 0; // so that an answer that comes too late is known as such

// ── the address ──

function here() {
  const name = decoded(location.pathname.split("/")[2] ?? "");
  const query = new URLSearchParams(location.search);
  const options = Object.fromEntries([...query].filter(([key]) => !OWN.includes(key)));
  const path = (query.get("path") ?? "").split(".").filter(Boolean).map(Number);
  const tab = TABS.includes(query.get("tab")) ? query.get("tab") : query.has("path") ? "step" : "start";
  return { name, options, tab, path, show: query.get("show") ?? "" };
}

function address({ name, options, tab, path, show }) {
  const query = new URLSearchParams(options);
  if (tab !== "start" || path.length) query.set("tab", tab); // a way alone means that one goes it
  if (path.length) query.set("path", path.join("."));
  if (tab === "rules" && show) query.set("show", show);
  return `/models/${encodeURIComponent(name)}${query.size ? `?${query}` : ""}`;
}

function go(changes, { replace = false } = {}) {
  const to = address({ ...here(), ...changes });
  if (to !== location.pathname + location.search) history[replace ? "replaceState" : "pushState"](null, "", to);
  return show();
}

// ── what is shown ──

async function show() {
  const mine = ++shown;
  const at = here();
  try {
    catalogue ??= await ask("/api/models");
    if (mine !== shown) return;
    byId("all").hidden = Boolean(at.name);
    if (!at.name) {
      leave();
      list();
      return;
    }
    await get(at);
    if (mine !== shown) return;
  } catch (error) {
    if (mine !== shown) return;
    tell(`${error.message}.`);
    if (!model) {
      byId("all").hidden = false;
      list();
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
  await SHOWERS[at.tab](at);
}

const SHOWERS = {
  start: () => pictures.start.show(model.start),
  rules: rule,
  control: () => pictures.control.show(model.control),
  step: (at) => steps.show(model, at.path, catalogue.most_steps),
  explore: () => exploring.show(model, catalogue),
};

function leave() {
  model = null;
  byId("model").hidden = true;
  exploring.leave();
  steps.forget();
  document.title = "Models · pentad";
  tell("");
}

function list() {
  byId("list").replaceChildren(
    ...catalogue.models.map((each) =>
      make(
        "li",
        {},
        make("h2", {}, make("a", { href: `/models/${each.name}`, onclick: (event) => follow(event, each.name) }, each.title)),
        make("p", {}, `${capital(each.summary)}.`),
      ),
    ),
  );
}

function follow(event, name) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return; // into a new window, then
  event.preventDefault();
  history.pushState(null, "", `/models${name ? `/${name}` : ""}`);
  show().then(() => {
    const title = name ? byId("title") : byId("all").querySelector("h1");
    title.tabIndex = -1;
    title.focus();
  });
}

// The model that the address names, if it is not the one that is there.
async function get({ name, options }) {
  const asked = `${name}?${new URLSearchParams(options)}`;
  if (model?.asked === asked) return;
  const told = await ask(`/api/models/${encodeURIComponent(name)}?${new URLSearchParams(options)}`);
  if (here().name !== name) return;
  tell("");
  model = { ...told, asked };
  steps.forget();
  exploring.leave();
  const info = catalogue.models.find((each) => each.name === name);
  document.title = `${told.title} · Models · pentad`;
  byId("title").textContent = told.title;
  byId("summary").textContent = `${capital(told.summary)}.`;
  const alike = told.isomorphism ? "states that are alike are one" : "states that are alike are told apart";
  byId("size").textContent = `${told.nodes} nodes, ${told.edges} edges, ${told.rules.length} rules; ${alike}.`;
  byId("download").href = `/api/models/${name}/grammar.zip?${new URLSearchParams(options)}`;
  byId("option-rows").replaceChildren(...rows(info.options, told.options));
  byId("option-error").hidden = true;
  byId("type-pictures").replaceChildren(
    ...told.types.map((part) => {
      const root = make("div", {});
      new Picture(root, `Type graph ${part.name}`).show(part.svg);
      return root;
    }),
  );
  byId("programs").replaceChildren(
    ...told.programs.map((part) => make("pre", { tabIndex: 0, role: "region", ariaLabel: `Program ${part.name}` }, make("code", {}, part.told.trim()))),
  );
  if (!told.programs.length) {
    byId("programs").replaceChildren(make("p", {}, "No program: every rule may come at any time; those of the highest priority that apply come first."));
  }
}

function rule({ show: wanted }) {
  const part = model.rules.find((each) => each.name === wanted) ?? model.rules[0];
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
  byId("rule-names").querySelector('[aria-pressed="true"]')?.focus({ preventScroll: true });
}

// ── what a person does ──

for (const each of TABS) byId(`tab-${each}`).onclick = () => go({ tab: each });
byId("tabs").addEventListener("keydown", (event) => {
  const at = TABS.indexOf(here().tab);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  const tab = TABS[(to + TABS.length) % TABS.length];
  byId(`tab-${tab}`).focus();
  go({ tab });
});
byId("option-form").onsubmit = async (event) => {
  event.preventDefault();
  const info = catalogue.models.find((each) => each.name === model.name);
  const options = said(event.target, info.options);
  try {
    await ask(`/api/models/${model.name}?${new URLSearchParams(options)}`);
  } catch (error) {
    byId("option-error").textContent = `${error.message}.`;
    byId("option-error").hidden = false;
    return;
  }
  byId("options").open = false;
  go({ options, path: [], show: "" });
};
document.querySelector(".back a").onclick = (event) => follow(event, "");
addEventListener("popstate", show);
show();
