// The Analysis page: a board on which every legal move can be played, and the tree of moves.

import { announce, button, byId, capitalize, fetchJson, notify } from "../dom.js";
import { FreePlayBoard } from "../freeplay.js";
import { EngineConnection } from "./engine.js";
import { OpenDialog, ShareDialog, readGame } from "./files.js";
import { Graph } from "./graph.js";
import { addressRequest, push, replace, storedTree, storeTree } from "./link.js";
import { Panel } from "./panel.js";
import { Review } from "./review.js";
import { PositionEditor } from "./editor.js";
import { Tree } from "./tree.js";
import { TreeView } from "./treeview.js";

const REVIEW_SECONDS = 1; // per move

let tree = null;
let flip = false;
let shown = null; // the server's answer for the position on the board
let games = [];
let analysed = null; // the node in the engine panel
let isMoving = false; // while a move is animated

const board = new FreePlayBoard(byId("board"), {
  moved: (answer) => move(answer),
  prompted: (answer) => prompt(answer),
  refused: () => notify(shown?.outcome ? "The game is over." : `Not possible here. ${shown?.prompt ?? ""}`),
  failed: (error) => notify(error.message),
});
const view = new TreeView((id) => go(id));
const engines = new EngineConnection();
const graph = new Graph((id) => go(id));
const panel = new Panel(engines, {
  play: (moves) => playLine(moves),
  painted: () => paint(),
  valued: () => {
    graph.show(tree);
    storeTree(tree);
  },
});
const review = new Review(engines, {
  go: (id) => go(id),
  valued: () => {
    graph.show(tree);
    storeTree(tree);
  },
  marked: () => {
    view.show(tree);
    storeTree(tree);
  },
});
const openDialog = new OpenDialog({
  opened: (game) => showGame(game),
  refused: (error) => notify(error.message),
  currentGame: () => tree?.game,
});
const shareDialog = new ShareDialog(() => ({ tree, flip }));
const editor = new PositionEditor((position) => openLine(position, []));

// ── the current node ──

// The result with its reason; the stored reason `told` says that the file has only the result.
const resultText = ({ result, reason }) => (reason === "told" ? result : `${result}, ${reason}`);

// Shows the current node; `fresh` animates its move.
async function show({ fresh = false } = {}) {
  const { here } = tree;
  notify("");
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
  storeTree(tree);
  const { here } = tree;
  announce(here.words || "Start of the game.");
  show({ fresh: forward });
}

// Adds a move made on the board.
function move(answer) {
  const seat = shown.turn;
  const [node, isNew] = tree.add(tree.current, {
    move: answer.moved,
    words: answer.words,
    seat,
    position: answer.position,
    colours: answer.colours,
  });
  if (isNew) view.show(tree);
  go(node.id);
}

// Plays the moves of an engine's line.
async function playLine(moves) {
  try {
    const from = tree;
    const game = await fetchJson("/api/study/line", { start: tree.start, moves: [...tree.moves(), ...moves] });
    if (from !== tree) return;
    const node = tree.merge(game);
    view.show(tree);
    go(node.id);
  } catch (error) {
    notify(error.message);
  }
}

function prompt(answer) {
  shown = answer;
  byId("headline").textContent = answer.status;
  // The headline says what to do; only a restriction, the prompt's second sentence, is left for the second line.
  byId("detail").textContent = answer.prompt.split(". ").slice(1).join(". ");
  byId("cancel").hidden = !answer.steps;
  const key = (choice) => choice.targets.join(" ");
  const count = new Map();
  for (const choice of answer.choices) count.set(key(choice), (count.get(key(choice)) ?? 0) + 1);
  // Choices that touches on the board cannot tell apart are buttons.
  const bar = answer.choices
    .filter((choice) => !choice.targets.length || count.get(key(choice)) > 1)
    .map((choice) => button(choice.label, () => board.choose(choice)));
  if (answer.may_end && answer.choices.length && answer.steps) bar.push(button("End turn", () => board.end()));
  byId("bar").replaceChildren(...bar);
  byId("bar").hidden = !bar.length;
  if (analysed === tree.here) return queueMicrotask(paint); // once the board shows the answer
  analysed = tree.here;
  panel.show(tree, analysed, { mover: answer.turn, over: Boolean(answer.outcome) });
}

// Marks are placed once the board does not move.
function paint() {
  if (shown && !isMoving) board.board.paint(panel.marks(shown.steps, shown.choices));
}

function controls() {
  const { here } = tree;
  byId("first").disabled = byId("back").disabled = here.parent === null;
  byId("forward").disabled = byId("last").disabled = !here.children.length;
  byId("comment-label").textContent = here.move ? `Comment on ${here.move}` : "Comment on the starting position";
  byId("comment").value = here.comment;
  byId("promote").disabled = tree.isMain(here.id);
  byId("delete").disabled = here.parent === null;
  byId("review").disabled = tree.line().length < 2 && !review.isRunning;
  const names = tree.coloursAt(here).map((colour, seat) => (tree.tags[`Seat${seat}`] ? `${capitalize(colour)}: ${tree.tags[`Seat${seat}`]}` : ""));
  const about = [...names.filter(Boolean), tree.result === "*" ? "" : resultText(tree)].filter(Boolean);
  byId("about").textContent = about.join(" · ");
  byId("about").hidden = !about.length;
  const { number, count } = tree.source ?? { number: 0, count: 0 };
  byId("game-number-row").hidden = count < 2;
  if (byId("game-number").length !== count) {
    byId("game-number").replaceChildren(...Array.from({ length: count }, (_, i) => new Option(`${i + 1} of ${count}`, String(i + 1))));
  }
  byId("game-number").value = String(number);
}

