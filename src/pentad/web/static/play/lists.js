// Lists of games: those that wait for somebody, and one's own.

import { ask, byId, make } from "/static/dom.js";
import { PERSON } from "/static/play/side.js";

export async function openGames() {
  const dialog = byId("games-dialog");
  for (const name of ["lobby", "mine"]) byId(name).replaceChildren(make("li", {}, "…"));
  dialog.showModal();
  await Promise.all([fill("lobby", "Nobody waits just now."), fill("mine", "None yet.")]);
}

// How many of one's own games with others wait for oneself, but for one that is looked at.
export async function gamesThatWait(room) {
  const games = await ask("/api/mine");
  return games.filter((game) => game.waits && game.room !== room).length;
}

async function fill(name, none) {
  let rows;
  try {
    const games = await ask(`/api/${name}`);
    rows = games.map(row);
  } catch (error) {
    rows = [make("li", {}, error.message)];
  }
  byId(name).replaceChildren(...(rows.length ? rows : [make("li", { className: "soft" }, none)]));
}

function row(game) {
  const called = (seat, i) => (game.yours.includes(i) ? "you" : seat === PERSON ? "person" : seat || "free seat");
  const players = game.seats.map(called).join(" – ");
  const moves = game.moves === 1 ? "1 move" : `${game.moves} moves`;
  const more = [game.options, game.time, game.result ?? moves].filter(Boolean).join(" · ");
  const turn = game.waits ? make("strong", { className: "turn" }, "Your turn") : "";
  const link = make("a", { href: game.page }, make("b", {}, game.title), ` ${players} `, turn, make("small", {}, more));
  return make("li", {}, link);
}
