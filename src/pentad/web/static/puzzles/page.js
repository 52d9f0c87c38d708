// The Puzzles page: the list with its solved marks, and a single puzzle.

import { announce, byId, decoded, dot, make, messageOf, notify, save, saved, showOnly } from "../dom.js";
import { Exercise, wait } from "../learn/exercise.js";
import { addressOf, fetchJson, here, linkTo } from "../server.js";

/** @import { PuzzleAnswer, PuzzleInfo } from "../messages.d.ts" */

const SOLVED = "puzzles"; // id → true
const LEVELS = ["Easy", "Fairly easy", "Medium", "Hard", "Very hard"];
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
  addressOf(`/api/board.svg?position=${encodeURIComponent(each.position)}`).then((address) => (picture.src = address));
  const mark = solved()[each.id]
    ? make("span", { className: "done-mark" }, "Solved ✓")
    : make("span", { className: "soft" }, LEVELS[each.difficulty - 1]);
  return make("li", {}, make("a", { href: linkTo(`/puzzles/${each.id}`) }, make("b", {}, each.title), picture, make("span", {}, each.goal), mark));
}

/** @param {PuzzleInfo[]} puzzles */
function numbers(puzzles) {
  const found = solved();
  const count = puzzles.filter((each) => found[each.id]).length;
  byId("count").textContent = `${count} of ${puzzles.length} solved`;
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

/** @param {PuzzleInfo} each @param {number} number @param {Record<string, boolean>} found */
function numbered(each, number, found) {
  const link = make("a", { href: linkTo(`/puzzles/${each.id}`), title: each.goal, className: found[each.id] ? "solved" : "" });
  link.append(`${number}${found[each.id] ? " ✓" : ""}`);
  link.setAttribute("aria-label", `Puzzle ${number}: ${each.goal}${found[each.id] ? ", solved" : ""}`);
  return link;
}

// ── a puzzle ──

const state = {
  /** @type {PuzzleAnswer} */ puzzle: { id, game: "", title: "", goal: "", colour: "", moves: 0, difficulty: 1, position: "", notes: [], next: "" },
  /** @type {string[]} */ own: [], // correct moves so far
  /** @type {string[]} */ line: [], // descriptions of all moves played
  position: "",
  wasShown: false, // whether the solution was shown
  visit: 0, // increases with every change of the board, to drop late answers
};

const exercise = new Exercise({ moved: (answer) => attempt(answer.moved ?? "") });

async function open() {
  state.puzzle = await fetchJson(`/api/puzzles/${encodeURIComponent(id)}`);
  document.title = `${state.puzzle.goal} · pentad`;
  byId("place").textContent = `${state.puzzle.title} · ${LEVELS[state.puzzle.difficulty - 1]}`;
  byId("headline").replaceChildren(dot(state.puzzle.colour), ` ${state.puzzle.goal}`);
  byId("task-text").textContent = state.puzzle.notes.join(" ");
  /** @type {HTMLAnchorElement} */ (byId("next")).href = linkTo(`/puzzles/${state.puzzle.next}`);
  byId("analyse").href = linkTo(`/analyse?start=${encodeURIComponent(state.puzzle.position)}`);
  byId("others").href = linkTo(`/puzzles?game=${state.puzzle.game}`);
  showParts("task", "board", "side");
  await restart();
}

async function restart() {
  state.own = [];
  state.line = [];
  state.position = state.puzzle.position;
  await showTask();
}

// Shows the position in which a move is to be found.
async function showTask() {
  state.visit += 1;
  exercise.showFeedback("");
  buttons({ hint: true, solution: true });
  showLine();
  await exercise.start(state.position);
}

function buttons({ again = false, next = false, hint = false, solution = false }) {
  byId("again").hidden = !again;
  byId("again").className = next ? "" : "main";
  byId("next").hidden = byId("analyse").hidden = !next;
  byId("hint").hidden = !hint;
  byId("solution").hidden = !solution;
}

function showLine() {
  byId("line").hidden = !state.line.length;
  byId("line").replaceChildren(...state.line.map((text) => make("li", {}, text)));
}

/** @param {string} move */
async function attempt(move) {
  const mine = state.visit;
  try {
    const answer = await fetchJson(`/api/puzzles/${state.puzzle.id}/try`, { moves: [...state.own, move] });
    await exercise.showMove(answer.after, answer.move);
    if (mine !== state.visit) return;
    if (!answer.right) {
      exercise.showFeedback(answer.words, true);
      buttons({ again: true, hint: true, solution: true });
      byId("again").focus({ preventScroll: true });
      return;
    }
    state.own.push(answer.move);
    state.line.push(answer.move_words);
    showLine();
    if (answer.over) return end(answer.words);
    exercise.showFeedback(answer.words);
    buttons({});
    await wait(700);
    if (mine !== state.visit) return;
    state.line.push(answer.reply_words);
    showLine();
    state.position = answer.position;
    const reply = answer.reply ?? "";
    await exercise.showMove(state.position, reply);
    if (mine !== state.visit) return;
    await exercise.start(state.position, { last: reply });
    exercise.showFeedback(`${answer.words} Reply: ${answer.reply_words}`);
    buttons({ hint: true, solution: true });
  } catch (error) {
    notify(messageOf(error));
    showTask();
  }
}

/** @param {string} text */
function end(text) {
  if (!state.wasShown) save(SOLVED, { ...solved(), [state.puzzle.id]: true });
  exercise.showFeedback(state.wasShown ? text : `${text} Solved.`);
  buttons({ again: true, next: true });
  state.position = state.puzzle.position;
  state.own = [];
  byId("next").focus({ preventScroll: true });
}

async function showHint() {
  const mine = state.visit;
  try {
    const answer = await fetchJson(`/api/puzzles/${state.puzzle.id}/hint`, { moves: state.own });
    if (mine !== state.visit) return;
    if (!byId("again").hidden) await showTask();
    exercise.point(answer.steps);
    exercise.showFeedback(`Hint: ${answer.words}.`);
  } catch (error) {
    notify(messageOf(error));
  }
}

async function showSolution() {
  state.visit += 1;
  const mine = state.visit;
  try {
    const answer = await fetchJson(`/api/puzzles/${state.puzzle.id}/solution`);
    state.wasShown = true;
    [state.own, state.line, state.position] = [[], [], state.puzzle.position];
    showLine();
    buttons({ again: true });
    exercise.showFeedback("This is one solution.");
    await exercise.start(answer.position, { still: true });
    for (const each of answer.moves) {
      await wait(900);
      if (mine !== state.visit) return;
      await exercise.showMove(each.position, each.move);
      if (mine !== state.visit) return;
      state.line.push(each.words);
      showLine();
      announce(each.words);
    }
    buttons({ again: true, next: true });
  } catch (error) {
    notify(messageOf(error));
  }
}

byId("again").onclick = () => (state.position === state.puzzle.position ? restart() : showTask());
byId("hint").onclick = showHint;
byId("solution").onclick = showSolution;

try {
  await (id ? open() : list());
} catch (error) {
  notify(messageOf(error));
  if (id) await list().catch(() => showParts("overview"));
}