// ── games ──

// Shows a game of the server, at the node `at`.
function showGame(game, { at = game.main.at(-1), step = push } = {}) {
  review.stop();
  byId("main").classList.remove("no-game");
  tree = new Tree(game);
  tree.current = at;
  storeTree(tree);
  step(tree);
  view.show(tree);
  byId("review-note").textContent = "A review checks every move for missed chances.";
  const count = game.main.length - 1;
  announce(`${tree.title}, ${count === 1 ? "1 move" : `${count} moves`}.`);
  return show();
}

async function openLine(start, moves, step = push) {
  showGame(await fetchJson("/api/study/line", { start, moves }), { step });
}

// Shows an error without a board if the address cannot be opened.
function showNothing(error) {
  byId("main").classList.add("no-game");
  byId("headline").textContent = location.search ? "This link cannot be opened" : "The game could not be opened";
  byId("detail").textContent = error.message;
  announce(`${byId("headline").textContent}: ${error.message}`);
}

// Opens the game in the address, or a new game.
async function openAddress() {
  const { start, moves, room, review: reviewed } = addressRequest();
  if (history.state?.tree && tree?.key === history.state.tree) {
    const { node } = history.state;
    if (tree.restore(node)) view.show(tree); // undoes a deletion
    if (tree.nodes.has(node)) return go(node, { step: "" });
  }
  const stored = history.state?.tree && storedTree(history.state.tree);
  if (stored && stored.nodes.some((node) => node.id === history.state.node)) {
    review.stop();
    tree = new Tree({ ...stored, current: history.state.node });
    view.show(tree);
    return show();
  }
  try {
    if (room) {
      const response = await fetch(`/api/rooms/${encodeURIComponent(room)}/record`);
      if (!response.ok) throw new Error(response.status === 404 ? "This game no longer exists on this server." : (await response.json()).error);
      await showGame(await fetchJson("/api/study/read", { text: await response.text() }), { step: replace });
      if (reviewed && tree.nodes.size > 1) await review.start(tree, REVIEW_SECONDS);
      return;
    }
    if (start === null && moves.length) throw new Error("The link has moves but does not name their game.");
    const game = await fetchJson("/api/study/line", { start: start ?? games[0]?.name ?? "pentago", moves, as_far: true });
    if (tree && tree.start === game.start && history.state?.tree === tree.key) {
      tree.current = tree.merge(game).id; // a line that was deleted before the page was reloaded
      view.show(tree);
      storeTree(tree);
      return await show();
    }
    await showGame(game, { step: replace });
    if (game.trouble) notify(`${game.trouble}${game.main.length > 1 ? " The moves before it are shown." : ""}`);
  } catch (error) {
    if (tree) notify(error.message);
    else showNothing(error);
  }
}

// ── actions of the user ──

function navigate(where) {
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

for (const where of ["first", "back", "forward", "last"]) byId(where).addEventListener("click", () => navigate(where));

byId("cancel").addEventListener("click", () => board.cancel());
byId("flip").addEventListener("click", () => {
  flip = !flip;
  show();
});
byId("game-number").addEventListener("change", async ({ target }) => {
  try {
    const { text, game } = tree.source;
    showGame(await readGame({ text, game, number: Number(target.value) }));
  } catch (error) {
    notify(error.message);
  }
});
byId("comment").addEventListener("input", ({ target }) => {
  tree.here.comment = target.value;
  storeTree(tree);
});
byId("comment").addEventListener("blur", () => view.show(tree));
byId("promote").addEventListener("click", () => {
  tree.promote(tree.current);
  view.show(tree);
  storeTree(tree);
  show();
});
byId("delete").addEventListener("click", () => {
  review.stop();
  const parent = tree.remove(tree.current);
  tree.current = parent.id;
  push(tree);
  storeTree(tree);
  view.show(tree);
  show();
  notify("Deleted. The browser's Back button restores the line.");
});
byId("review").addEventListener("click", () => (review.isRunning ? review.stop() : review.start(tree, REVIEW_SECONDS)));
byId("open").addEventListener("click", () => openDialog.open(games, tree?.game ?? games[0]?.name));
byId("share").addEventListener("click", () => shareDialog.open());
byId("set-up").addEventListener("click", () =>
  editor.open(
    tree.here.position,
    games.map((each) => ({ value: each.name, text: `${each.title}, starting position` })),
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
  navigate(KEYS[event.key]);
});

window.addEventListener("popstate", () => openAddress());

fetchJson("/api/games")
  .then((catalogue) => (games = catalogue.games))
  .catch((error) => notify(error.message))
  .finally(() => openAddress())
  .finally(() => {
    byId("board").setAttribute("aria-busy", "false");
    byId("side").inert = false;
  });
