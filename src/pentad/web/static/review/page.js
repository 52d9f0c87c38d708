// The page of a review: the result, the accuracies and the graph of a game, and its mistakes to learn from.

import { announce, button, byId, capitalize, messageOf, notify, showOnly, targetOf } from "../dom.js";
import { EngineConnection } from "../analyse/connection.js";
import { Graph } from "../analyse/graph.js";
import { addressRequest, storedTree, storeTree } from "../analyse/link.js";
import { Review, summaryText, turningPoint } from "../analyse/review.js";
import { StudyState } from "../analyse/state.js";
import { Tree, moveText } from "../analyse/tree.js";
import { CHANCES } from "../analyse/values.js";
import { answered, isSame, load, update, withMistakes } from "../puzzles/kept.js";
import { mistakeTask, mistakesOf } from "../puzzles/mistakes.js";
import { PuzzleBoard } from "../puzzles/solving.js";
import { fetchJson, fetchText, here, linkTo } from "../server.js";
import { begin, current, missed, next, solved, summary } from "./learning.js";
import { gameQuery, keyOf } from "./link.js";
import { phrase, plural } from "../words.js";

/** @import { Node } from "../analyse/tree.js" */
/** @import { Offer } from "../puzzles/solving.js" */
/** @import { Learning } from "./learning.js" */

const CLEAR = ["?", "??"]; // the marks of mistakes that are kept as puzzles
const OFFERS = /** @type {const} */ (["again", "next", "hint", "solution"]);
const REVIEW = /** @type {const} */ (["overview", "finding", "kept", "marked", "links"]);
const LEARNING = /** @type {const} */ (["learning", "learned"]);

const request = addressRequest();
const seatInAddress = here().searchParams.get("seat");
let seat = seatInAddress === null ? null : Number(seatInAddress); // the user's; null if unknown
const state = new StudyState();
/** @type {Learning} */ let learning = begin([]);
/** @type {Node | null} */ let shownBetter = null; // the marked move whose better one is on the board

const board = new PuzzleBoard({
  offered: offer,
  missed: (how) => {
    count(false);
    learning = missed(learning, how);
  },
  solved: () => {
    if (!learning.isHelped) count(true);
    learning = solved(learning);
  },
});
const graph = new Graph((id) => go(id), CHANCES);
const engines = new EngineConnection();
const review = new Review(engines, {
  go: (id, better) => {
    byId("board").scrollIntoView({ block: "nearest" }); // the list is far below it on a phone
    showBetter(id, better[0]);
  },
  nameOf: (tree, each) => (each === seat ? phrase("{player} (you)", { player: capitalize(tree.colours[each]) }) : capitalize(tree.colours[each])),
  valued: () => {
    graph.show(state.tree);
    storeTree(state.tree);
  },
  marked: () => storeTree(state.tree),
  ended: () => finish({ jump: true }),
});

// ── the game ──

// Shows the current node; `fresh` animates its move.
async function show({ fresh = false } = {}) {
  const { here: node } = state.tree;
  byId("first").disabled = byId("back").disabled = node.parent === null;
  byId("forward").disabled = byId("last").disabled = !node.children.length;
  graph.show(state.tree);
  showFinding();
  if (fresh) await board.exercise.showMove(node.position, node.move);
  else await board.exercise.start(node.position, { last: node.move, locked: true });
}

/** @param {number} id */
function go(id) {
  if (id === state.tree.current && !shownBetter) return;
  shownBetter = null;
  const isForward = state.go(id);
  announce(state.tree.here.words || "Start of the game.");
  show({ fresh: isForward });
}

// Shows the position before a marked move, with the better one.
/** @param {number} id of the node before it @param {string} [better] */
async function showBetter(id, better) {
  const before = state.tree.at(id);
  state.go(id);
  shownBetter = before.children.map((each) => state.tree.at(each)).find((each) => each.mark) ?? null;
  await show();
  if (!better || state.tree.here !== before) return;
  try {
    const words = await board.exercise.free.showTurn(better);
    if (words) announce(phrase("Better: {move}", { move: words }));
  } catch (error) {
    notify(messageOf(error));
  }
}

// The marked move that the board shows, or whose better one it shows.
const found = () => shownBetter ?? (state.tree.here.mark ? state.tree.here : null);

