// Puzzles: the list of them with what was solved, and one at a time to be played.

import { announce, ask, byId, decoded, dot, keep, kept, make, tell } from "/static/dom.js";
import { Teaching, wait } from "/static/learn/teaching.js";

const SOLVED = "puzzles"; // id → true
const LEVELS = ["Easy", "Not so easy", "Middling", "Hard", "Very hard"];
const id = decoded(location.pathname.split("/")[2] ?? "");
const solved = () => kept(SOLVED, {});

function show(...names) {
  for (const name of ["overview", "telling", "board", "side"]) byId(name).hidden = !names.includes(name);
}

// ── the list ──

async function list() {
  const paths = ["/api/puzzles/daily", "/api/puzzles", "/api/puzzles/solved"];
  const [today, all, mine] = await Promise.all(paths.map((path) => ask(path)));
  keep(SOLVED, { ...solved(), ...Object.fromEntries(mine.solved.map((name) => [name, true])) });
  byId("today").replaceChildren(...today.puzzles.map(card));
  const names = [...new Map(all.puzzles.map((each) => [each.game, each.title]))];
  const asked = new URLSearchParams(location.search).get("game");
  const chosen = names.some(([name]) => name === asked) ? asked : names[0]?.[0];
  byId("games").replaceChildren(
    ...names.map(([name, title]) => {
      const link = make("a", { className: "link", href: `/puzzles?game=${name}` }, title);
      if (name === chosen) link.setAttribute("aria-current", "true");
      return link;
    }),
  );
  numbers(all.puzzles.filter((each) => each.game === chosen));
  show("overview");
  if (asked === chosen) byId("all-title").scrollIntoView();
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
let own = []; // right moves so far
let line = []; // what was played: words of every move
let position = "";
let helped = false; // whether the solution was seen
let shown = 0;

const teaching = new Teaching({ moved: (told) => attempt(told.moved) });

async function open() {
  puzzle = await ask(`/api/puzzles/${encodeURIComponent(id)}`);
  document.title = `${puzzle.goal} · pentad`;
  byId("place").textContent = `${puzzle.title} · ${LEVELS[puzzle.difficulty - 1]}`;
  byId("headline").replaceChildren(dot(puzzle.colour), ` ${puzzle.goal}`);
  byId("words").textContent = puzzle.notes.join(" ");
  byId("next").href = `/puzzles/${puzzle.next}`;
  byId("analyse").href = `/analyse?start=${encodeURIComponent(puzzle.position)}`;
  byId("others").href = `/puzzles?game=${puzzle.game}`;
  show("telling", "board", "side");
  await restart();
}

async function restart() {
  own = [];
  line = [];
  position = puzzle.position;
  await go();
}

// Back to where a move is to be found.
async function go() {
  shown += 1;
  teaching.say("");
  buttons({ hint: true, solution: true });
  told();
  await teaching.start(position);
}

function buttons({ again = false, next = false, hint = false, solution = false }) {
  byId("again").hidden = !again;
  byId("again").className = next ? "" : "main";
  byId("next").hidden = byId("analyse").hidden = !next;
  byId("hint").hidden = !hint;
  byId("solution").hidden = !solution;
}

function told() {
  byId("line").hidden = !line.length;
  byId("line").replaceChildren(...line.map((words) => make("li", {}, words)));
}

async function attempt(move) {
  const here = shown;
  try {
    const answer = await ask(`/api/puzzles/${puzzle.id}/try`, { moves: [...own, move] });
    await teaching.look(answer.after, answer.move);
    if (here !== shown) return;
    if (!answer.right) {
      teaching.say(answer.words, true);
      buttons({ again: true, hint: true, solution: true });
      byId("again").focus({ preventScroll: true });
      return;
    }
    own.push(answer.move);
    line.push(answer.move_words);
    told();
    if (answer.over) return end(answer.words);
    teaching.say(answer.words);
    buttons({});
    await wait(700);
    if (here !== shown) return;
    line.push(answer.reply_words);
    told();
    position = answer.position;
    await teaching.look(position, answer.reply);
    if (here !== shown) return;
    await teaching.start(position, { last: answer.reply });
    teaching.say(`${answer.words} Reply: ${answer.reply_words}.`);
    buttons({ hint: true, solution: true });
  } catch (error) {
    tell(error.message);
    go();
  }
}

function end(words) {
  if (!helped) keep(SOLVED, { ...solved(), [puzzle.id]: true });
  teaching.say(`${words} ${helped ? "Now you know how" : "Solved!"}`);
  buttons({ again: true, next: true });
  position = puzzle.position;
  own = [];
  byId("next").focus({ preventScroll: true });
}

async function hint() {
  const here = shown;
  try {
    const answer = await ask(`/api/puzzles/${puzzle.id}/hint`, { moves: own });
    if (here !== shown) return;
    if (!byId("again").hidden) await go();
    teaching.point(answer.steps);
    teaching.say(`Hint: ${answer.words}`);
  } catch (error) {
    tell(error.message);
  }
}

async function solution() {
  shown += 1;
  const here = shown;
  try {
    const answer = await ask(`/api/puzzles/${puzzle.id}/solution`);
    helped = true;
    [own, line, position] = [[], [], puzzle.position];
    told();
    buttons({ again: true });
    teaching.say("This is one way");
    await teaching.start(answer.position, { still: true });
    for (const each of answer.moves) {
      await wait(900);
      if (here !== shown) return;
      await teaching.look(each.position, each.move);
      if (here !== shown) return;
      line.push(each.words);
      told();
      announce(each.words);
    }
    buttons({ again: true, next: true });
  } catch (error) {
    tell(error.message);
  }
}

byId("again").onclick = () => (position === puzzle.position ? restart() : go());
byId("hint").onclick = hint;
byId("solution").onclick = solution;

try {
  await (id ? open() : list());
} catch (error) {
  tell(error.message);
  if (id) await list().catch(() => show("overview"));
}
