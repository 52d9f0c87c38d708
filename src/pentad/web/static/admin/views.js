// The views of the operators' page: what the server answers, as elements. Names and texts of people are never parsed as HTML.

import { button, make } from "../dom.js";
import { dateOf } from "../games/rows.js";
import { act, ask } from "./actions.js";
import { phrase, plural } from "../words.js";

/** @import { BanView, ChatFound, GameFound, GameView, LoggedAction, OperatorView, PersonView, ReportView, SearchAnswer, StudyFound, StudyView } from "../messages.d.ts" */
/** @typedef {{ changed: () => void, gone: () => void, failed: (error: unknown) => void }} Desk what a view tells the page */

/** @type {Record<string, string>} */
const REASONS = {
  abuse: "Insults or threats",
  name: "An offensive name",
  spam: "Spam or advertising",
  cheating: "Help by an engine",
  content: "Something illegal",
  other: "Something else",
};

/** @param {number} at */
const time = (at) => make("time", { dateTime: new Date(at * 1000).toISOString() }, dateOf(at, new Date()));

// A time in the future, to the minute.
/** @param {number} at */
const momentOf = (at) => new Date(at * 1000).toLocaleString("en-GB", { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" });

/** @param {number | null} until */
const untilText = (until) => (until === null ? "for good" : phrase("until {time}", { time: momentOf(until) }));

/** @param {string} text */
const heading = (text) => make("h2", { tabIndex: -1 }, text);

/** @param {number | null} number @param {string} name */
const personLink = (number, name) => (number === null ? name || "somebody" : make("a", { href: `/admin/person/${number}` }, name || phrase("Person {number}", { number })));

/** @param {string} name */
const gameLink = (name) => make("a", { href: `/admin/game/${encodeURIComponent(name)}` }, phrase("Game {name}", { name }));

/** @param {string} href @param {string} text */
const openLink = (href, text) => make("a", { href, target: "_blank", rel: "noopener" }, text);

/** @param {HTMLElement[]} rows @param {string} nothing */
const entries = (rows, nothing) => (rows.length ? make("ul", { className: "entries", role: "list" }, ...rows) : make("p", { className: "soft" }, nothing));

/** @param {Array<Node | string | null>} text @param {HTMLElement[]} buttons */
const entry = (text, ...buttons) => make("li", {}, make("div", { className: "text" }, ...text), buttons.length ? make("div", { className: "do" }, ...buttons) : null);

// Elements with texts between them, in a line.
/** @param {Array<Node | string>} parts */
const line = (...parts) => make("span", {}, ...parts);

// A part of a view with its own heading, left out if it has nothing.
/** @param {string} title @param {HTMLElement[]} rows */
const part = (title, rows) => (rows.length ? [make("h3", {}, title), entries(rows, "")] : []);

// ── actions ──

/** @param {number} number @param {string} name @param {Desk} desk */
function personButtons(number, name, desk) {
  const target = String(number);
  const who = name || phrase("Person {number}", { number });
  return [
    button("Rename…", () => ask({ kind: "rename", target, title: phrase("Rename {who}", { who }), about: "The new name is shown in all games and chats.", words: "New name", text: name, button: "Rename" }, desk.changed)),
    button("Mute…", () => ask({ kind: "mute", target, title: phrase("Mute {who}", { who }), about: "A muted person can play, but not write in chats.", times: "For", button: "Mute" }, desk.changed)),
    button("Ban…", () => ask({ kind: "ban person", target, title: phrase("Ban {who}", { who }), about: "A banned person can only read.", times: "For", button: "Ban" }, desk.changed)),
  ];
}

/** @param {string | undefined} network @param {Desk} desk */
const networkButton = (network, desk) => button(network ? phrase("Ban {network}…", { network }) : "Ban a network…", () => ask({ kind: "ban network", target: network, title: network ? phrase("Ban {network}", { network }) : "Ban a network", about: "Everybody in a banned network can only read.", times: "For", button: "Ban" }, desk.changed));

/** @param {Parameters<typeof act>[0]} action @param {string} text @param {Desk} desk */
const atOnce = (action, text, desk) => button(text, () => act(action).then(desk.changed, desk.failed));

// ── entries ──

/** @param {GameFound} game */
const gameEntry = (game) =>
  entry([
    line(gameLink(game.name), phrase(": {title}", { title: game.title })),
    line(...game.seats.flatMap(({ person, name }, i) => [i ? ", " : "", personLink(person, name)])),
    make("small", {}, [plural(game.moves, "1 move", "{count} moves"), game.time, game.result ?? "running"].filter(Boolean).join(" · "), " · ", time(game.touched)),
  ]);

/** @param {ChatFound} chat @param {Desk} desk @param {{ ofGame?: boolean }} how */
const chatEntry = (chat, desk, { ofGame = false } = {}) =>
  entry(
    [line(make("b", {}, personLink(chat.person, chat.name), ": "), chat.text), make("small", {}, ofGame ? null : gameLink(chat.game), ofGame ? null : " · ", time(chat.at))],
    button("Remove…", () => ask({ kind: "remove chat", target: `${chat.game}/${chat.number}`, title: "Remove this message?", about: chat.text, button: "Remove" }, desk.changed), { ariaLabel: phrase("Remove the message {text}", { text: chat.text }) }),
  );

/** @param {StudyFound} study */
const studyEntry = (study) =>
  entry([
    make("a", { href: `/admin/study/${encodeURIComponent(study.name)}` }, study.title),
    make("small", {}, plural(study.chapters, "1 chapter", "{count} chapters"), " · ", time(study.created)),
  ]);

/** @param {BanView} ban @param {Desk} desk */
function banEntry(ban, desk) {
  const isMute = ban.kind === "mute";
  const whom = ban.network === null ? personLink(ban.person, ban.name) : ban.network;
  const kind = isMute ? "unmute" : ban.network === null ? "unban person" : "unban network";
  return entry(
    [line(make("b", {}, whom), isMute ? " is muted " : " is banned ", untilText(ban.until)), ban.reason || null, make("small", {}, phrase("{operator}, ", { operator: ban.operator }), time(ban.at))],
    atOnce({ kind, target: ban.network ?? String(ban.person) }, "Lift", desk),
  );
}

/** @param {ReportView} report @param {Desk} desk */
function reportEntry(report, desk) {
  const place = report.place === "game" ? gameLink(report.name) : make("a", { href: `/admin/study/${encodeURIComponent(report.name)}` }, phrase("Study {name}", { name: report.name }));
  const number = report.part ?? 0;
  const where = report.part === null ? "" : report.place === "game" ? phrase(", move {number}", { number }) : phrase(", chapter {number}", { number });
  const isChat = report.chat !== null;
  const buttons = report.done === null ? [atOnce({ kind: "handle report", target: String(report.number) }, "Handled", desk)] : [];
  if (isChat) buttons.unshift(button("Remove message…", () => ask({ kind: "remove chat", target: `${report.name}/${report.chat}`, title: "Remove this message?", about: report.quote, button: "Remove" }, desk.changed)));
  if (report.about !== null) buttons.unshift(...personButtons(report.about, report.about_name, desk).slice(1));
  return entry(
    [
      line(make("b", {}, REASONS[report.reason] ?? report.reason), report.about === null ? "" : " – ", report.about === null ? "" : personLink(report.about, report.about_name)),
      isChat ? make("blockquote", {}, report.quote) : null,
      report.text || null,
      line(place, where, " · ", openLink(report.page, "Open it")),
      make("small", {}, time(report.at), " · by ", personLink(report.reporter, ""), report.done === null ? "" : phrase(" · handled by {operator}", { operator: report.operator })),
    ],
    ...buttons,
  );
}

/** @param {LoggedAction} done */
const logEntry = (done) =>
  entry([
    line(make("b", {}, done.operator), phrase(": {kind} ", { kind: done.kind }), targetLink(done), done.until === null ? "" : ` ${untilText(done.until)}`, done.text ? phrase(": {text}", { text: done.text }) : ""),
    done.reason || null,
    make("small", {}, phrase("{number} · ", { number: done.number }), time(done.at)),
  ]);

/** @param {LoggedAction} done */
function targetLink({ kind, target }) {
  if (["rename", "mute", "unmute", "ban person", "unban person"].includes(kind)) return personLink(Number(target), "");
  return kind === "remove chat" ? gameLink(target.split("/")[0]) : target;
}

// ── views ──

/** @param {ReportView[]} reports @param {boolean} handled @param {Desk} desk */
export const reportsView = (reports, handled, desk) => [
  heading(handled ? "Handled reports" : "Reports"),
  make("p", {}, make("a", { href: handled ? "/admin/reports" : "/admin/reports?done=true" }, handled ? "Show those that wait" : "Show those that were handled")),
  entries(reports.map((each) => reportEntry(each, desk)), handled ? "No report was handled yet." : "No report is waiting."),
];

/** @param {BanView[]} bans @param {Desk} desk */
export const bansView = (bans, desk) => [heading("Bans"), make("div", {}, networkButton(undefined, desk)), entries(bans.map((each) => banEntry(each, desk)), "Nobody is banned or muted.")];

/** @param {OperatorView} view @param {Desk} desk */
export function serverView({ announcements: { notice, closing } }, desk) {
  const close = button("Close for maintenance…", () => ask({ kind: "close", target: "", title: "Close for maintenance", about: "All pages count down. Then games are saved, clocks stand still, and nobody can play until the server is opened again.", words: "What to say about it", times: "In", reason: false, button: "Close" }, desk.changed));
  const state = closing ? (closing.left ? "The server closes soon, as all pages say." : "The server is closed for maintenance.") : "The server is open.";
  return [
    heading("Server"),
    make("h3", {}, "Notice"),
    make("p", {}, notice ? notice.text : "There is no notice."),
    make("div", { className: "bar" },
      button("Show a notice…", () => ask({ kind: "notice", target: "", title: "Show a notice", about: "All pages show it to everybody until you clear it.", words: "Notice", text: notice?.text ?? "", reason: false, button: "Show" }, desk.changed)),
      notice ? atOnce({ kind: "clear notice" }, "Clear the notice", desk) : null),
    make("h3", {}, "Maintenance"),
    make("p", {}, state, closing?.text ? ` ${closing.text}` : ""),
    make("div", { className: "bar" }, close, closing ? atOnce({ kind: "open" }, closing.left ? "Stop the countdown" : "Open the server", desk) : null),
  ];
}

/** @param {LoggedAction[]} actions @param {() => void} more */
export const logView = (actions, more) => [heading("Log"), entries(actions.map(logEntry), "No operator has done anything yet."), ...(actions.length % 50 === 0 && actions.length ? [make("div", {}, button("Show more", more))] : [])];

/** @param {SearchAnswer} found @param {string} text @param {Desk} desk */
export function searchView({ people, games, studies, chat }, text, desk) {
  const persons = people.map((each) => entry([personLink(each.number, each.name), make("small", {}, phrase("Person {number} · ", { number: each.number }), plural(each.games, "1 game", "{count} games"))]));
  const parts = [...part("People", persons), ...part("Games", games.map(gameEntry)), ...part("Studies", studies.map(studyEntry)), ...part("Chat", chat.map((each) => chatEntry(each, desk)))];
  return [heading(phrase("Search: {text}", { text })), ...(parts.length ? parts : [make("p", { className: "soft" }, "Nothing found.")])];
}

/** @param {PersonView} person @param {Desk} desk */
export function personView(person, desk) {
  const rooms = person.rooms.map(({ name, network }) => entry([gameLink(name), make("small", {}, network ? phrase("from the network {network}", { network }) : "from the server's machine")], ...(network ? [networkButton(network, desk)] : [])));
  return [
    heading(person.name || phrase("Person {number}", { number: person.number })),
    make("p", { className: "soft" }, [phrase("Person {number}", { number: person.number }), ...(person.names.length > 1 ? [phrase("names: {names}", { names: person.names.join(", ") })] : [])].join(" · ")),
    make("div", { className: "bar" }, ...personButtons(person.number, person.name, desk)),
    ...part("Bans", person.bans.map((each) => banEntry(each, desk))),
    ...part("Here now", rooms),
    ...part("Reports about this person", person.reports.map((each) => reportEntry(each, desk))),
    ...part("Games", person.games.map(gameEntry)),
    ...part("Studies", person.studies.map(studyEntry)),
    ...part("Chat", person.chat.map((each) => chatEntry(each, desk))),
  ];
}

/** @param {GameView} view @param {Desk} desk */
export function gameView({ game, page, chat, reports }, desk) {
  const players = make("p", { className: "facts" }, line("Players: ", ...game.seats.flatMap(({ person, name }, i) => [i ? ", " : "", personLink(person, name)])));
  return [
    heading(phrase("{title}: {name}", { title: game.title, name: game.name })),
    players,
    make("p", { className: "soft" }, [plural(game.moves, "1 move", "{count} moves"), game.time, game.result ?? "running"].filter(Boolean).join(" · "), " · ", time(game.touched)),
    make("div", { className: "bar" },
      make("a", { className: "button", href: page, target: "_blank", rel: "noopener" }, "Open the game"),
      button("Remove game…", () => ask({ kind: "remove game", target: game.name, title: "Remove this game?", about: "The game and its chat are deleted for all players. This cannot be undone.", button: "Remove" }, desk.gone))),
    ...part("Reports", reports.map((each) => reportEntry(each, desk))),
    make("h3", {}, "Chat"),
    entries(chat.map((each) => chatEntry(each, desk, { ofGame: true })), "No messages."),
  ];
}

/** @param {StudyView} view @param {Desk} desk */
export const studyView = ({ study, page, titles, reports }, desk) => [
  heading(study.title),
  make("p", { className: "soft" }, phrase("Study {name} · ", { name: study.name }), plural(study.chapters, "1 chapter", "{count} chapters"), " · ", time(study.created)),
  make("div", { className: "bar" },
    make("a", { className: "button", href: page, target: "_blank", rel: "noopener" }, "Open the study"),
    button("Remove study…", () => ask({ kind: "remove study", target: study.name, title: "Remove this study?", about: "The study is deleted for everyone who has its link. This cannot be undone.", button: "Remove" }, desk.gone))),
  ...part("Reports", reports.map((each) => reportEntry(each, desk))),
  make("h3", {}, "Chapters"),
  make("ol", {}, ...titles.map((title) => make("li", {}, title))),
];
