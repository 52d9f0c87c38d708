// The page for analysis: a board on which anything legal can be played, and the tree that grows from it.

import { announce, ask, button, byId, capital, tell } from "/static/dom.js";
import { FreeBoard } from "/static/free.js";
import { EngineLine } from "/static/study/engine.js";
import { Opening, readGame, Sharing } from "/static/study/files.js";
import { Graph } from "/static/study/graph.js";
import { asked, keepTree, keptTree, push, replace } from "/static/study/link.js";
import { Panel } from "/static/study/panel.js";
import { Review } from "/static/study/review.js";
import { SetUp } from "/static/study/setup.js";
import { Tree } from "/static/study/tree.js";
import { TreeView } from "/static/study/treeview.js";

const REVIEW_SECONDS = 1; // for each move

let tree = null;
let flip = false;
let shown = null; // what the server said of the position on the board
let games = [];
let looked = null; // the node that the engines were asked about
let isMoving = false; // while the board shows how a move is made

const board = new FreeBoard(byId("board"), {
  moved: (told) => move(told),
  prompted: (told) => prompt(told),
  refused: () => tell(capital(shown?.outcome ? "the game is over" : `not there: ${shown?.prompt ?? ""}`)),
  failed: (error) => tell(capital(error.message)),
});
const view = new TreeView((id) => go(id));
const line = new EngineLine();
const graph = new Graph((id) => go(id));
const panel = new Panel(line, {
  play: (moves) => playLine(moves),
  painted: () => paint(),
  valued: () => {
    graph.show(tree);
    keepTree(tree);
  },
});
const review = new Review(line, {
  go: (id) => go(id),
  valued: () => {
    graph.show(tree);
    keepTree(tree);
  },
  marked: () => {
    view.show(tree);
    keepTree(tree);
  },
});
const opening = new Opening({
  opened: (told) => take(told),
  refused: (error) => tell(capital(error.message)),
  usual: () => tree?.game,
});
const sharing = new Sharing(() => ({ tree, flip }));
const setUp = new SetUp((position) => openLine(position, []));

// ── where one stands ──

// Show the node where one stands; `fresh` animates the move that led there.
async function show({ fresh = false } = {}) {
  const { here } = tree;
  tell("");
  document.title = `${tree.title} · Analyse · pentad`;
  controls();
  view.mark(here.id);
  graph.show(tree);
  review.list(tree);
  isMoving = true;
  await board.set(here.position, { last: here.move, flip, fresh });
  if (tree.here !== here) return;
  isMoving = false;
  paint();
}

function go(id, { step = "push" } = {}) {
  if (id === tree.current) return;
  const forward = tree.nodes.get(id).parent === tree.current;
  tree.current = id;
  if (step === "push") push(tree);
  keepTree(tree);
  const { here } = tree;
  announce(here.words ? `${capital(here.words)}.` : "The beginning.");
  show({ fresh: forward });
}

// A whole move was chosen on the board.
function move(told) {
  const seat = shown.turn;
  const [node, isNew] = tree.add(tree.current, {
    move: told.moved,
    words: told.words,
    seat,
    position: told.position,
    colours: told.colours,
  });
  if (isNew) view.show(tree);
  go(node.id);
}

// The moves of an engine's line, played one after the other.
async function playLine(moves) {
  try {
    const from = tree;
    const told = await ask("/api/study/line", { start: tree.start, moves: [...tree.moves(), ...moves] });
    if (from !== tree) return;
    const node = tree.merge(told);
    view.show(tree);
    go(node.id);
  } catch (error) {
    tell(capital(error.message));
  }
}

