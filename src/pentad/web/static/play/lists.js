// Lists of games: those that wait for somebody, and one's own.

import { ask, byId, capital, make } from "/static/dom.js";
import { words as timeInWords } from "/static/play/clocks.js";
import { PERSON } from "/static/play/side.js";

const RECENT = 24 * 3600; // seconds in which one comes back to a game with the computer

export async function openGames() {
  const dialog = byId("games-dialog");
  for (const name of ["lobby", "mine"]) byId(name).replaceChildren(make("li", {}, "…"));
  byId("more-games").hidden = true;
  dialog.showModal();
  await Promise.all([fill("lobby", "Nobody waits just now."), fill("mine", "None yet.")]);
}

// How many of one's own games with others wait for oneself, but for one that is looked at.
export async function gamesThatWait(room) {
  const games = await ask("/api/mine");
  return games.filter((game) => game.waits && game.room !== room).length;
}

// The room of a game to go on with: one with others that waits for oneself, the most urgent first; else a recent one
// with the computer. Null if there is none.
export async function gameToGoOn() {
  const games = await ask("/api/mine");
  const isRecent = (game) => game.moves > 0 && game.touched > Date.now() / 1000 - RECENT;
  const next = games.find((game) => game.waits) ?? games.find((game) => game.yours.includes(game.turn) && isRecent(game));
  return next?.room ?? null;
}

async function fill(name, none) {
  let rows;
  try {
    const games = await ask(`/api/${name}`);
    rows = games.map(row);
    if (name === "mine") offerMore(games);
  } catch (error) {
    rows = [make("li", {}, error.message)];
  }
  byId(name).replaceChildren(...(rows.length ? rows : [make("li", { className: "soft" }, none)]));
}

// The rest of one's own games, so many at a time.
function offerMore(games) {
  const more = byId("more-games");
  const last = games.at(-1);
  more.hidden = !last?.cursor;
  more.disabled = false;
  more.onclick = async () => {
    more.disabled = true;
    try {
      const next = await ask(`/api/mine?after=${encodeURIComponent(last.cursor)}`);
      const rows = next.map(row);
      byId("mine").append(...rows);
      offerMore(next);
      rows[0]?.querySelector("a").focus();
    } catch (error) {
      more.disabled = false;
      byId("mine").append(make("li", {}, `${capital(error.message)}.`));
    }
  };
}

function row(game) {
  const called = (seat, i) => (game.yours.includes(i) ? "you" : seat === PERSON ? "person" : seat || "free seat");
  const players = game.seats.map(called).join(" – ");
  const moves = game.moves === 1 ? "1 move" : `${game.moves} moves`;
  const left = game.left !== null && game.yours.includes(game.turn) ? `${timeInWords(Math.max(10, game.left), game.left > 2 * 3600)} left` : "";
  const more = [game.options, game.time, game.result ?? moves, left].filter(Boolean).join(" · ");
  const turn = game.yours.includes(game.turn) ? make("strong", { className: "turn" }, "Your turn") : "";
  const link = make("a", { href: game.page }, make("b", {}, game.title), ` ${players} `, turn, make("small", {}, more));
  return make("li", {}, link);
}
