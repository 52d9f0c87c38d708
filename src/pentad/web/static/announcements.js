// What the operators of the server tell everybody, on every page: a notice, which can be dismissed, and the countdown to
// maintenance. A page has it from its start, and asks for it again from time to time; a game's socket brings it at once.

import { announce, byId, every, save, saved } from "./dom.js";
import { fetchJson } from "./server.js";
import { phrase } from "./words.js";

/** @import { Announcements } from "./messages.d.ts" */
/** @import { Timer } from "./dom.js" */

const POLL = 60_000; // milliseconds until the server is asked again
const POLL_CLOSED = 15_000; // the same while it closes or is closed
const DISMISSED = "dismissed notice"; // the name under which this browser keeps the time of that notice

const meta = /** @type {HTMLMetaElement | null} */ (document.querySelector("meta[name=pentad-announcements]"));
/** @type {Announcements | null} */ let current = null;
let received = 0; // by the page's clock
/** @type {Timer} */ let timer = 0;
/** @type {Timer} */ let ticking = 0;
/** @type {Array<(taken: boolean) => void>} */ const readers = [];

// Calls back with whether somebody reads reports, now and after each change.
/** @param {(taken: boolean) => void} reader */
export function whetherReportsAreRead(reader) {
  readers.push(reader);
  reader(current?.reports ?? false);
}

// Shows announcements that have arrived.
/** @param {Announcements} announcements */
export function showAnnouncements(announcements) {
  const before = current;
  current = announcements;
  received = performance.now();
  const { notice, closing } = announcements;
  const isShown = notice !== null && saved(DISMISSED, 0) !== notice.at;
  byId("notice").hidden = !isShown;
  byId("notice-text").textContent = notice?.text ?? "";
  byId("closing").hidden = !closing;
  byId("announcements").hidden = !isShown && !closing;
  clearInterval(ticking);
  if (closing) {
    tick();
    ticking = setInterval(tick, 1000);
  }
  if (before && notice && isShown && notice.at !== before.notice?.at) announce(notice.text);
  if (closing && closing.at !== before?.closing?.at) announce(closingText());
  for (const reader of readers) reader(announcements.reports);
  askLater();
}

const secondsLeft = () => Math.max(0, Math.ceil((current?.closing?.left ?? 0) - (performance.now() - received) / 1000));

function closingText() {
  const more = current?.closing?.text ?? "";
  const left = secondsLeft();
  if (!left) return ["The server is closed for maintenance. Games are saved, and go on when it opens.", more].filter(Boolean).join(" ");
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  return [phrase("The server closes for maintenance in {time}. Games are saved, and go on when it opens.", { time }), more].filter(Boolean).join(" ");
}

function tick() {
  byId("closing").textContent = closingText();
}

// Asks the server again after a while, later if nobody looks at the page.
function askLater() {
  clearTimeout(timer);
  timer = setTimeout(ask, (current?.closing ? POLL_CLOSED : POLL) * (0.8 + 0.4 * Math.random()));
}

async function ask() {
  if (document.hidden) return;
  try {
    showAnnouncements(await fetchJson("/api/announcements"));
  } catch {
    askLater(); // the page says itself that it has no connection
  }
}

if (meta) {
  byId("notice-dismiss").addEventListener("click", () => {
    save(DISMISSED, current?.notice?.at ?? 0);
    if (current) showAnnouncements({ ...current, closing: current.closing && { ...current.closing, left: secondsLeft() } });
    /** @type {HTMLElement} */ (every(".top a")[0]).focus(); // the button that had it is gone
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    if (performance.now() - received > POLL) ask();
    else askLater();
  });
  showAnnouncements(JSON.parse(meta.content));
}
