// The Puzzles page: the list with its solved marks, and a single puzzle.

import { announce, byId, decoded, dot, fetchJson, make, notify, save, saved } from "../dom.js";
import { Exercise, wait } from "../learn/exercise.js";

const SOLVED = "puzzles"; // id → true
const LEVELS = ["Easy", "Fairly easy", "Medium", "Hard", "Very hard"];
const id = decoded(location.pathname.split("/")[2] ?? "");
const solved = () => saved(SOLVED, {});

function show(...names) {
  for (const name of ["overview", "task", "board", "side"]) byId(name).hidden = !names.includes(name);
}

// ── the list ──

async function list() {
  const paths = ["/api/puzzles/daily", "/api/puzzles", "/api/puzzles/solved"];
  const [today, all, mine] = await Promise.all(paths.map((path) => fetchJson(path)));
  save(SOLVED, { ...solved(), ...Object.fromEntries(mine.solved.map((name) => [name, true])) });
  byId("today").replaceChildren(...today.puzzles.map(card));
  const names = [...new Map(all.puzzles.map((each) => [each.game, each.title]))];
  const requested = new URLSearchParams(location.search).get("game");
  const chosen = names.some(([name]) => name === requested) ? requested : names[0]?.[0];
  byId("games").replaceChildren(
    ...names.map(([name, title]) => {
      const link = make("a", { className: "link", href: `/puzzles?game=${name}` }, title);
      if (name === chosen) link.setAttribute("aria-current", "true");
      return link;
    }),
  );
  numbers(all.puzzles.filter((each) => each.game === chosen));
  show("overview");
  if (requested === chosen) byId("all-title").scrollIntoView();
}

function card(each) {
  const picture = make("img", { src: `/api/board.svg?position=${encodeURIComponent(each.position)}`, alt: "" });
  const mark = solved()[each.id]
    ? make("span", { className: "done-mark" }, "Solved ✓")
    : make("span", { className: "soft" }, LEVELS[each.difficulty - 1]);
  return make("li", {}, make("a", { href: `/puzzles/${each.id}` }, make("b", {}, each.title), picture, make("span", {}, each.goal), mark));
}

function numbers(puzzles) {
  const found = solved();
  const count = puzzles.filter((each) => found[each.id]).length;
  byId("count").textContent = `${count} of ${puzzles.length} solved`;
  byId("all").replaceChildren(
    ...LEVELS.map((level, i) => [level, puzzles.filter((each) => each.difficulty === i + 1)])
      .filter(([, those]) => those.length)
      .map(([level, those]) =>
        make(
          "section",
          {},
          make("h3", {}, level),
          make("ol", { className: "numbers" }, ...those.map((each) => make("li", {}, numbered(each, puzzles.indexOf(each) + 1, found)))),
        ),
      ),
  );
}

function numbered(each, number, found) {
  const link = make("a", { href: `/puzzles/${each.id}`, title: each.goal, className: found[each.id] ? "solved" : "" });
  link.append(`${number}${found[each.id] ? " ✓" : ""}`);
  link.setAttribute("aria-label", `Puzzle ${number}: ${each.goal}${found[each.id] ? ", solved" : ""}`);
  return link;
}

// ── a puzzle ──

let puzzle = null;
let own = []; // correct moves so far
let line = []; // descriptions of all moves played
let position = "";
let wasShown = false; // whether the solution was shown
let visit = 0; // increases with every change of the board, to drop late answers

const exercise = new Exercise({ moved: (answer) => attempt(answer.moved) });

async function open() {
  puzzle = await fetchJson(`/api/puzzles/${encodeURIComponent(id)}`);
  document.title = `${puzzle.goal} · pentad`;
  byId("place").textContent = `${puzzle.title} · ${LEVELS[puzzle.difficulty - 1]}`;
  byId("headline").replaceChildren(dot(puzzle.colour), ` ${puzzle.goal}`);
  byId("task-text").textContent = puzzle.notes.join(" ");
  byId("next").href = `/puzzles/${puzzle.next}`;
  byId("analyse").href = `/analyse?start=${encodeURIComponent(puzzle.position)}`;
  byId("others").href = `/puzzles?game=${puzzle.game}`;
  show("task", "board", "side");
  await restart();
}

