// The Learn page: the list of lessons, and a lesson step by step. The server checks every move.

import { byId, decoded, make, messageOf, notify, save, saved, showOnly } from "../dom.js";
import { pictureOf } from "../pictures.js";
import { fetchJson, here, linkTo } from "../server.js";
import { Exercise, wait } from "./exercise.js";
import { phrase, plural } from "../words.js";

/** @import { LessonAnswer } from "../messages.d.ts" */
/** @typedef {{ step: number, done: boolean }} Progress the current step, and whether the lesson was finished */

const PROGRESS = "lessons"; // game → its progress
const game = decoded(here().pathname.split("/")[2] ?? "");
const progress = () => saved(PROGRESS, /** @type {Record<string, Progress>} */ ({}));

const state = {
  /** @type {LessonAnswer} */ lesson: { game, title: "", summary: "", steps: [] }, // until the server has answered
  number: 0, // the number of the step
  visit: 0, // increases with every step shown, to drop late answers
  /** @type {Set<number>} */ done: new Set(), // the numbers of the steps done
};

/** @typedef {(typeof PARTS)[number]} Part of the page */
const PARTS = /** @type {const} */ (["overview", "task", "board", "side", "ending"]);

const exercise = new Exercise({ moved: (answer) => check(answer.moved ?? "") });

/** @param {Partial<Progress>} change */
function saveProgress(change) {
  const all = progress();
  all[game] = { ...(all[game] ?? { step: 0, done: false }), ...change };
  save(PROGRESS, all);
}

/** @param {...Part} names */
const showParts = (...names) => showOnly(PARTS, names);

// ── the list ──

async function list() {
  const lessons = await fetchJson("/api/lessons");
  const all = progress();
  byId("lessons").replaceChildren(
    ...lessons.map((each) => {
      const at = all[each.game];
      const start = at?.step
        ? phrase("Continue at step {step} of {steps}", { step: at.step + 1, steps: each.steps })
        : plural(each.steps, "1 step", "{count} steps");
      const mark = at?.done ? "Done ✓" : start;
      return make(
        "li",
        {},
        make(
          "a",
          { href: linkTo(`/learn/${each.game}`) },
          make("img", { src: pictureOf(each.game), alt: "", width: 300, height: 300 }),
          make("b", {}, each.title),
          make("span", {}, each.summary),
          make("span", { className: at?.done ? "done-mark" : "soft" }, mark),
        ),
      );
    }),
  );
  showParts("overview");
}

// ── a step ──

/** @param {number} to */
async function go(to, { focus = true } = {}) {
  if (to >= state.lesson.steps.length) return finish();
  state.number = to;
  state.visit += 1;
  const step = state.lesson.steps[state.number];
  saveProgress({ step: state.number });
  byId("place").textContent = phrase("{lesson} · step {step} of {steps}", { lesson: state.lesson.title, step: state.number + 1, steps: state.lesson.steps.length });
  byId("headline").textContent = step.title;
  byId("task-text").textContent = step.words;
  showParts("task", "board", "side");
  await begin();
  if (focus) byId("headline").focus({ preventScroll: true });
  if (focus) scrollTo(0, 0);
}

async function begin() {
  const step = state.lesson.steps[state.number];
  exercise.showFeedback("");
  buttons({ show: step.touch.length > 0, watch: step.show.length > 0 });
  await exercise.start(step.position, { locked: step.show.length > 0 });
}

function buttons({ show = false, watch = false, again = false, next = false }) {
  byId("back").hidden = state.number === 0;
  byId("show").hidden = !show;
  byId("watch").hidden = !watch;
  byId("again").hidden = !again;
  byId("next").hidden = !next;
  byId("next").textContent = state.number + 1 === state.lesson.steps.length ? "Finish" : "Next";
  byId("skip").hidden = next;
  byId("progress").replaceChildren(
    ...state.lesson.steps.map((step, i) => {
      const classes = state.done.has(i) ? "done" : "";
      const dot = make("button", { type: "button", className: classes, title: step.title, onclick: () => go(i) }, `${i + 1}`);
      dot.setAttribute("aria-label", stepText(i + 1, step.title, state.done.has(i)));
      if (i === state.number) dot.setAttribute("aria-current", "step");
      return make("li", {}, dot);
    }),
  );
}

/** @param {number} step @param {string} title @param {boolean} isDone */
const stepText = (step, title, isDone) =>
  isDone ? phrase("Step {step}: {title}, done", { step, title }) : phrase("Step {step}: {title}", { step, title });

/** @param {string} move */
async function check(move) {
  const mine = state.visit;
  try {
    const answer = await fetchJson("/api/lessons/check", { game, step: state.number, move });
    if (mine !== state.visit) return;
    await exercise.showMove(answer.position, answer.move);
    if (mine !== state.visit) return;
    exercise.showFeedback(answer.words, !answer.right);
    if (answer.right) right();
    else buttons({ again: true, show: state.lesson.steps[state.number].touch.length > 0 });
    (answer.right ? byId("next") : byId("again")).focus({ preventScroll: true });
  } catch (error) {
    notify(messageOf(error));
    begin();
  }
}

function right() {
  state.done.add(state.number);
  buttons({ next: true, again: state.lesson.steps[state.number].show.length > 0 });
}

async function demonstrate() {
  const mine = state.visit;
  const step = state.lesson.steps[state.number];
  buttons({});
  for (const each of step.show) {
    await exercise.showMove(each.position, each.move);
    await wait(900);
    if (mine !== state.visit) return;
  }
  exercise.showFeedback(step.right);
  right();
  byId("next").focus({ preventScroll: true });
}

async function showMove() {
  const step = state.lesson.steps[state.number];
  if (!byId("again").hidden) await begin();
  exercise.point(step.touch);
  exercise.showFeedback(phrase("Follow the ring on the board: {move}.", { move: step.instruction }));
}

function finish() {
  saveProgress({ step: 0, done: progress()[game]?.done || state.done.size === state.lesson.steps.length });
  byId("ending-title").textContent = phrase("{lesson}: lesson finished", { lesson: state.lesson.title });
  byId("ending-play").href = linkTo(`/play?game=${game}`);
  byId("ending-puzzles").href = linkTo(`/puzzles?game=${game}`);
  showParts("ending");
  byId("ending-title").focus();
  scrollTo(0, 0);
}

byId("back").onclick = () => go(state.number - 1);
byId("skip").onclick = () => go(state.number + 1);
byId("next").onclick = () => go(state.number + 1);
byId("again").onclick = () => begin();
byId("show").onclick = showMove;
byId("watch").onclick = demonstrate;

try {
  if (game) {
    state.lesson = await fetchJson(`/api/lessons/${encodeURIComponent(game)}`);
    document.title = phrase("Learn {lesson} · pentad", { lesson: state.lesson.title });
    const at = progress()[game];
    const from = at && !at.done && at.step < state.lesson.steps.length ? at.step : 0;
    state.done = new Set(Array.from({ length: from }, (_, step) => step));
    await go(from, { focus: false });
  } else {
    await list();
  }
} catch (error) {
  notify(messageOf(error));
  if (game) await list().catch(() => showParts("overview"));
}
