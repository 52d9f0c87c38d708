// The Analysis page: a board on which every legal move can be played, and the tree of moves.

import { announce, byId, messageOf, notify, targetOf } from "../dom.js";
import { FreePlayBoard } from "../freeplay.js";
import { showBar } from "../play/sidebar.js";
import { mistakesPath, reviewedTree } from "../review/link.js";
import { initReports } from "../report.js";
import { fetchJson, fetchText, linkTo } from "../server.js";
import { EngineConnection } from "./connection.js";
import { OpenDialog, ShareDialog, readGame } from "./files.js";
import { namesOf } from "./games.js";
import { Graph } from "./graph.js";
import { addressRequest, isLink, push, replace, storedTree, storeTree } from "./link.js";
import { Openings } from "./openings.js";
import { arrowOf, arrowText } from "./marks.js";
import { Panel } from "./enginepanel.js";
import { Review } from "./review.js";
import { StudyState } from "./state.js";
import { PositionEditor } from "./editor.js";
import { Studies } from "./studies.js";
import { Tree } from "./tree.js";
import { TreeView } from "./treeview.js";
import { phrase, plural } from "../words.js";

/** @import { BoardAnswer } from "../messages.d.ts" */
/** @import { Place } from "./games.js" */
/** @import { LinkRequest } from "./link.js" */
/** @import { Game } from "./tree.js" */

const state = new StudyState();
/** @type {Place[] | null} */ let listedPlaces = null; // the games among which one can be chosen

const board = new FreePlayBoard(byId("board"), {
  moved: (answer) => move(answer),
  prompted: (answer) => prompt(answer),
  refused: () => notify(state.shown?.outcome ? "The game is over." : phrase("You cannot do that here. {prompt}", { prompt: state.shown?.prompt ?? "" })),
  failed: (error) => notify(messageOf(error)),
  drawn: (marks) => {
    state.tree.here.shapes = marks.map(arrowText);
    changed();
  },
});
const view = new TreeView((id) => go(id));
const engines = new EngineConnection();
const graph = new Graph((id) => go(id));
const valued = () => {
  graph.show(state.tree);
  storeTree(state.tree);
};
const panel = new Panel(engines, { play: (moves) => playLine(moves), painted: () => paint(), valued });
const review = new Review(engines, {
  go: async (id, [better]) => {
    await go(id);
    if (better && id === state.tree.current) await board.showTurn(better).catch((error) => notify(messageOf(error)));
  },
  play: (id, moves) => {
    go(id);
    playLine(moves);
  },
  valued,
  marked: () => {
    view.show(state.tree);
    changed();
  },
  listed: (count) => (byId("learn-link").hidden = !count || !state.tree.accuracies.length),
});
const openings = new Openings((chosen) => playLine([chosen]));
const openDialog = new OpenDialog({
  opened: (game) => loaded.then(() => open(game)),
  refused: (error) => notify(phrase("Nothing was opened: {reason}", { reason: messageOf(error) })),
  linked: (request) => gameOf(request),
  currentGame: () => (state.isEmpty ? undefined : state.tree.game),
});
const studies = new Studies({ show: (game) => showGame(game, { at: 0 }), tree: () => state.tree });
const shareDialog = new ShareDialog(() => ({ tree: state.tree, flip: state.flip }));
const editor = new PositionEditor(async (position) => open(await fetchJson("/api/study/line", { start: position, moves: [] })));

// The tree has changed: it is stored.
function changed() {
  byId("clear-shapes").disabled = !state.tree.here.shapes.length;
  storeTree(state.tree);
  if (state.tree.chapter) studies.changed();
}

// ── the current node ──

// Shows the current node; `fresh` animates its move.
async function show({ fresh = false } = {}) {
  const { here } = state.tree;
  notify("");
  document.title = phrase("{game} · Analysis · pentad", { game: state.tree.title });
  controls();
  view.mark(here.id);
  graph.show(state.tree);
  review.list(state.tree);
  openings.show(state.tree);
  state.isMoving = true;
  await board.set(here.position, { last: here.move, flip: state.flip, fresh });
  if (state.tree.here !== here) return;
  state.isMoving = false;
  paint();
}

/** @param {number} id */
function go(id, { step = "push" } = {}) {
  if (id === state.tree.current) return undefined;
  const forward = state.go(id);
  if (step === "push") push(state.tree);
  storeTree(state.tree);
  const { here } = state.tree;
  announce(here.words || "Start of the game.");
  return show({ fresh: forward });
}

// Adds a move made on the board.
/** @param {BoardAnswer} answer */
function move(answer) {
  const [node, isNew] = state.tree.add(state.tree.current, {
    move: answer.moved ?? "",
    notation: answer.notation,
    words: answer.words,
    seat: state.shown?.turn ?? null,
    position: answer.position,
    colours: answer.colours,
  });
  if (isNew) {
    view.show(state.tree);
    changed();
  }
  go(node.id);
}

