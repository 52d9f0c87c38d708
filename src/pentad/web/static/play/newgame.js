// The form for a new game, made from the catalogue; and asking the server for a room.

import { ask, byId, capital, dot, keep, kept, make } from "/static/dom.js";
import { optionRow, valueOf } from "/static/options.js";
import { OPEN } from "/static/play/side.js";
import { againstWhom, rivalIn } from "/static/play/start.js";

export const catalogue = () => ask("/api/games");

// A new room; throws an error whose message is the server's own line.
export const makeRoom = async (wish) => (await ask("/api/rooms", wish)).room;

// What a room would show that is made for this; none is.
export const preview = (wish, flip) => ask(`/api/preview?flip=${flip}`, wish);

const ADAPTIVE = "adaptive"; // what the server calls a bot that is as strong as the person who asks

const MINUTE = 60;
const TIMES = [
  ["No clock", null],
  ["1 min", { main: MINUTE }],
  ["3 min + 2 s a move", { main: 3 * MINUTE, increment: 2 }],
  ["5 min + 3 s a move", { main: 5 * MINUTE, increment: 3 }],
  ["10 min + 5 s a move", { main: 10 * MINUTE, increment: 5 }],
  ["30 min", { main: 30 * MINUTE }],
  ["1 day a move", { days: 1 }],
  ["3 days a move", { days: 3 }],
  ["7 days a move", { days: 7 }],
];

// Whether two times are one; what is not said of one is nothing.
const PARTS = ["main", "increment", "days"];
const isSame = (one, other) => PARTS.every((part) => (one?.[part] ?? 0) === (other?.[part] ?? 0));

function inWords({ main = 0, increment = 0, days = 0 }) {
  if (days) return `${days} days a move`;
  return [`${Math.round((100 * main) / MINUTE) / 100} min`, increment ? `${increment} s a move` : ""].filter(Boolean).join(" + ");
}

// What the page opens with: a game as it comes, a person first, its usual rival at every other seat.
export function firstWish({ games, person }, name = games[0].name, against = "computer") {
  const game = games.find((each) => each.name === name) ?? games[0];
  const rival = rivalIn(against, game, person);
  return { game: game.name, options: {}, seats: [person, ...Array(game.players - 1).fill(rival)] };
}

export class NewGameForm {
  #catalogue;
  #wish;
  #start;
  #busy = false;
  #dialog = byId("new-dialog");

  // `start` gets the wish and returns a promise; its error stays in the form.
  constructor(start) {
    this.#start = start;
    for (const preset of document.querySelectorAll("[data-preset]")) {
      preset.addEventListener("click", () => this.#preset(preset.dataset.preset));
    }
    byId("new-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    byId("new-cancel").addEventListener("click", () => this.#dialog.close());
  }

  open(catalogue, wish) {
    byId("own-name").value = kept("name", "");
    this.#catalogue = catalogue;
    this.#wish = structuredClone(wish);
    this.#fill();
    this.#dialog.showModal();
  }

  // Another game: against the same kind of rival, in the same time.
  #choose(name) {
    const { time } = this.#wish;
    this.#wish = firstWish(this.#catalogue, name, this.#against() ?? undefined);
    this.#setTime(time);
    this.#fill();
  }

  #against() {
    return againstWhom(this.#wish.seats, this.#game, this.#catalogue.person);
  }

  #setTime(time) {
    if (time) this.#wish.time = time;
    else delete this.#wish.time;
  }

