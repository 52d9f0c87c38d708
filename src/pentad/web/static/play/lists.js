// Lists of games: those that wait for somebody, and one's own.

import { ask, byId, make } from "/static/dom.js";
import { PERSON } from "/static/play/side.js";

export async function openGames() {
  const dialog = byId("games-dialog");
  for (const name of ["lobby", "mine"]) byId(name).replaceChildren(make("li", {}, "…"));
  dialog.showModal();
  await Promise.all([fill("lobby", "Nobody waits just now."), fill("mine", "None yet.")]);
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
  const link = make("a", { href: game.page }, make("b", {}, game.title), ` ${players}`, make("small", {}, more));
  return make("li", {}, link);
}
