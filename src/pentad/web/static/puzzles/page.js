// The Puzzles page: the list with its solved marks, and a single puzzle.

import { byId, decoded, dot, make, messageOf, notify, save, saved, showOnly } from "../dom.js";
import { loadPicture, pathOfPosition } from "../pictures.js";
import { fetchJson, here, linkTo } from "../server.js";
import { answered, clear, counts, daysUntil, inOrder, isDue, load, update, without } from "./kept.js";
import { LEVELS } from "./levels.js";
import { mistakeTask } from "./mistakes.js";
import { PuzzleBoard, puzzleTask } from "./solving.js";
import { phrase, plural } from "../words.js";

/** @import { PuzzleAnswer, PuzzleInfo } from "../messages.d.ts" */
/** @import { Kept } from "./kept.js" */
/** @import { Offer, Task } from "./solving.js" */

const SOLVED = "puzzles"; // each id has the value true
const MOST_SHOWN = 6; // puzzles from own games
const own = Number(here().searchParams.get("mine")) || null; // the number of a puzzle from an own game
const id = decoded(here().pathname.split("/")[2] ?? "");
const solved = () => saved(SOLVED, /** @type {Record<string, boolean>} */ ({}));

const PARTS = /** @type {const} */ (["overview", "task", "board", "side"]);
/** @param {...(typeof PARTS)[number]} names */
const showParts = (...names) => showOnly(PARTS, names);

// ── the list ──

async function list() {
  const [today, all, mine] = await Promise.all([fetchJson("/api/puzzles/daily"), fetchJson("/api/puzzles"), fetchJson("/api/puzzles/solved")]);
  save(SOLVED, { ...solved(), ...Object.fromEntries(mine.solved.map((name) => [name, true])) });
  byId("today").replaceChildren(...today.puzzles.map(card));
  const names = [...new Map(all.puzzles.map((each) => [each.game, each.title]))];
  const requested = here().searchParams.get("game");
  const chosen = names.some(([name]) => name === requested) ? requested : names[0]?.[0];
  byId("games").replaceChildren(
    ...names.map(([name, title]) => {
      const link = make("a", { className: "link", href: linkTo(`/puzzles?game=${name}`) }, title);
      if (name === chosen) link.setAttribute("aria-current", "true");
      return link;
    }),
  );
  numbers(all.puzzles.filter((each) => each.game === chosen));
  showOwn();
  showParts("overview");
  if (requested === chosen) byId("all-title").scrollIntoView();
}

// Lists the puzzles from the user's games; at first only some.
function showOwn(most = MOST_SHOWN) {
  const { puzzles, trouble } = load();
  const ordered = inOrder(puzzles);
  byId("own-count").textContent = trouble || ownText(puzzles);
  byId("own-clear").hidden = !trouble;
  byId("own-list").hidden = !puzzles.length;
  byId("own-list").replaceChildren(...ordered.slice(0, most).map((each) => ownCard(each, most)));
  byId("own-all").hidden = ordered.length <= most;
  byId("own-all").textContent = phrase("Show all {count}", { count: ordered.length });
}

/** @param {Kept[]} puzzles */
function ownText(puzzles) {
  if (!puzzles.length) return "Review a game of yours: its mistakes become puzzles here. They stay in this browser.";
  const { due, later, learned } = counts(puzzles, Date.now());
  return phrase("{due} due, {later} later, {learned} learned. They stay in this browser.", { due, later, learned });
}

/** @param {Kept} puzzle */
function dueText(puzzle) {
  const now = Date.now();
  if (puzzle.due === null) return "Learned ✓";
  return isDue(puzzle, now) ? "Due now" : plural(daysUntil(puzzle.due, now), "Due in 1 day", "Due in {count} days");
}

/** @param {Kept} puzzle @param {number} most */
function ownCard(puzzle, most) {
  const picture = make("img", { alt: "" });
  loadPicture(picture, pathOfPosition(puzzle.position));
  const due = make("span", { className: puzzle.due === null || isDue(puzzle, Date.now()) ? "done-mark" : "soft" }, dueText(puzzle));
  const name = phrase("{date}, move {move}", { date: dateText(puzzle.date), move: puzzle.ply });
  const remove = () => {
    const trouble = update((puzzles) => without(puzzles, puzzle.number));
    showOwn(most);
    notify(trouble);
    byId("own-title").focus({ preventScroll: true });
  };
  return make(
    "li",
    {},
    make("a", { href: linkTo(`/puzzles?mine=${puzzle.number}`) }, make("b", {}, puzzle.title), picture, make("span", {}, name), due),
    make("button", { type: "button", className: "quiet icon", title: "Remove", ariaLabel: phrase("Remove {game}, {puzzle}", { game: puzzle.title, puzzle: name }), onclick: remove }, "×"),
  );
}

