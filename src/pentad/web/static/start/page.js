// The start page: a game in two choices and a click, the player's games, and today's puzzles.

import { button, byId, dot, every, make, messageOf, notify, saved } from "../dom.js";
import { BY_LINK, OPPONENTS, chosenOpponent, chosenStrength, keepChosen, offerFriends, press } from "../play/opponents.js";
import { detailsOf, isMoving, optionTexts, pathOfPicture, resultOf, titleOf } from "../games/rows.js";
import { fillRules, takeSeat } from "../play/requests.js";
import { openGames } from "../play/strangers.js";
import { chosenClock, chosenSide, clockText, fillClocks, fillSides, keepTerms, writeClock, writeSide } from "../play/terms.js";
import { loadPicture, pathOfPosition } from "../pictures.js";
import { LEVELS } from "../puzzles/levels.js";
import { fetchJson, linkTo } from "../server.js";

/** @import { GameListing, PuzzleAnswer } from "../messages.d.ts" */
/** @import { Clock, Side } from "../play/terms.js" */

const MOST_GAMES = 4;

let opponent = chosenOpponent();
let strength = chosenStrength();
let side = chosenSide();
let clock = chosenClock();
let hasDays = true; // whether clocks of days are offered

function showChoice() {
  press("against", opponent);
  press("strength", strength);
  byId("strengths").hidden = opponent !== "computer";
  byId("start-side-row").hidden = opponent === "here";
  fillSides(byId("start-side"), ["First", "Second"], side, (each) => choose({ side: each }));
  fillClocks(byId("start-clock"), clock, { days: hasDays }, (each) => choose({ clock: each }));
  const terms = {
    ...(opponent === "computer" ? { strength } : {}),
    ...(opponent === "here" || side === 0 ? {} : { side: writeSide(side) }),
    ...(clock ? { clock: writeClock(clock) } : {}),
  };
  for (const link of /** @type {HTMLAnchorElement[]} */ (every("[data-play]"))) {
    const { play: game = "" } = link.dataset;
    const list = rulesOfGame(game);
    const query = new URLSearchParams({ game, against: opponent, ...terms });
    if (list.selectedIndex > 0) query.set("rules", list.value); // the first ones are the usual ones
    link.href = linkTo(`/play?${query}`);
  }
}

/** @param {string} game */
const rulesOfGame = (game) => /** @type {HTMLSelectElement} */ (every(`[data-rules="${game}"]`)[0]);

// Chooses terms, and keeps them for the next visit.
/** @param {{ side?: Side, clock?: Clock }} chosen */
function choose(chosen) {
  side = chosen.side ?? side;
  clock = chosen.clock === undefined ? clock : chosen.clock;
  keepTerms(chosen);
  showChoice();
}

for (const each of every("[data-against]")) {
  each.addEventListener("click", () => {
    opponent = /** @type {typeof opponent} */ (each.dataset.against);
    keepChosen({ opponent });
    showChoice();
  });
}
for (const each of every("[data-strength]")) {
  each.addEventListener("click", () => {
    strength = /** @type {typeof strength} */ (each.dataset.strength);
    keepChosen({ strength });
    showChoice();
  });
}

// The picture and the texts of a row.
/** @param {string} title @param {string} details @param {string} ofPicture its path */
function parts(title, details, ofPicture) {
  const picture = make("img", { alt: "", width: 64, height: 64, loading: "lazy" });
  loadPicture(picture, ofPicture);
  return [picture, make("span", {}, make("b", {}, title), make("small", {}, details))];
}

/** @param {string} title @param {string} details @param {string} path @param {string} ofPicture its path @param {HTMLElement} end */
const row = (title, details, path, ofPicture, end) => make("li", {}, make("a", { href: linkTo(path) }, ...parts(title, details, ofPicture), end));

/** @param {GameListing} game */
function gameRow(game) {
  const end = isMoving(game) ? make("strong", { className: "turn" }, "Your turn") : make("small", {}, resultOf(game));
  return row(titleOf(game).join(" "), detailsOf(game, new Date()).join(" · "), game.page, pathOfPicture(game), end);
}

// A game that others offer, and a button that takes the seat and opens the game.
/** @param {GameListing} game */
function openRow(game) {
  const details = [game.attended ? "waiting now" : "not here now", ...optionTexts(game), game.time ? clockText(game.time) : "no clock"].join(" · ");
  const act = async () => {
    try {
      location.assign(linkTo(`/play/${(await takeSeat(game.room, saved("name", ""))).room}`));
    } catch (error) {
      notify(messageOf(error));
      showOpenGames();
    }
  };
  return make("li", { className: "offer" }, ...parts(titleOf(game).join(" "), details, pathOfPicture(game)), button("Join", act, { className: "main" }));
}

/** @param {PuzzleAnswer} puzzle */
function puzzleRow(puzzle) {
  const details = `${puzzle.title} · ${LEVELS[puzzle.difficulty - 1]}`;
  const end = make("span", { className: "solve" }, dot(puzzle.colour), "Solve");
  return row(puzzle.goal, details, `/puzzles/${puzzle.id}`, pathOfPosition(puzzle.position), end);
}

async function showGames() {
  const [catalogue, mine] = await Promise.all([fetchJson("/api/games"), fetchJson("/api/mine")]);
  offerFriends(catalogue);
  hasDays = catalogue.friends;
  for (const game of catalogue.games) {
    const list = rulesOfGame(game.name);
    fillRules(list, game, {});
    list.onchange = showChoice;
  }
  if (!catalogue.friends && BY_LINK.includes(opponent)) opponent = OPPONENTS[0];
  showChoice();
  if (catalogue.friends) watchOpenGames();
  if (!mine.length) return;
  const all = make("li", { className: "all" }, make("a", { href: linkTo("/games") }, "All games"));
  byId("mine").replaceChildren(...mine.slice(0, MOST_GAMES).map(gameRow), all);
}

// Shows the open games, and again whenever the reader comes back; only a server has some.
function watchOpenGames() {
  showOpenGames().catch((error) => notify(messageOf(error)));
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) showOpenGames().catch(() => {}); // the list of before stays
  });
}

async function showOpenGames() {
  const games = (await openGames()).slice(0, MOST_GAMES);
  byId("lobby").replaceChildren(...games.map(openRow));
  byId("lobby-section").hidden = !games.length;
}

async function showPuzzles() {
  const { puzzles } = await fetchJson("/api/puzzles/daily");
  byId("today").replaceChildren(...puzzles.map(puzzleRow));
}

showChoice();
for (const each of [showGames(), showPuzzles()]) each.catch((error) => notify(messageOf(error)));