async function restart() {
  own = [];
  line = [];
  position = puzzle.position;
  await showTask();
}

// Shows the position in which a move is to be found.
async function showTask() {
  visit += 1;
  exercise.showFeedback("");
  buttons({ hint: true, solution: true });
  showLine();
  await exercise.start(position);
}

function buttons({ again = false, next = false, hint = false, solution = false }) {
  byId("again").hidden = !again;
  byId("again").className = next ? "" : "main";
  byId("next").hidden = byId("analyse").hidden = !next;
  byId("hint").hidden = !hint;
  byId("solution").hidden = !solution;
}

function showLine() {
  byId("line").hidden = !line.length;
  byId("line").replaceChildren(...line.map((text) => make("li", {}, text)));
}

async function attempt(move) {
  const mine = visit;
  try {
    const answer = await fetchJson(`/api/puzzles/${puzzle.id}/try`, { moves: [...own, move] });
    await exercise.showMove(answer.after, answer.move);
    if (mine !== visit) return;
    if (!answer.right) {
      exercise.showFeedback(answer.words, true);
      buttons({ again: true, hint: true, solution: true });
      byId("again").focus({ preventScroll: true });
      return;
    }
    own.push(answer.move);
    line.push(answer.move_words);
    showLine();
    if (answer.over) return end(answer.words);
    exercise.showFeedback(answer.words);
    buttons({});
    await wait(700);
    if (mine !== visit) return;
    line.push(answer.reply_words);
    showLine();
    position = answer.position;
    await exercise.showMove(position, answer.reply);
    if (mine !== visit) return;
    await exercise.start(position, { last: answer.reply });
    exercise.showFeedback(`${answer.words} Reply: ${answer.reply_words}`);
    buttons({ hint: true, solution: true });
  } catch (error) {
    notify(error.message);
    showTask();
  }
}

function end(text) {
  if (!wasShown) save(SOLVED, { ...solved(), [puzzle.id]: true });
  exercise.showFeedback(wasShown ? text : `${text} Solved.`);
  buttons({ again: true, next: true });
  position = puzzle.position;
  own = [];
  byId("next").focus({ preventScroll: true });
}

async function hint() {
  const mine = visit;
  try {
    const answer = await fetchJson(`/api/puzzles/${puzzle.id}/hint`, { moves: own });
    if (mine !== visit) return;
    if (!byId("again").hidden) await showTask();
    exercise.point(answer.steps);
    exercise.showFeedback(`Hint: ${answer.words}.`);
  } catch (error) {
    notify(error.message);
  }
}

async function solution() {
  visit += 1;
  const mine = visit;
  try {
    const answer = await fetchJson(`/api/puzzles/${puzzle.id}/solution`);
    wasShown = true;
    [own, line, position] = [[], [], puzzle.position];
    showLine();
    buttons({ again: true });
    exercise.showFeedback("This is one solution.");
    await exercise.start(answer.position, { still: true });
    for (const each of answer.moves) {
      await wait(900);
      if (mine !== visit) return;
      await exercise.showMove(each.position, each.move);
      if (mine !== visit) return;
      line.push(each.words);
      showLine();
      announce(each.words);
    }
    buttons({ again: true, next: true });
  } catch (error) {
    notify(error.message);
  }
}

byId("again").onclick = () => (position === puzzle.position ? restart() : showTask());
byId("hint").onclick = hint;
byId("solution").onclick = solution;

try {
  await (id ? open() : list());
} catch (error) {
  notify(error.message);
  if (id) await list().catch(() => show("overview"));
}
