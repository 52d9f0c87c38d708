// The form for a new game, built from the catalogue. The page loads it when it is opened.

import { byId, capitalize, dot, every, make, messageOf, save, saved } from "../dom.js";
import { optionRow, withAbout } from "../options.js";
import { loadPicture, pathOfPosition, pictureOf } from "../pictures.js";
import { fetchJson } from "../server.js";
import { OPEN } from "./sidebar.js";
import { defaultRequest, nameOfRules, preview, rulesOf, seatsIn, withSide } from "./requests.js";
import { RANDOM, fillClocks, fillSides } from "./terms.js";
import { ADAPTIVE, chosenOpponent, chosenStrength, gameNamed, keepChosen, levelName, levelsOf, opponentIn, opponentKind, press } from "./opponents.js";
import { phrase } from "../words.js";

/** @import { Catalogue, GameInfo, OptionAbout, OptionInfo, TimeInfo } from "../messages.d.ts" */
/** @import { Opponent } from "./opponents.js" */
/** @import { RoomRequest } from "./requests.js" */

const MORE = "more"; // stands for the other bots in a list

/** @param {string} label @param {number | undefined} rating */
const rated = (label, rating) => (rating === undefined ? label : phrase("{label} (Elo {rating})", { label, rating }));

// The bots besides the strengths, for a list.
/** @param {GameInfo} game */
function moreOpponents(game) {
  const offered = new Set(Object.values(game.strengths));
  return game.bots.map((bot) => {
    const levels = levelsOf(bot).map((level) => [`${bot.name}@${level}`, phrase("{bot}, {level}", { bot: bot.title, level: levelName(level) })]);
    const entries = [[bot.name, bot.title], ...levels].filter(([name]) => !offered.has(name));
    return make("optgroup", { label: capitalize(bot.summary) }, ...entries.map(([name, label]) => new Option(rated(label, game.ratings[name]), name)));
  });
}

export class NewGameForm {
  /** @type {Catalogue} */ #catalogue = { person: "", games: [], friends: true, friends_server: "" };
  /** @type {RoomRequest} */ #request = { game: "", options: {}, seats: [] };
  /** @type {(request: RoomRequest) => Promise<void>} */ #start;
  #busy = false;
  #visit = 0; // increases with every preview, to drop late answers
  /** @type {Map<string, Promise<Record<string, OptionAbout>>>} */ #about = new Map(); // each game has its options
  #dialog = byId("new-dialog");
  #isRandom = false; // whether chance decides which side the player has
  #hasMore = false; // whether the lists of seats have all bots, not the strengths of one alone

