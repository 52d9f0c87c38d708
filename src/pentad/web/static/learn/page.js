// The Learn page: the list of lessons, and a lesson step by step. The server checks every move.

import { byId, decoded, fetchJson, make, notify, save, saved } from "../dom.js";
import { Exercise, wait } from "./exercise.js";

const PROGRESS = "lessons"; // game → { step: the current one, done: whether the lesson was finished }
const game = decoded(location.pathname.split("/")[2] ?? "");
const progress = () => saved(PROGRESS, {});

let lesson = null;
let number = 0;
let visit = 0; // increases with every step shown, to drop late answers
let done = new Set();

const exercise = new Exercise({ moved: (answer) => check(answer.moved) });

function saveProgress(change) {
  const all = progress();
  all[game] = { step: 0, done: false, ...all[game], ...change };
  save(PROGRESS, all);
}

function show(...names) {
  for (const name of ["overview", "task", "board", "side", "ending"]) byId(name).hidden = !names.includes(name);
}

// ── the list ──

async function list() {
  const lessons = await fetchJson("/api/lessons");
  const all = progress();
  byId("lessons").replaceChildren(
    ...lessons.map((each) => {
      const at = all[each.game];
      const mark = at?.done ? "Done ✓" : at?.step ? `Continue at step ${at.step + 1} of ${each.steps}` : `${each.steps} steps`;
      return make(
        "li",
        {},
        make(
          "a",
          { href: `/learn/${each.game}` },
          make("b", {}, each.title),
          make("span", {}, each.summary),
          make("span", { className: at?.done ? "done-mark" : "soft" }, mark),
        ),
      );
    }),
  );
  show("overview");
}

// ── a step ──

async function go(to, { focus = true } = {}) {
  if (to >= lesson.steps.length) return finish();
  number = to;
  visit += 1;
  const step = lesson.steps[number];
  saveProgress({ step: number });
  byId("place").textContent = `${lesson.title} · step ${number + 1} of ${lesson.steps.length}`;
  byId("headline").textContent = step.title;
  byId("task-text").textContent = step.words;
  show("task", "board", "side");
  await begin();
  if (focus) byId("headline").focus({ preventScroll: true });
  if (focus) scrollTo(0, 0);
}

async function begin() {
  const step = lesson.steps[number];
  exercise.showFeedback("");
  buttons({ show: step.touch.length > 0, watch: step.show.length > 0 });
  await exercise.start(step.position, { locked: step.show.length > 0 });
}

function buttons({ show = false, watch = false, again = false, next = false }) {
  byId("back").hidden = number === 0;
  byId("show").hidden = !show;
  byId("watch").hidden = !watch;
  byId("again").hidden = !again;
  byId("next").hidden = !next;
  byId("next").textContent = number + 1 === lesson.steps.length ? "Finish" : "Next";
  byId("skip").hidden = next;
  byId("progress").replaceChildren(
    ...lesson.steps.map((step, i) => {
      const classes = done.has(i) ? "done" : "";
      const dot = make("button", { type: "button", className: classes, title: step.title, onclick: () => go(i) }, `${i + 1}`);
      dot.setAttribute("aria-label", `Step ${i + 1}: ${step.title}${done.has(i) ? ", done" : ""}`);
      if (i === number) dot.setAttribute("aria-current", "step");
      return make("li", {}, dot);
    }),
  );
}

async function check(move) {
  const mine = visit;
  try {
    const answer = await fetchJson("/api/lessons/check", { game, step: number, move });
    if (mine !== visit) return;
    await exercise.showMove(answer.position, answer.move);
    if (mine !== visit) return;
    exercise.showFeedback(answer.words, !answer.right);
    if (answer.right) right();
    else buttons({ again: true, show: lesson.steps[number].touch.length > 0 });
    byId(answer.right ? "next" : "again").focus({ preventScroll: true });
  } catch (error) {
    notify(error.message);
    begin();
  }
}

function right() {
  done.add(number);
  buttons({ next: true, again: lesson.steps[number].show.length > 0 });
}

async function watch() {
  const mine = visit;
  const step = lesson.steps[number];
  buttons({});
  for (const each of step.show) {
    await exercise.showMove(each.position, each.move);
    await wait(900);
    if (mine !== visit) return;
  }
  exercise.showFeedback(step.right);
  right();
  byId("next").focus({ preventScroll: true });
}

async function showMove() {
  const step = lesson.steps[number];
  if (!byId("again").hidden) await begin();
  exercise.point(step.touch);
  exercise.showFeedback(`Follow the ring on the board: ${step.touch.map((each) => each.label).join(", then ")}.`);
}

function finish() {
  saveProgress({ step: 0, done: progress()[game]?.done || done.size === lesson.steps.length });
  byId("ending-title").textContent = `${lesson.title}: lesson finished`;
  byId("ending-play").href = `/?game=${game}`;
  byId("ending-puzzles").href = `/puzzles?game=${game}`;
  show("ending");
  byId("ending-title").focus();
  scrollTo(0, 0);
}

byId("back").onclick = () => go(number - 1);
byId("skip").onclick = () => go(number + 1);
byId("next").onclick = () => go(number + 1);
byId("again").onclick = () => begin();
byId("show").onclick = showMove;
byId("watch").onclick = watch;

try {
  if (game) {
    lesson = await fetchJson(`/api/lessons/${encodeURIComponent(game)}`);
    document.title = `Learn ${lesson.title} · pentad`;
    const at = progress()[game];
    const from = at && !at.done && at.step < lesson.steps.length ? at.step : 0;
    done = new Set(Array.from({ length: from }, (_, step) => step));
    await go(from, { focus: false });
  } else {
    await list();
  }
} catch (error) {
  notify(error.message);
  if (game) await list().catch(() => show("overview"));
}
