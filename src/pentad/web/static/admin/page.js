// The page of the operators: the session, which a token begins, and the view that the address names.

import { showAnnouncements } from "../announcements.js";
import { byId, decoded, every, make, messageOf } from "../dom.js";
import { fetchJson, here, showPath } from "../server.js";
import { bansView, gameView, logView, personView, reportsView, searchView, serverView, studyView } from "./views.js";
import { phrase } from "../words.js";

/** @import { LoggedAction, OperatorView } from "../messages.d.ts" */

const FORBIDDEN = 403; // the status without a session
const TOKEN = /^#token=([\w-]+)$/;

let visit = 0; // increases with every view, to drop late answers
/** @type {LoggedAction[]} */ let logged = [];

const desk = {
  changed: () => void show(),
  gone() {
    showPath("/admin/log"); // which has it first
    show({ fresh: true });
  },
  failed: (/** @type {unknown} */ error) => showError(messageOf(error)),
};

// ── the session ──

/** @param {OperatorView} operator */
function begin(operator) {
  byId("log-in").hidden = true;
  byId("desk").hidden = byId("operator").hidden = byId("log-out").hidden = false;
  byId("operator").textContent = operator.name;
  byId("waiting-reports").textContent = operator.reports ? `(${operator.reports})` : "";
  showAnnouncements(operator.announcements);
}

// Asks for a token; the view is gone.
/** @param {string} [why] */
function askForToken(why = "") {
  byId("desk").hidden = byId("operator").hidden = byId("log-out").hidden = true;
  byId("view").replaceChildren();
  byId("log-in").hidden = false;
  byId("log-in-error").textContent = why;
  byId("log-in-error").hidden = !why;
  byId("token").focus();
}

/** @param {string} token */
async function logIn(token) {
  try {
    begin(await fetchJson("/api/admin/login", { token }));
    byId("token").value = "";
    await show();
  } catch (error) {
    askForToken(messageOf(error));
  }
}

// ── views ──

// The elements of the view that the address names.
/** @returns {Promise<Array<Node>>} */
async function viewHere() {
  const { pathname, searchParams } = here();
  const [name, subject] = pathname.split("/").slice(2).map(decoded);
  const encoded = encodeURIComponent(subject ?? "");
  switch (name) {
    case "bans":
      return bansView(await fetchJson("/api/admin/bans"), desk);
    case "server":
      return serverView(await fetchJson("/api/admin"), desk);
    case "log":
      logged = await fetchJson("/api/admin/actions");
      return logView(logged, moreOfLog);
    case "search": {
      const text = searchParams.get("text") ?? "";
      byId("find-text").value = text;
      return searchView(await fetchJson(/** @type {const} */ (`/api/admin/search?${new URLSearchParams({ text })}`)), text, desk);
    }
    case "person":
      return personView(await fetchJson(/** @type {const} */ (`/api/admin/persons/${encoded}`)), desk);
    case "game":
      return gameView(await fetchJson(/** @type {const} */ (`/api/admin/games/${encoded}`)), desk);
    case "study":
      return studyView(await fetchJson(/** @type {const} */ (`/api/admin/studies/${encoded}`)), desk);
    default: {
      const handled = searchParams.get("done") === "true";
      return reportsView(await fetchJson(/** @type {const} */ (`/api/admin/reports?done=${handled}`)), handled, desk);
    }
  }
}

// Shows the view of the address; `fresh` is whether the operator has gone there.
async function show({ fresh = false } = {}) {
  const mine = ++visit;
  byId("view").ariaBusy = "true";
  try {
    const [operator, elements] = await Promise.all([fetchJson("/api/admin"), viewHere()]);
    if (mine !== visit) return;
    begin(operator);
    const hadFocus = byId("view").contains(document.activeElement) || document.activeElement === document.body;
    byId("view").replaceChildren(...elements);
    showError("");
    mark();
    const [title] = every("#view > h2");
    document.title = phrase("{title} · Moderation · pentad", { title: title?.textContent ?? "" });
    if (fresh || hadFocus) title?.focus();
  } catch (error) {
    if (mine !== visit) return;
    if (error instanceof Error && error.cause === FORBIDDEN) askForToken();
    else {
      byId("view").replaceChildren(make("h2", { tabIndex: -1 }, "Nothing to show"));
      showError(messageOf(error));
      mark();
    }
  } finally {
    byId("view").ariaBusy = "false";
  }
}

async function moreOfLog() {
  try {
    const last = logged[logged.length - 1].number;
    logged = [...logged, ...(await fetchJson(/** @type {const} */ (`/api/admin/actions?before=${last}`)))];
    byId("view").replaceChildren(...logView(logged, moreOfLog));
    /** @type {HTMLElement | undefined} */ (every("#view button")[0] ?? every("#view > h2")[0])?.focus();
  } catch (error) {
    desk.failed(error);
  }
}

// Marks the link of the view.
function mark() {
  const name = here().pathname.split("/")[2] || "reports";
  for (const link of every("#views a")) {
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** @param {string} text */
function showError(text) {
  byId("view-error").textContent = text;
  byId("view-error").hidden = !text;
}

// ── start ──

byId("log-in").addEventListener("submit", (event) => {
  event.preventDefault();
  logIn(byId("token").value.trim());
});
byId("log-out").addEventListener("click", async () => {
  await fetchJson("/api/admin/logout", {}).catch(() => {});
  askForToken();
});
byId("find").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = byId("find-text").value.trim();
  if (!text) return;
  showPath(`/admin/search?${new URLSearchParams({ text })}`);
  show({ fresh: true });
});
// Links between views load no page.
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.target || event.ctrlKey || event.metaKey || event.shiftKey || !link.pathname.startsWith("/admin/") || link.origin !== location.origin) return;
  event.preventDefault();
  showPath(link.pathname + link.search);
  show({ fresh: true });
});
addEventListener("popstate", () => show({ fresh: true }));

// Logs in with the token in the address, where it does not stay; returns whether there is one.
function logInByLink() {
  const token = TOKEN.exec(location.hash)?.[1];
  if (!token) return false;
  showPath(location.pathname + location.search, { replace: true });
  logIn(token);
  return true;
}

addEventListener("hashchange", logInByLink); // the link was opened where the page was already
if (!logInByLink()) show();