function prompt(told) {
  shown = told;
  byId("headline").textContent = capital(told.status);
  // The headline says what is to be done, so that only where it may be is left to say.
  byId("detail").textContent = told.prompt.includes(": ") ? `${capital(told.prompt.split(": ")[1])}.` : "";
  byId("cancel").hidden = !told.steps;
  const key = (choice) => choice.targets.join(" ");
  const count = new Map();
  for (const choice of told.choices) count.set(key(choice), (count.get(key(choice)) ?? 0) + 1);
  // Choices without a place of their own on the board are buttons.
  const bar = told.choices
    .filter((choice) => !choice.targets.length || count.get(key(choice)) > 1)
    .map((choice) => button(capital(choice.label), () => board.choose(choice)));
  if (told.may_end && told.choices.length && told.steps) bar.push(button("End the turn", () => board.end()));
  byId("bar").replaceChildren(...bar);
  byId("bar").hidden = !bar.length;
  if (looked === tree.here) return queueMicrotask(paint); // once the board shows what was told
  looked = tree.here;
  panel.look(tree, looked, { mover: told.turn, over: Boolean(told.outcome) });
}

// Marks have their places on a board that stands still.
function paint() {
  if (shown && !isMoving) board.board.paint(panel.marks(shown.steps, shown.choices));
}

function controls() {
  const { here } = tree;
  byId("first").disabled = byId("back").disabled = here.parent === null;
  byId("forward").disabled = byId("last").disabled = !here.children.length;
  byId("comment-label").textContent = here.move ? `Comment on ${here.move}` : "Comment on the beginning";
  byId("comment").value = here.comment;
  byId("promote").disabled = tree.isMain(here.id);
  byId("delete").disabled = here.parent === null;
  byId("review").disabled = tree.line().length < 2 && !review.isRunning;
  const names = tree.coloursAt(here).map((colour, seat) => (tree.tags[`Seat${seat}`] ? `${capital(colour)}: ${tree.tags[`Seat${seat}`]}` : ""));
  const about = [...names.filter(Boolean), tree.result === "*" ? "" : `${tree.result}, ${tree.reason}`].filter(Boolean);
  byId("about").textContent = about.join(" · ");
  byId("about").hidden = !about.length;
  const { number, count } = tree.source ?? { number: 0, count: 0 };
  byId("which-row").hidden = count < 2;
  if (byId("which").length !== count) {
    byId("which").replaceChildren(...Array.from({ length: count }, (_, i) => new Option(`${i + 1} of ${count}`, String(i + 1))));
  }
  byId("which").value = String(number);
}

// ── games ──

// A game that the server has told becomes the one that is studied; `at` is the node to stand at.
function take(told, { at = told.main.at(-1), step = push } = {}) {
  review.stop();
  byId("main").classList.remove("nothing");
  tree = new Tree(told);
  tree.current = at;
  keepTree(tree);
  step(tree);
  view.show(tree);
  byId("review-note").textContent = "A review looks through every move for what was missed.";
  announce(`${tree.title}, ${told.main.length - 1} moves.`);
  return show();
}

async function openLine(start, moves, step = push) {
  take(await ask("/api/study/line", { start, moves }), { step });
}

// Where an address says nothing that can be opened there is no board, rather than another game's.
function showNothing(error) {
  byId("main").classList.add("nothing");
  byId("headline").textContent = location.search ? "This link cannot be opened" : "The game could not be opened";
  byId("detail").textContent = `${capital(error.message)}.`;
  announce(`${byId("headline").textContent}: ${error.message}.`);
}