function showFinding() {
  const node = found();
  byId("finding").hidden = !node || learning.mistakes.length > 0;
  if (!node) return;
  byId("finding-text").textContent = phrase("{number}. {move}: {finding}", {
    number: state.tree.path(node.id).length - 1,
    move: `${moveText(node)}${node.mark}`,
    finding: node.missed,
  });
  byId("finding-better").textContent = node.best ? phrase("Better: {move}", { move: node.best }) : "";
  byId("show-better").hidden = !node.better?.length || Boolean(shownBetter);
}

byId("show-better").onclick = () => {
  const node = found();
  byId("board").scrollIntoView({ block: "nearest" });
  if (node?.parent !== null && node?.parent !== undefined) showBetter(node.parent, node.better?.[0]);
};
byId("try-again").onclick = () => {
  const node = found();
  if (node) review.again(state.tree, node);
};

// ── the review ──

// Shows what a whole review has found; with `jump` the move that decided the game.
function finish({ jump = false } = {}) {
  const { tree } = state;
  const nodes = tree.line(0);
  const decisive = turningPoint(nodes);
  byId("review-note").textContent = summaryText(nodes);
  byId("review").hidden = true;
  review.list(tree);
  storeTree(tree);
  byId("marked").hidden = !byId("review-list").childElementCount;
  const sides = sidesWithMistakes();
  byId("learn").hidden = !(seat === null ? sides.length : sides.includes(seat));
  byId("learn").textContent = seat === null ? "Learn from the mistakes" : "Learn from your mistakes";
  graph.show(tree);
  if (seat !== null) keep();
  if (jump && decisive && decisive.parent !== null && tree.here === nodes[nodes.length - 1]) showBetter(decisive.parent, decisive.better?.[0]);
}

const sidesWithMistakes = () => [...state.tree.colours.keys()].filter((each) => mistakesOf(state.tree, each).length);

// Keeps the user's mistakes as puzzles.
function keep() {
  const { tree } = state;
  const mistakes = mistakesOf(tree, seat ?? 0).filter(({ mark }) => CLEAR.includes(mark));
  if (!mistakes.length) return;
  const path = here();
  const date = /^\d{4}-\d\d-\d\d$/.test(tree.tags.Date ?? "") ? tree.tags.Date : new Date().toISOString().slice(0, 10);
  const trouble = update((puzzles) => withMistakes(puzzles, mistakes, { game: tree.game, title: tree.title, link: path.pathname + path.search, date }, Date.now()));
  byId("kept").hidden = learning.mistakes.length > 0;
  byId("kept-note").textContent = trouble || plural(mistakes.length, "1 mistake is kept as a puzzle.", "{count} mistakes are kept as puzzles.");
}

// Counts an answer for the kept puzzle of the mistake shown.
/** @param {boolean} isSolved */
function count(isSolved) {
  const mistake = current(learning);
  const kept = mistake && load().puzzles.find((each) => isSame(each, mistake));
  if (kept) update((puzzles) => answered(puzzles, kept.number, isSolved, Date.now()));
}

byId("review").onclick = () => (review.isRunning ? review.stop() : review.start(state.tree));

// ── learning ──

/** @param {number} side */
function learn(side) {
  byId("sides").hidden = true;
  learning = begin(mistakesOf(state.tree, side));
  showMistake();
}

async function showMistake() {
  const mistake = current(learning);
  showOnly([...REVIEW, ...LEARNING], [mistake ? "learning" : "learned"]);
  byId("main").classList.toggle("learning", mistake !== null);
  if (!mistake) {
    board.close();
    byId("learned-text").textContent = summary(learning);
    byId("learned-title").focus({ preventScroll: true });
    return;
  }
  byId("place").textContent = phrase("Mistake {number} of {count} · move {move}", { number: learning.at + 1, count: learning.mistakes.length, move: mistake.ply });
  byId("task-title").textContent = phrase("You played {move}. Find a better move.", { move: mistake.text });
  byId("next").textContent = learning.at + 1 < learning.mistakes.length ? "Next" : "Finish";
  await board.open(mistakeTask(mistake));
  byId("task-title").focus({ preventScroll: true });
  scrollTo(0, 0);
}