// Plays the moves of an engine's line.
/** @param {string[]} moves */
async function playLine(moves) {
  try {
    const from = state.tree;
    const game = await fetchJson("/api/study/line", { start: from.start, moves: [...from.moves(), ...moves] });
    if (from !== state.tree) return;
    const node = state.tree.merge(game);
    view.show(state.tree);
    changed();
    go(node.id);
  } catch (error) {
    notify(messageOf(error));
  }
}

/** @param {BoardAnswer} answer */
function prompt(answer) {
  state.shown = answer;
  byId("headline").textContent = answer.status;
  byId("detail").textContent = answer.restriction; // the headline says what to do
  byId("cancel").hidden = !answer.steps;
  showBar(answer, Boolean(answer.steps), (choice) => board.choose(choice), () => board.end());
  if (state.analysed === state.tree.here) return queueMicrotask(paint); // once the board shows the answer
  state.analysed = state.tree.here;
  panel.show(state.tree, state.analysed, { mover: answer.turn, over: Boolean(answer.outcome) });
}

// Marks are placed once the board does not move.
function paint() {
  if (!state.shown || state.isMoving) return;
  board.board.setMarks(state.tree.here.shapes.map(arrowOf));
  board.board.paint(panel.marks(state.shown.steps, state.shown.choices));
}

function controls() {
  const { here } = state.tree;
  byId("first").disabled = byId("back").disabled = here.parent === null;
  byId("forward").disabled = byId("last").disabled = !here.children.length;
  const turn = { number: state.tree.path(here.id).length - 1, words: here.words };
  byId("comment-label").textContent = here.move ? phrase("Comment on move {number}: {words}", turn) : "Comment on the starting position";
  byId("comment").value = here.comment;
  byId("clear-shapes").disabled = !here.shapes.length;
  byId("promote").disabled = state.tree.isMain(here.id);
  byId("delete").disabled = here.parent === null;
  byId("review").disabled = state.tree.line().length < 2 && !review.isRunning;
  const { status, resultText } = state.tree;
  const about = [...state.tree.playersAt(here), status || resultText].filter(Boolean);
  byId("about").textContent = about.join(" · ");
  byId("about").hidden = !about.length;
  showSource();
}

// Shows which of the games of a text this one is.
function showSource() {
  const { source } = state.tree;
  byId("game-number-row").hidden = !source;
  if (source?.places !== listedPlaces) {
    listedPlaces = source?.places ?? null;
    byId("game-number").replaceChildren(...(source ? namesOf(source) : []).map((name, i) => new Option(name, String(i + 1))));
  }
  byId("game-number").value = source ? String(source.at + 1) : "";
}

// ── games ──

// Shows a game with the engine on, or adds it to the study that is edited: that keeps the values of an engine, so it starts none.
/** @param {Game} game */
async function open(game) {
  if (studies.mayEdit && !game.chapter) return studies.addGame(game);
  if (!studies.mayEdit) panel.start();
  return showGame(game);
}

// Shows a game of the server, at the node `at`.
/** @param {Game} game */
function showGame(game, { at = game.chapter ? 0 : game.main[game.main.length - 1], step = push } = {}) {
  return showTree(new Tree(game), at, { step });
}

/** @param {Tree} tree @param {number} at @param {{ step: (tree: Tree) => void }} how */
function showTree(tree, at, { step }) {
  review.stop();
  if (!tree.chapter) studies.close();
  byId("main").classList.remove("no-game");
  state.open(tree, at);
  storeTree(tree);
  step(tree);
  view.show(tree);
  byId("review-note").textContent = "A review marks the moves that gave away a chance to win.";
  announce(plural(tree.line(0).length - 1, "{game}, 1 move.", "{game}, {count} moves.", { game: tree.title }));
  return show();
}

// Shows an error without a board if the address cannot be opened.
/** @param {unknown} error */
function showNothing(error) {
  byId("main").classList.add("no-game");
  byId("headline").textContent = isLink() ? "This link cannot be opened" : "The game could not be opened";
  byId("detail").textContent = messageOf(error);
  announce(`${byId("headline").textContent}: ${messageOf(error)}`);
}

// The game of a link.
/** @param {LinkRequest} request @returns {Promise<Game>} */
async function gameOf({ start, moves, room, study, key, chapter }) {
  if (study) {
    await studies.leave();
    return studies.open(study, key, chapter);
  }
  if (room) return fetchJson("/api/study/read", { text: await fetchText(`/api/rooms/${encodeURIComponent(room)}/record`) });
  if (start === null && moves.length) throw new Error("This link has moves but no game.");
  return fetchJson("/api/study/line", { start: start ?? state.games[0]?.name ?? "", moves, as_far: true });
}

