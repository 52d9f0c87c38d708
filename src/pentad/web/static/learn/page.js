// Lessons: a step at a time, each with something to do that the server checks by the rules.

import { ask, byId, decoded, keep, kept, make, tell } from "/static/dom.js";
import { Teaching, wait } from "/static/learn/teaching.js";

const PROGRESS = "lessons"; // game → { step: the furthest seen, done: whether the end was reached }
const game = decoded(location.pathname.split("/")[2] ?? "");
const progress = () => kept(PROGRESS, {});

let lesson = null;
let number = 0;
let shown = 0; // so that what belongs to a step that was left is known as such
let done = new Set();

const teaching = new Teaching({ moved: (told) => check(told.moved) });

function noted(change) {
  const all = progress();
  all[game] = { step: 0, done: false, ...all[game], ...change };
  keep(PROGRESS, all);
}

function show(...names) {
  for (const name of ["overview", "telling", "board", "side", "ending"]) byId(name).hidden = !names.includes(name);
}

// ── the list ──

async function list() {
  const lessons = await ask("/api/lessons");
  const been = progress();
  byId("lessons").replaceChildren(
    ...lessons.map((each) => {
      const at = been[each.game];
      const mark = at?.done ? "Done ✓" : at?.step ? `Go on at step ${at.step + 1} of ${each.steps}` : `${each.steps} steps`;
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
  shown += 1;
  const step = lesson.steps[number];
  noted({ step: number });
  byId("place").textContent = `${lesson.title} · step ${number + 1} of ${lesson.steps.length}`;
  byId("headline").textContent = step.title;
  byId("words").textContent = step.words;
  show("telling", "board", "side");
  await begin();
  if (focus) byId("headline").focus({ preventScroll: true });
  if (focus) scrollTo(0, 0);
}

async function begin() {
  const step = lesson.steps[number];
  teaching.say("");
  buttons({ show: step.touch.length > 0, watch: step.show.length > 0 });
  await teaching.start(step.position, { still: step.show.length > 0 });
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
  const here = shown;
  try {
    const told = await ask("/api/lessons/check", { game, step: number, move });
    if (here !== shown) return;
    await teaching.look(told.position, told.move);
    if (here !== shown) return;
    teaching.say(told.words, !told.right);
    if (told.right) right();
    else buttons({ again: true, show: lesson.steps[number].touch.length > 0 });
    byId(told.right ? "next" : "again").focus({ preventScroll: true });
  } catch (error) {
    tell(error.message);
    begin();
  }
}

function right() {
  done.add(number);
  buttons({ next: true, again: lesson.steps[number].show.length > 0 });
}

async function watch() {
  const here = shown;
  const step = lesson.steps[number];
  buttons({});
  for (const each of step.show) {
    await teaching.look(each.position, each.move);
    await wait(900);
    if (here !== shown) return;
  }
  teaching.say(step.right);
  right();
  byId("next").focus({ preventScroll: true });
}

async function point() {
  const step = lesson.steps[number];
  if (!byId("again").hidden) await begin();
  teaching.point(step.touch);
  teaching.say(`Follow the ring on the board: ${step.touch.map((each) => each.label).join(", then ")}`);
}

function finish() {
  noted({ step: 0, done: progress()[game]?.done || done.size === lesson.steps.length });
  byId("ending-title").textContent = `That is ${lesson.title}`;
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
byId("show").onclick = point;
byId("watch").onclick = watch;

try {
  if (game) {
    lesson = await ask(`/api/lessons/${encodeURIComponent(game)}`);
    document.title = `Learn ${lesson.title} · pentad`;
    const at = progress()[game];
    const from = at && !at.done && at.step < lesson.steps.length ? at.step : 0;
    done = new Set(Array.from({ length: from }, (_, step) => step));
    await go(from, { focus: false });
  } else {
    await list();
  }
} catch (error) {
  tell(error.message);
  if (game) await list().catch(() => show("overview"));
}
