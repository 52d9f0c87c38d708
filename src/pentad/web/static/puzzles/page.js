// The Puzzles page: the list with its solved marks, and a single puzzle.

import { byId, decoded, dot, make, messageOf, notify, save, saved, showOnly } from "../dom.js";
import { loadPicture, pathOfPosition } from "../pictures.js";
import { fetchJson, here, linkTo } from "../server.js";
import { LEVELS } from "./levels.js";
import { PuzzleBoard, puzzleTask } from "./solving.js";
import { phrase } from "../words.js";

/** @import { PuzzleAnswer, PuzzleInfo } from "../messages.d.ts" */
/** @import { Offer } from "./solving.js" */

const SOLVED = "puzzles"; // each id has the value true
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
  showParts("overview");
  if (requested === chosen) byId("all-title").scrollIntoView();
}

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
  byId("again").onclick = () => board.again();
  byId("hint").onclick = () => board.showHint();
  byId("solution").onclick = () => board.showSolution();
  showParts("task", "board", "side");
  await board.open(puzzleTask(puzzle));
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

try {
  await (id ? open() : list());
} catch (error) {
  notify(messageOf(error));
  if (id) await list().catch(() => showParts("overview"));
}
