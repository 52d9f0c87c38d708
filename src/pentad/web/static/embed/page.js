// A board in a frame of another page: a position to play from, a game to step through, or a puzzle.

import { announce, byId, dot, messageOf, showOnly, targetOf } from "../dom.js";
import { Exercise } from "../learn/exercise.js";
import { PuzzleBoard, puzzleTask } from "../puzzles/solving.js";
import { fetchJson, here, linkTo } from "../server.js";
import { address } from "../analyse/link.js";
import { StudyState } from "../analyse/state.js";
import { Tree } from "../analyse/tree.js";
import { plural } from "../words.js";

/** @import { BoardAnswer } from "../messages.d.ts" */

const KINDS = /** @type {const} */ (["position", "record", "puzzle"]);
const BUTTONS = /** @type {const} */ (["steps", "undo", "restart", "again", "hint", "solution"]);
const query = here().searchParams;
const flip = ["", "true"].includes(query.get("flip") ?? "false");
const state = new StudyState();

/** @param {string} path of the page with more about this board */
const linkFull = (path) => (/** @type {HTMLAnchorElement} */ (byId("full")).href = linkTo(path));

// ── a position ──

/** @param {string} start */
async function openPosition(start) {
  const exercise = new Exercise({ moved: move, prompted: showStatus, flip });
  const show = async (fresh = false) => {
    const { here: node } = state.tree;
    byId("undo").disabled = byId("restart").disabled = node.parent === null;
    linkFull(address(state.tree));
    await exercise.start(node.position, { last: node.move, fresh });
  };

  /** @param {BoardAnswer} answer */
  function move(answer) {
    const { moved, notation, words, position, colours } = answer;
    const seat = exercise.free.shown?.turn ?? null;
    const [node] = state.tree.add(state.tree.current, { move: moved ?? "", notation, words, seat, position, colours });
    state.go(node.id);
    announce(words);
    show(true);
  }

  /** @param {"back" | "first"} where */
  const goBack = (where) => {
    state.go(state.ways[where]);
    show();
  };
  const tree = new Tree(await fetchJson("/api/study/line", { start, moves: [] }));
  state.open(tree, 0);
  byId("undo").onclick = () => goBack("back");
  byId("restart").onclick = () => goBack("first");
  showOnly(BUTTONS, ["undo", "restart"]);
  await show();
}

// Who is to move, or the result, and below it a restriction: the second sentence of the prompt.
/** @param {BoardAnswer} answer */
function showStatus(answer) {
  byId("headline").replaceChildren(...(answer.outcome ? [] : [dot(answer.colour), " "]), answer.status);
  byId("prompt").textContent = answer.outcome ? "" : answer.restriction;
}

// ── a game ──

/** @type {Record<string, "first" | "back" | "forward" | "last">} */
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };
const WAYS = Object.values(KEYS);

/** @param {string} text */
async function openRecord(text) {
  const exercise = new Exercise({ moved: () => {}, prompted: () => {}, flip });
  const show = async (fresh = false) => {
    const { tree } = state;
    const { here: node } = tree;
    const isEnd = !node.children.length;
    byId("first").disabled = byId("back").disabled = node.parent === null;
    byId("forward").disabled = byId("last").disabled = isEnd;
    byId("headline").textContent = node.move ? `${tree.moves().length}. ${node.words}` : plural(tree.line().length - 1, "{game}, 1 move", "{game}, {count} moves", { game: tree.title });
    byId("prompt").textContent = [node.comment, isEnd ? tree.resultText : ""].filter(Boolean).join(" · ");
    linkFull(address(tree));
    if (fresh) await exercise.showMove(node.position, node.move);
    else await exercise.start(node.position, { last: node.move, locked: true });
  };

  /** @param {typeof WAYS[number]} where */
  const go = (where) => {
    const id = state.ways[where];
    if (id === state.tree.current) return;
    const isForward = state.go(id);
    announce(state.tree.here.words || "Start of the game.");
    show(isForward);
  };
  state.open(new Tree(await fetchJson("/api/study/read", { text })), 0);
  for (const where of WAYS) byId(where).onclick = () => go(where);
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !(event.key in KEYS) || targetOf(event).closest("#board")) return;
    event.preventDefault();
    go(KEYS[event.key]);
  });
  showOnly(BUTTONS, ["steps"]);
  await show();
}

// ── a puzzle ──

/** @param {string} id */
async function openPuzzle(id) {
  const puzzle = await fetchJson(`/api/puzzles/${encodeURIComponent(id)}`);
  const board = new PuzzleBoard(
    {
      offered: (offers, main) => {
        showOnly(BUTTONS, offers.filter((each) => each !== "next"));
        if (main) byId("again").focus({ preventScroll: true });
      },
      solved: () => {},
    },
    { flip },
  );
  byId("headline").replaceChildren(dot(puzzle.colour), ` ${puzzle.goal}`);
  linkFull(`/puzzles/${puzzle.id}`);
  byId("again").onclick = () => board.again();
  byId("hint").onclick = () => board.showHint();
  byId("solution").onclick = () => board.showSolution();
  await board.open(puzzleTask(puzzle));
}

// ── the frame ──

// Whether the page around this frame gives it the height of its content; else the board fits into the frame as it is.
const isAsHighAsContent = query.get("height") === "content";

// Tells the page around this frame how high it is.
function reportHeight() {
  const height = Math.ceil(document.body.getBoundingClientRect().height);
  if (window.parent !== window) window.parent.postMessage({ type: "pentad-size", height }, "*");
}

async function open() {
  const given = KINDS.filter((each) => query.get(each));
  if (given.length !== 1) throw new Error("Expected one of position, record and puzzle in the address of this board.");
  const [kind] = given;
  const value = query.get(kind) ?? "";
  await { position: openPosition, record: openRecord, puzzle: openPuzzle }[kind](value);
}

// Shows only why there is no board.
/** @param {unknown} error */
function showError(error) {
  byId("board").hidden = byId("foot").hidden = true;
  byId("headline").textContent = messageOf(error);
  announce(messageOf(error));
}

document.body.classList.toggle("fits", !isAsHighAsContent);
if (isAsHighAsContent) new ResizeObserver(reportHeight).observe(document.body);
await open().catch(showError);
byId("side").hidden = false;
byId("board").ariaBusy = "false";