function goOn() {
  learning = next(learning);
  showMistake();
}

function leave() {
  board.close();
  learning = begin([]);
  byId("main").classList.remove("learning");
  showOnly([...REVIEW, ...LEARNING], ["overview", "links"]);
  finish();
  const node = shownBetter;
  if (node && node.parent !== null) showBetter(node.parent, node.better?.[0]);
  else show();
  byId("learn").focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** @param {Offer[]} offers @param {Offer} [main] */
function offer(offers, main) {
  showOnly(OFFERS, offers);
  byId("skip").hidden = offers.includes("next");
  byId("again").className = offers.includes("next") ? "" : "main";
  if (main) byId(main).focus({ preventScroll: true });
}

byId("learn").onclick = () => {
  if (seat !== null) return learn(seat);
  const { tree } = state;
  byId("sides").replaceChildren(
    ...sidesWithMistakes().map((each) => {
      const player = capitalize(tree.colours[each]);
      return button(plural(mistakesOf(tree, each).length, "{player}: 1 mistake", "{player}: {count} mistakes", { player }), () => {
        seat = each;
        keep();
        learn(each);
      });
    }),
  );
  byId("sides").hidden = false;
  /** @type {HTMLElement | null} */ (byId("sides").firstElementChild)?.focus();
};
byId("again").onclick = () => board.again();
byId("hint").onclick = () => board.showHint();
byId("solution").onclick = () => board.showSolution();
byId("next").onclick = goOn;
byId("skip").onclick = goOn;
byId("leave").onclick = leave;
byId("learned-back").onclick = leave;
byId("learn-again").onclick = () => {
  learning = begin(learning.mistakes);
  showMistake();
};

// ── navigation ──

/** @type {Record<string, "first" | "back" | "forward" | "last">} */
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };
for (const where of Object.values(KEYS)) byId(where).onclick = () => go(state.ways[where]);
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || !(event.key in KEYS) || event.defaultPrevented) return;
  if (state.isEmpty || learning.mistakes.length || document.querySelector("dialog[open]") || targetOf(event).closest("#board, [role=slider]")) return;
  event.preventDefault();
  go(state.ways[KEYS[event.key]]);
});

// ── opening ──

// The game in the address, with the findings of an earlier review in this window.
async function openTree() {
  const key = keyOf(here().search);
  const stored = storedTree(key);
  if (stored?.accuracies?.length) return new Tree(stored);
  const { room, start, moves } = request;
  const tree = new Tree(
    room
      ? await fetchJson("/api/study/read", { text: await fetchText(`/api/rooms/${encodeURIComponent(room)}/record`) })
      : await fetchJson("/api/study/line", { start: start ?? "", moves }),
  );
  tree.key = key;
  return tree;
}

function showGame() {
  const { tree } = state;
  document.title = phrase("{game} · Review · pentad", { game: tree.title });
  byId("headline").textContent = tree.status || "The game has no result.";
  byId("detail").textContent = [tree.title, ...tree.playersAt(tree.root)].join(" · ");
  byId("analyse").href = linkTo(`/analyse?${gameQuery(here().search)}`); // which takes over the findings
  byId("to-game").hidden = !request.room;
  if (request.room) byId("to-game").href = linkTo(`/play/${encodeURIComponent(request.room)}`);
  byId("kept-link").href = linkTo("/puzzles");
  if (seat !== null && !tree.colours[seat]) seat = null;
}

try {
  const tree = await openTree();
  state.open(tree, tree.line(0).at(-1)?.id ?? 0);
  showGame();
  byId("side").inert = false;
  const wasReviewed = tree.accuracies.length > 0;
  if (wasReviewed) finish({ jump: true });
  await show();
  if (tree.line(0).length < 2) byId("review-note").textContent = "The game has no moves to review.";
  else if (!wasReviewed) {
    byId("review").hidden = false;
    await review.start(tree);
  } else if (here().searchParams.has("learn")) byId("learn").click();
} catch (error) {
  byId("side").hidden = true;
  byId("headline").textContent = "The game could not be opened";
  byId("detail").textContent = messageOf(error);
} finally {
  byId("board").setAttribute("aria-busy", "false");
}