// Opens the game in the address, or a new game.
async function openAddress() {
  await studies.leave();
  const request = addressRequest();
  const isOpened = isLink() && !history.state; // else it has been shown before
  if (state.shows(history.state?.tree)) {
    const { node } = history.state;
    if (state.tree.restore(node)) view.show(state.tree); // this undoes a deletion
    if (state.tree.nodes.has(node)) return go(node, { step: "" });
  }
  const stored = history.state?.tree && !request.study ? storedTree(history.state.tree) : null;
  if (stored && stored.nodes.some((node) => node.id === history.state.node)) {
    review.stop();
    state.open(new Tree(stored), history.state.node);
    view.show(state.tree);
    return show();
  }
  try {
    const reviewed = request.study ? null : reviewedTree();
    if (reviewed) return await showTree(reviewed, reviewed.current, { step: replace });
    const game = await gameOf(request);
    if (state.shows(history.state?.tree) && state.tree.start === game.start) {
      state.tree.current = state.tree.merge(game).id; // a line that was deleted before the page was reloaded
      view.show(state.tree);
      storeTree(state.tree);
      return await show();
    }
    if (isOpened && !studies.mayEdit) panel.start();
    await showGame(game, { step: replace });
    if (game.trouble) notify(game.main.length > 1 ? phrase("{trouble} The moves before it are shown.", { trouble: game.trouble }) : game.trouble);
  } catch (error) {
    if (state.isEmpty) showNothing(error);
    else notify(messageOf(error));
  }
}

// ── actions of the user ──

/** @param {keyof StudyState["ways"]} where */
const navigate = (where) => go(state.ways[where]);

for (const where of /** @type {const} */ (["first", "back", "forward", "last"])) byId(where).addEventListener("click", () => navigate(where));

byId("cancel").addEventListener("click", () => board.cancel());
byId("flip").addEventListener("click", () => {
  state.flip = !state.flip;
  show();
});
byId("game-number").addEventListener("change", async () => {
  const { source } = state.tree;
  if (!source) return;
  try {
    showGame(await readGame(source, byId("game-number").selectedIndex));
  } catch (error) {
    byId("game-number").value = String(source.at + 1);
    notify(messageOf(error));
  }
});
byId("comment").addEventListener("input", () => {
  state.tree.here.comment = byId("comment").value;
  changed();
});
byId("draw").addEventListener("click", () => {
  board.board.isDrawing = !board.board.isDrawing;
  byId("draw").ariaPressed = String(board.board.isDrawing);
});
board.board.colour = byId("draw-colour").value;
byId("draw-colour").addEventListener("change", () => (board.board.colour = byId("draw-colour").value));
byId("clear-shapes").addEventListener("click", () => {
  state.tree.here.shapes = [];
  changed();
  paint();
});
byId("comment").addEventListener("blur", () => view.show(state.tree));
byId("promote").addEventListener("click", () => {
  state.tree.promote(state.tree.current);
  view.show(state.tree);
  changed();
  show();
});
byId("delete").addEventListener("click", () => {
  review.stop();
  const parent = state.tree.remove(state.tree.current);
  state.tree.current = parent.id;
  push(state.tree);
  changed();
  view.show(state.tree);
  show();
  notify("Line deleted. Press Back in your browser to undo.");
});
byId("learn-link").addEventListener("click", () => (byId("learn-link").href = linkTo(mistakesPath(state.tree))));
byId("review").addEventListener("click", () => (review.isRunning ? review.stop() : review.start(state.tree)));
initReports({ place: () => studies.place, say: notify });
byId("open").addEventListener("click", () => openDialog.open(state.games, state.isEmpty ? state.games[0]?.name : state.tree.game));
byId("share").addEventListener("click", () => shareDialog.open());
byId("set-up").addEventListener("click", () =>
  editor.open(
    state.games.some((each) => each.setup && each.name === state.tree.game) ? state.tree.here.position : "",
    state.games.filter((each) => each.setup).map((each) => ({ value: each.name, text: phrase("{game}, starting position", { game: each.title }) })),
  ),
);

/** @type {Record<string, keyof StudyState["ways"]>} */
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", ArrowUp: "above", ArrowDown: "below", Home: "first", End: "last" };

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape") {
    if (board.cancel()) event.preventDefault();
    return;
  }
  if (!(event.key in KEYS) || state.isEmpty || event.defaultPrevented) return;
  if (targetOf(event).closest("#board, input, textarea, select, [role=slider]")) return;
  event.preventDefault();
  navigate(KEYS[event.key]);
});

window.addEventListener("popstate", () => openAddress());

const loaded = fetchJson("/api/games")
  .then((catalogue) => (state.games = catalogue.games))
  .catch((error) => notify(messageOf(error)))
  .finally(() => openAddress())
  .finally(() => {
    byId("board").setAttribute("aria-busy", "false");
    byId("side").inert = false;
  });