  // `start` is called with the request and returns a promise; its error is shown in the form.
  /** @param {(request: RoomRequest) => Promise<void>} start */
  constructor(start) {
    this.#start = start;
    for (const preset of every("[data-preset]")) {
      preset.addEventListener("click", () => this.#setOpponent(/** @type {Opponent} */ (preset.dataset.preset)));
    }
    for (const each of every("[data-strength]", byId("strength-choice"))) {
      each.addEventListener("click", () => this.#setOpponent("computer", each.dataset.strength));
    }
    byId("new-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    byId("new-cancel").addEventListener("click", () => this.#dialog.close());
    byId("more").addEventListener("toggle", () => this.#fillOptions());
  }

  // Opens the form, with all options if there is `more`.
  /** @param {Catalogue} catalogue @param {RoomRequest} request */
  open(catalogue, request, { more = false } = {}) {
    byId("own-name").value = saved("name", "");
    this.#catalogue = catalogue;
    this.#request = structuredClone(request);
    this.#fill({ keepOpen: more });
    this.#dialog.showModal();
  }

  // Chooses another game, with the same kind of opponent and the same time control.
  /** @param {string} name */
  #choose(name) {
    const { time, seats } = this.#request;
    const { opponent, strength } = this.#opponent();
    const side = Math.max(0, seats.indexOf(this.#catalogue.person));
    this.#request = defaultRequest(this.#catalogue, {
      game: name, opponent: opponent ?? chosenOpponent(), strength: strength ?? chosenStrength(), side, clock: time ?? null,
    });
    this.#fill();
  }

  #opponent() {
    return opponentKind(this.#request.seats, this.#game, this.#catalogue.person);
  }

  /** @param {TimeInfo | null | undefined} time */
  #setTime(time) {
    if (time) this.#request.time = time;
    else delete this.#request.time;
  }

  // Fills all seats but the player's: with the computer, a friend with the link, or people at this screen.
  /** @param {Opponent} opponent */
  #setOpponent(opponent, strength = this.#opponent().strength ?? chosenStrength()) {
    const { person } = this.#catalogue;
    keepChosen({ opponent, strength: opponent === "computer" ? strength : undefined });
    const own = Math.max(0, this.#request.seats.indexOf(person));
    this.#request.seats = this.#request.seats.map((_, seat) => (seat === own ? person : opponentIn(opponent, this.#game, person, strength)));
    this.#fillSeats();
  }

  // Sets the options to those of a preset; the players at the seats stay as far as there are seats.
  /** @param {Record<string, boolean | number | string>} options */
  #setOptions(options) {
    this.#request.options = { ...options };
    this.#fill({ keepOpen: byId("more").open });
  }

  get #game() {
    return gameNamed(this.#catalogue, this.#request.game);
  }

  #fill({ keepOpen = false } = {}) {
    const game = this.#game;
    byId("game-row").hidden = this.#catalogue.games.length < 2;
    if (byId("game-choice").childElementCount !== this.#catalogue.games.length) {
      byId("game-choice").replaceChildren(...this.#catalogue.games.map((each) => this.#gameChoice(each)));
    }
    for (const each of /** @type {HTMLInputElement[]} */ (every("[name=game-choice]"))) each.checked = each.value === game.name;
    byId("more").open = keepOpen || nameOfRules(game, this.#request.options) === null;
    this.#fillOptions();
    this.#fillPresets();
    this.#fillTime();
    this.#fillSeats();
    this.#showChosen();
  }

  // Fills in all options, each with a sentence, when they are shown.
  async #fillOptions() {
    if (!byId("more").open) return;
    const game = this.#game;
    const about = await this.#aboutOptions(game.name).catch(() => /** @type {Record<string, OptionAbout>} */ ({}));
    if (game !== this.#game) return;
    /** @param {OptionInfo} option */
    const changed = (option) => {
      if (option.name === "players") this.#fillSeats();
      this.#fillPresets();
      this.#showChosen();
    };
    /** @param {OptionInfo} option */
    const row = (option) => withAbout(optionRow(option, this.#request.options, changed), about[option.name]);
    /** @param {OptionInfo} option */
    const isPlayers = (option) => option.name === "players";
    byId("players-row").replaceChildren(...game.options.filter(isPlayers).map(row));
    const others = game.options.filter((option) => !isPlayers(option));
    byId("option-rows").replaceChildren(...others.map(row));
  }

  /** @param {string} name */
  #aboutOptions(name) {
    const known = this.#about.get(name) ?? fetchJson(/** @type {const} */ (`/api/games/${encodeURIComponent(name)}/options`));
    this.#about.set(name, known);
    known.catch(() => this.#about.delete(name));
    return known;
  }

  // Shows the board and the rules with the chosen options, or what is wrong with them.
  async #showChosen() {
    const mine = ++this.#visit;
    try {
      const { start, guide } = await preview(this.#request, false);
      if (mine !== this.#visit) return;
      this.#fail("");
      byId("new-guide").textContent = guide;
      await loadPicture(byId("new-board"), pathOfPosition(start));
    } catch (error) {
      if (mine === this.#visit) this.#fail(messageOf(error));
    }
  }

  /** @param {GameInfo} game */
  #gameChoice({ name, title }) {
    const choose = () => this.#choose(name);
    const input = make("input", { type: "radio", name: "game-choice", value: name, className: "visually-hidden", onchange: choose });
    const picture = make("img", { src: pictureOf(name), alt: "", width: 96, height: 96 });
    return make("label", { className: "radio" }, input, picture, make("span", {}, title));
  }

  // The game's usual rules, and options under a name of their own.
  #fillPresets() {
    const rules = rulesOf(this.#game);
    const chosen = nameOfRules(this.#game, this.#request.options);
    const buttons = rules.map(([name, options]) =>
      make("button", { type: "button", ariaPressed: String(name === chosen), onclick: () => this.#setOptions(options) }, name),
    );
    byId("rule-presets").replaceChildren(...(rules.length > 1 ? buttons : []));
  }

  #fillTime() {
    fillClocks(byId("time"), this.#request.time ?? null, { days: this.#catalogue.friends }, (clock) => this.#setTime(clock));
  }

  // Fills in the sides; the seats say which one the player has, unless it is left to chance.
  #fillSides() {
    const { seats } = this.#request;
    const { person } = this.#catalogue;
    const names = seats.map((_, seat) => capitalize(this.#game.colours[seat]));
    byId("side-row").hidden = seats.filter((who) => who === person).length !== 1;
    fillSides(byId("new-side"), names, this.#isRandom ? RANDOM : Math.max(0, seats.indexOf(person)), (side) => {
      this.#isRandom = side === RANDOM;
      if (!this.#isRandom) this.#request.seats = withSide(this.#request.seats, person, side);
      this.#fillSeats();
    });
  }

  #fillSeats() {
    const { person } = this.#catalogue;
    const game = this.#game;
    const { seats, options } = this.#request;
    const count = seatsIn(game, options);
    const own = seats.indexOf(person);
    const other = seats.findLast((_, seat) => seat !== own) ?? game.default_opponent;
    seats.length = Math.min(seats.length, count);
    if (own >= count) seats[count - 1] = person;
    while (seats.length < count) seats.push(other);
    const rows = seats.map((who, seat) => {
      const label = document.createElement("label");
      label.className = "row";
      const colour = document.createElement("span");
      colour.append(dot(game.colours[seat]), capitalize(game.colours[seat]));
      const select = document.createElement("select");
      select.name = `seat${seat}`;
      select.append(new Option("Player at this screen", person));
      if (this.#catalogue.friends) select.append(new Option("Friend with the link", OPEN));
      const strengths = Object.entries(game.strengths).map(([word, name]) => new Option(rated(capitalize(word), game.ratings[name]), name));
      select.append(make("optgroup", { label: "Computer" }, ...strengths, new Option("Your strength", ADAPTIVE)));
      if (who !== ADAPTIVE && ![...select.options].some((each) => each.value === who)) this.#hasMore = true;
      if (this.#hasMore) select.append(...moreOpponents(game));
      else select.append(new Option("More opponents…", MORE));
      select.value = who;
      select.addEventListener("change", () => {
        if (select.value === MORE) return this.#showMore(seat);
        seats[seat] = select.value;
        this.#showOpen();
        return undefined;
      });
      label.append(colour, select);
      return label;
    });
    byId("seat-rows").replaceChildren(...rows);
    this.#showOpen();
  }

  // Fills the lists with all bots, and leads on to that of a seat.
  /** @param {number} seat */
  #showMore(seat) {
    this.#hasMore = true;
    this.#fillSeats();
    /** @type {HTMLSelectElement} */ (every(`[name=seat${seat}]`)[0]).focus();
  }

  // Shows the fields that only matter with an open seat.
  #showOpen() {
    const open = this.#request.seats.includes(OPEN);
    this.#fillSides();
    byId("name-row").hidden = !open;
    byId("listed-row").hidden = !open;
    const { opponent, strength } = this.#opponent();
    press("preset", opponent);
    press("strength", strength, byId("strength-choice"));
    byId("strength-choice").hidden = opponent !== "computer";
    if (opponent === null) byId("more").open = true; // only the seats say who plays
  }

  async #submit() {
    if (this.#busy) return; // it was a double click
    this.#busy = true;
    try {
      const request = structuredClone(this.#request);
      if (this.#isRandom && !byId("side-row").hidden) request.seats = withSide(request.seats, this.#catalogue.person, RANDOM);
      if (request.seats.includes(OPEN)) {
        request.name = byId("own-name").value;
        save("name", request.name);
        request.listed = byId("listed").checked;
      }
      await this.#start(request);
      this.#dialog.close();
    } catch (error) {
      this.#fail(messageOf(error));
    } finally {
      this.#busy = false;
    }
  }

  /** @param {string} text */
  #fail(text) {
    const line = byId("new-error");
    line.textContent = text;
    line.hidden = !text;
    if (text) line.scrollIntoView({ block: "nearest" });
  }
}
