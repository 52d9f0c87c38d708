// The Games page: the player's own games, found by opponent, game and result, and the open games of others.

import { byId, make, messageOf, notify } from "../dom.js";
import { loadPicture } from "../pictures.js";
import { fetchJson, here, keepsStudies, linkTo, showPath } from "../server.js";
import { countText, dateOf, detailsOf, isAwaited, headingOf, isToJoin, pathOfPicture, resultOf, titleOf } from "./rows.js";

/** @import { GameListing } from "../messages.d.ts" */

const TYPING = 250; // milliseconds without a key until the search begins
const NEAR = "300px"; // pictures below the screen by less than this are loaded
const OWN = /** @type {const} */ (["waiting-games", "running-games"]);
const FIELDS = /** @type {const} */ (["opponent", "game", "result"]);

let visit = 0; // increases with every search, to drop late answers
/** @type {ReturnType<typeof setTimeout> | 0} */ let typing = 0;
let isFirstPage = true; // whether no further page is shown

// ── the search ──

const search = () => ({
  opponent: byId("search-opponent").value.trim(),
  game: byId("search-game").value,
  result: byId("search-result").value,
});

// The search as the query of an address, without what is as usual.
function query() {
  const given = Object.entries(search()).filter(([name, value]) => value && !(name === "result" && value === "all"));
  return new URLSearchParams(given).toString();
}

// Sets the controls to the search in the address.
function readAddress() {
  const { searchParams } = here();
  for (const name of FIELDS) byId(`search-${name}`).value = searchParams.get(name) ?? (name === "result" ? "all" : "");
  for (const name of /** @type {const} */ (["game", "result"])) if (byId(`search-${name}`).selectedIndex < 0) byId(`search-${name}`).selectedIndex = 0;
}

function find() {
  clearTimeout(typing);
  const text = query();
  showPath(text ? `/games?${text}` : "/games", { replace: true });
  load();
}

// ── lists ──

// Shows the first page of what is found.
async function load() {
  const mine = ++visit;
  const text = query();
  try {
    const [found, lobby] = await Promise.all([fetchJson(/** @type {const} */ (`/api/mine/found?${text}`)), fetchJson("/api/lobby")]);
    if (mine !== visit) return;
    clear();
    show(found.games);
    fill("lobby", lobby.filter((game) => isToJoin(game, search())));
    showCount(found.count, text !== "");
    isFirstPage = true;
  } catch (error) {
    if (mine !== visit) return;
    clear();
    byId("games-count").textContent = "Could not load your games.";
    byId("no-games").hidden = true;
    notify(messageOf(error));
    return;
  }
  notify("");
}

function clear() {
  pictures.disconnect();
  for (const name of /** @type {const} */ ([...OWN, "lobby"])) fill(name, []);
  byId("finished-games").replaceChildren();
  byId("more-games").hidden = true;
}

// Shows how many games are found, and what to do where there are none.
/** @param {number} count @param {boolean} isSearch */
function showCount(count, isSearch) {
  byId("games-count").textContent = countText(count, isSearch);
  byId("no-games").hidden = count > 0;
  byId("first-game").hidden = isSearch;
  byId("all-games").hidden = !isSearch;
}

// Adds a page of games to the lists, and returns the first new row.
/** @param {GameListing[]} games */
function show(games) {
  const isOver = (/** @type {GameListing} */ { result }) => result !== null;
  fill("waiting-games", games.filter((game) => game.waits), true);
  fill("running-games", games.filter((game) => !game.waits && !isOver(game)), true);
  const now = new Date();
  for (const game of games.filter(isOver)) datedList(headingOf(game.touched, now)).append(row(game));
  offerMore(games.at(-1)?.cursor ?? null);
}

/** @param {typeof OWN[number] | "lobby"} name @param {GameListing[]} games */
function fill(name, games, isMore = false) {
  const list = byId(name);
  list.replaceChildren(...(isMore ? list.children : []), ...games.map(row));
  /** @type {HTMLElement} */ (list.parentElement).hidden = !list.childElementCount;
}