// Whatever the address asks for, or else a new game.
async function openAddress() {
  const { start, moves, room, review: reviewed } = asked();
  if (history.state?.tree && tree?.key === history.state.tree) {
    const { node } = history.state;
    if (tree.putBack(node)) view.show(tree); // a line that was deleted comes back
    if (tree.nodes.has(node)) return go(node, { step: "" });
  }
  const kept = history.state?.tree && keptTree(history.state.tree);
  if (kept && kept.nodes.some((node) => node.id === history.state.node)) {
    review.stop();
    tree = new Tree({ ...kept, current: history.state.node });
    view.show(tree);
    return show();
  }
  try {
    if (room) {
      const answer = await fetch(`/api/rooms/${encodeURIComponent(room)}/record`);
      if (!answer.ok) throw new Error(answer.status === 404 ? "this game is not kept here any more" : (await answer.json()).error);
      await take(await ask("/api/study/read", { text: await answer.text() }), { step: replace });
      if (reviewed && tree.nodes.size > 1) await review.start(tree, REVIEW_SECONDS);
      return;
    }
    if (start === null && moves.length) throw new Error("it does not say which game the moves belong to");
    const told = await ask("/api/study/line", { start: start ?? games[0]?.name ?? "pentago", moves, as_far: true });
    if (tree && tree.start === told.start && history.state?.tree === tree.key) {
      tree.current = tree.merge(told).id; // a line that was deleted before the page was loaded
      view.show(tree);
      keepTree(tree);
      return await show();
    }
    await take(told, { step: replace });
    if (told.trouble) tell(`${capital(told.trouble)}. ${told.main.length > 1 ? "The moves before it are shown." : ""}`);
  } catch (error) {
    if (tree) tell(capital(error.message));
    else showNothing(error);
  }
}

// ── what one can do ──

function walk(where) {
  const { here } = tree;
  const siblings = here.parent === null ? [here.id] : tree.nodes.get(here.parent).children;
  const place = siblings.indexOf(here.id);
  const to = {
    first: 0,
    back: here.parent ?? here.id,
    forward: here.children[0] ?? here.id,
    last: tree.line().at(-1).id,
    above: siblings[Math.max(0, place - 1)],
    below: siblings[Math.min(siblings.length - 1, place + 1)],
  }[where];
  go(to);
}

for (const where of ["first", "back", "forward", "last"]) byId(where).addEventListener("click", () => walk(where));

byId("cancel").addEventListener("click", () => board.cancel());
byId("flip").addEventListener("click", () => {
  flip = !flip;
  show();
});
byId("which").addEventListener("change", async ({ target }) => {
  try {
    const { text, game } = tree.source;
    take(await readGame({ text, game, number: Number(target.value) }));
  } catch (error) {
    tell(capital(error.message));
  }
});
byId("comment").addEventListener("input", ({ target }) => {
  tree.here.comment = target.value;
  keepTree(tree);
});
byId("comment").addEventListener("blur", () => view.show(tree));
byId("promote").addEventListener("click", () => {
  tree.promote(tree.current);
  view.show(tree);
  keepTree(tree);
  show();
});
byId("delete").addEventListener("click", () => {
  review.stop();
  const parent = tree.remove(tree.current);
  tree.current = parent.id;
  push(tree);
  keepTree(tree);
  view.show(tree);
  show();
  tell("Deleted. Going back in the browser brings the line back.");
});
byId("review").addEventListener("click", () => (review.isRunning ? review.stop() : review.start(tree, REVIEW_SECONDS)));
byId("open").addEventListener("click", () => opening.open(games, tree?.game ?? games[0]?.name));
byId("share").addEventListener("click", () => sharing.open());
byId("set-up").addEventListener("click", () =>
  setUp.open(
    tree.here.position,
    games.map((each) => ({ value: each.name, text: `${each.title}, from the beginning` })),
  ),
);

const KEYS = { ArrowLeft: "back", ArrowRight: "forward", ArrowUp: "above", ArrowDown: "below", Home: "first", End: "last" };

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape") {
    if (board.cancel()) event.preventDefault();
    return;
  }
  if (!(event.key in KEYS) || !tree || event.defaultPrevented) return;
  if (event.target.closest("#board, input, textarea, select, [role=slider]")) return;
  event.preventDefault();
  walk(KEYS[event.key]);
});

window.addEventListener("popstate", () => openAddress());

ask("/api/games")
  .then((told) => (games = told.games))
  .catch((error) => tell(capital(error.message)))
  .finally(() => openAddress())
  .finally(() => {
    byId("board").setAttribute("aria-busy", "false");
    byId("side").inert = false;
  });