/** @param {string} date such as 2026-02-28 */
const dateText = (date) => new Date(`${date}T00:00Z`).toLocaleDateString("en", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

/** @param {PuzzleAnswer} each */
function card(each) {
  const picture = make("img", { alt: "" });
  loadPicture(picture, pathOfPosition(each.position));
  const mark = solved()[each.id]
    ? make("span", { className: "done-mark" }, "Solved ✓")
    : make("span", { className: "soft" }, LEVELS[each.difficulty - 1]);
  return make("li", {}, make("a", { href: linkTo(`/puzzles/${each.id}`) }, make("b", {}, each.title), picture, make("span", {}, each.goal), mark));
}

/** @param {PuzzleInfo[]} puzzles */
function numbers(puzzles) {
  const found = solved();
  const count = puzzles.filter((each) => found[each.id]).length;
  byId("count").textContent = phrase("{count} of {all} solved", { count, all: puzzles.length });
  byId("all").replaceChildren(
    ...LEVELS.map((level, i) => ({ level, those: puzzles.filter((each) => each.difficulty === i + 1) }))
      .filter(({ those }) => those.length)
      .map(({ level, those }) =>
        make(
          "section",
          {},
          make("h3", {}, level),
          make("ol", { className: "numbers" }, ...those.map((each) => make("li", {}, numbered(each, puzzles.indexOf(each) + 1, found)))),
        ),
      ),
  );
}

/** @param {number} number @param {string} goal @param {boolean} isSolved */
const numberText = (number, goal, isSolved) =>
  isSolved ? phrase("Puzzle {number}: {goal}, solved", { number, goal }) : phrase("Puzzle {number}: {goal}", { number, goal });

/** @param {PuzzleInfo} each @param {number} number @param {Record<string, boolean>} found */
function numbered(each, number, found) {
  const link = make("a", { href: linkTo(`/puzzles/${each.id}`), title: each.goal, className: found[each.id] ? "solved" : "" });
  link.append(`${number}${found[each.id] ? " ✓" : ""}`);
  link.setAttribute("aria-label", numberText(number, each.goal, found[each.id]));
  return link;
}

// ── a puzzle ──

const OFFERS = /** @type {const} */ (["again", "next", "hint", "solution"]);

async function open() {
  const puzzle = await fetchJson(`/api/puzzles/${encodeURIComponent(id)}`);
  document.title = phrase("{goal} · pentad", { goal: puzzle.goal });
  byId("place").textContent = `${puzzle.title} · ${LEVELS[puzzle.difficulty - 1]}`;
  byId("headline").replaceChildren(dot(puzzle.colour), ` ${puzzle.goal}`);
  byId("task-text").textContent = puzzle.notes.join(" ");
  /** @type {HTMLAnchorElement} */ (byId("next")).href = linkTo(`/puzzles/${puzzle.next}`);
  byId("analyse").href = linkTo(`/analyse?start=${encodeURIComponent(puzzle.position)}`);
  byId("others").href = linkTo(`/puzzles?game=${puzzle.game}`);
  const board = new PuzzleBoard({ offered: offer, played: showLine, solved: () => save(SOLVED, { ...solved(), [id]: true }) });
  await play(board, puzzleTask(puzzle));
}

// Opens a puzzle from an own game. A wrong move, a hint or the solution brings it back tomorrow.
/** @param {number} number */
async function openOwn(number) {
  const { puzzles, trouble } = load();
  const puzzle = puzzles.find((each) => each.number === number);
  if (trouble || !puzzle) throw new Error(trouble || "This puzzle is not kept in this browser.");
  const following = inOrder(puzzles).find((each) => each !== puzzle && isDue(each, Date.now()));
  document.title = phrase("{game}: find a better move · pentad", { game: puzzle.title });
  byId("place").textContent = phrase("{game} · your game of {date}, move {move}", { game: puzzle.title, date: dateText(puzzle.date), move: puzzle.ply });
  byId("headline").replaceChildren(dot(puzzle.colour), " Find a better move");
  byId("task-text").textContent = phrase("You played {move}.", { move: puzzle.text });
  /** @type {HTMLAnchorElement} */ (byId("next")).href = linkTo(following ? `/puzzles?mine=${following.number}` : "/puzzles");
  byId("next").textContent = following ? "Next puzzle" : "Back to the list";
  byId("analyse").href = linkTo(puzzle.link);
  byId("analyse").textContent = "Review of the game";
  byId("others").href = linkTo("/puzzles");
  let isMissed = false;
  /** @param {boolean} isSolved */
  const count = (isSolved) => notify(update((kept) => answered(kept, number, isSolved, Date.now())));
  await play(
    new PuzzleBoard({
      offered: offer,
      played: showLine,
      missed: () => {
        if (!isMissed) count(false);
        isMissed = true;
      },
      solved: () => {
        if (!isMissed) count(true);
      },
    }),
    mistakeTask(puzzle),
  );
}

// Shows a puzzle on the board, with its buttons.
/** @param {PuzzleBoard} board @param {Task} task */
async function play(board, task) {
  byId("again").onclick = () => board.again();
  byId("hint").onclick = () => board.showHint();
  byId("solution").onclick = () => board.showSolution();
  showParts("task", "board", "side");
  await board.open(task);
}

/** @param {Offer[]} offers @param {Offer} [main] */
function offer(offers, main) {
  showOnly(OFFERS, offers);
  byId("again").className = offers.includes("next") ? "" : "main";
  byId("analyse").hidden = !offers.includes("next");
  if (main) byId(main).focus({ preventScroll: true });
}

/** @param {string[]} line */
function showLine(line) {
  byId("line").hidden = !line.length;
  byId("line").replaceChildren(...line.map((text) => make("li", {}, text)));
}

byId("own-clear").onclick = () => {
  clear();
  showOwn();
};
byId("own-all").onclick = () => showOwn(Infinity);

try {
  await (own ? openOwn(own) : id ? open() : list());
} catch (error) {
  notify(messageOf(error));
  if (own || id) await list().catch(() => showParts("overview"));
}