// The list below a heading, which is the last one or a new one.
/** @param {string} heading */
function datedList(heading) {
  const last = byId("finished-games").lastElementChild;
  if (last?.firstElementChild?.textContent === heading) return /** @type {HTMLElement} */ (last.lastElementChild);
  const id = `finished-${byId("finished-games").childElementCount}`;
  const list = make("ul", { className: "game-list", role: "list" });
  byId("finished-games").append(make("section", { "aria-labelledby": id }, make("h2", { id }, heading), list));
  return list;
}

// Offers the next page, which comes after a cursor.
/** @param {string | null} cursor */
function offerMore(cursor) {
  const more = byId("more-games");
  more.hidden = !cursor;
  more.disabled = false;
  more.onclick = async () => {
    more.disabled = true;
    const mine = visit;
    try {
      const next = await fetchJson(/** @type {const} */ (`/api/mine/found?${query()}&after=${encodeURIComponent(cursor ?? "")}`));
      if (mine !== visit) return;
      const before = new Set(document.querySelectorAll(".game-list a"));
      isFirstPage = false;
      show(next.games);
      const added = [...document.querySelectorAll(".game-list a")].find((each) => !before.has(each));
      /** @type {HTMLElement | undefined} */ (added)?.focus();
    } catch (error) {
      more.disabled = false;
      notify(messageOf(error));
    }
  };
}

// ── rows ──

/** @param {GameListing} game */
function row(game) {
  const [title, players] = titleOf(game);
  const now = new Date();
  const date = dateOf(game.touched, now);
  const details = detailsOf(game, now).flatMap((text, number) => [
    number ? " · " : "",
    text === date ? make("time", { dateTime: new Date(game.touched * 1000).toISOString() }, text) : text,
  ]);
  return make("li", {},
    make("a", { href: linkTo(game.page) },
      picture(game),
      make("span", { className: "text" },
        make("span", { className: "players" }, make("b", {}, title), ` ${players} `),
        badge(game),
        make("small", {}, ...details))));
}

/** @param {GameListing} game */
function badge(game) {
  if (isAwaited(game)) return make("strong", { className: "turn" }, "Your turn");
  const result = resultOf(game);
  return result ? make("strong", { className: `result ${game.standing ?? "score"}` }, result) : null;
}

// ── pictures ──

// Pictures are loaded when they come near the screen: in a page without a server each is work for this machine.
const pictures = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    pictures.unobserve(target);
    const image = /** @type {HTMLImageElement} */ (target);
    loadPicture(image, image.dataset.path ?? "");
  }
}, { rootMargin: NEAR });

/** @param {GameListing} game */
function picture(game) {
  const image = make("img", { alt: "", width: 72, height: 72, decoding: "async" });
  image.dataset.path = pathOfPicture(game);
  pictures.observe(image);
  return image;
}

// ── start ──

// Fills the list of games to choose from.
async function fillGames() {
  try {
    const catalogue = await fetchJson("/api/games");
    document.body.classList.toggle("alone", !catalogue.friends);
    byId("search-game").append(...catalogue.games.map((game) => make("option", { value: game.name }, game.title)));
  } catch {
    // The lists say why.
  }
}

byId("search").addEventListener("submit", (event) => {
  event.preventDefault();
  find();
});
byId("search-opponent").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(find, TYPING);
});
for (const name of /** @type {const} */ (["game", "result"])) byId(`search-${name}`).addEventListener("change", find);
byId("all-games").addEventListener("click", () => {
  byId("search").reset();
  byId("search-opponent").focus(); // the button that had it disappears
  find();
});
addEventListener("popstate", () => {
  readAddress();
  load();
});
// Games may have gone on while the page was hidden; a list with the focus in it stays.
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && isFirstPage && !byId("game-lists").contains(document.activeElement)) load();
});
if (keepsStudies) {
  byId("own-studies").href = linkTo("/studies");
  byId("own-studies").hidden = false;
}
await fillGames();
readAddress();
load();