  // Who sits at all seats but the first: the game's usual rival, whoever has the link, or people at this screen.
  #preset(name) {
    const { person } = this.#catalogue;
    this.#wish.seats = this.#wish.seats.map((_, seat) => (seat ? rivalIn(name, this.#game, person) : person));
    this.#fillSeats();
  }

  get #game() {
    return this.#catalogue.games.find((each) => each.name === this.#wish.game);
  }

  #fill() {
    const game = this.#game;
    byId("game-row").hidden = this.#catalogue.games.length < 2;
    if (byId("game-choice").childElementCount !== this.#catalogue.games.length) {
      byId("game-choice").replaceChildren(...this.#catalogue.games.map((each) => this.#gameChoice(each)));
    }
    for (const each of document.querySelectorAll("[name=game-choice]")) each.checked = each.value === game.name;
    const changed = (option) => option.name === "players" && this.#fillSeats();
    const row = (option) => optionRow(option, this.#wish.options, changed);
    const isPlayers = (option) => option.name === "players";
    byId("players-row").replaceChildren(...game.options.filter(isPlayers).map(row));
    const others = game.options.filter((option) => !isPlayers(option));
    byId("option-rows").replaceChildren(...others.map(row));
    byId("more").open = others.some((option) => valueOf(option, this.#wish.options) !== option.default);
    this.#fillTime();
    this.#fillSeats();
    this.#fail("");
  }

  #gameChoice({ name, title }) {
    const choose = () => this.#choose(name);
    const input = make("input", { type: "radio", name: "game-choice", value: name, className: "unseen", onchange: choose });
    return make("label", { className: "radio" }, input, make("span", {}, title));
  }

  // The time of the wish among the usual ones, or behind them where it is another.
  #fillTime() {
    const { time } = this.#wish;
    const times = TIMES.some(([, each]) => isSame(each, time)) ? TIMES : [...TIMES, [inWords(time), time]];
    byId("time").replaceChildren(...times.map(([words], i) => new Option(words, String(i))));
    byId("time").value = String(times.findIndex(([, each]) => isSame(each, time)));
    byId("time").onchange = ({ target }) => this.#setTime(times[target.value][1]);
  }

  #fillSeats() {
    const { person } = this.#catalogue;
    const game = this.#game;
    const count = this.#wish.options.players ?? game.players;
    const { seats } = this.#wish;
    seats.length = Math.min(seats.length, count);
    while (seats.length < count) seats.push(game.rival);
    const rows = seats.map((who, seat) => {
      const label = document.createElement("label");
      label.className = "row";
      const words = document.createElement("span");
      words.append(dot(game.colours[seat]), capital(game.colours[seat]));
      const select = document.createElement("select");
      select.name = `seat${seat}`;
      select.append(new Option("Person here", person), new Option("Friend by link", OPEN));
      select.append(new Option("Computer, as strong as you", ADAPTIVE));
      for (const bot of game.bots) {
        select.append(new Option(`${capital(bot.name)}: ${bot.summary}`, bot.name));
        const [lowest, highest] = bot.levels ?? [1, 0];
        for (let level = lowest; level <= highest; level++) {
          select.append(new Option(`${capital(bot.name)}, level ${level}`, `${bot.name}@${level}`));
        }
      }
      select.value = who;
      select.addEventListener("change", () => {
        seats[seat] = select.value;
        this.#showOpen();
      });
      label.append(words, select);
      return label;
    });
    byId("seat-rows").replaceChildren(...rows);
    this.#showOpen();
  }

  // What only matters where a seat is for somebody else.
  #showOpen() {
    const open = this.#wish.seats.includes(OPEN);
    byId("name-row").hidden = !open;
    byId("listed-row").hidden = !open;
    const against = this.#against();
    for (const each of document.querySelectorAll("[data-preset]")) each.ariaPressed = String(each.dataset.preset === against);
  }

  async #submit() {
    if (this.#busy) return; // pressed twice
    this.#busy = true;
    try {
      const wish = structuredClone(this.#wish);
      if (wish.seats.includes(OPEN)) {
        wish.name = byId("own-name").value;
        keep("name", wish.name);
        wish.listed = byId("listed").checked;
      }
      await this.#start(wish);
      this.#dialog.close();
    } catch (error) {
      this.#fail(error.message);
    } finally {
      this.#busy = false;
    }
  }

  #fail(text) {
    const line = byId("new-error");
    line.textContent = text ? `${capital(text)}.` : "";
    line.hidden = !text;
    if (text) line.scrollIntoView({ block: "nearest" });
  }
}
