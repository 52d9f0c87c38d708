// The opening tree: the moves played from the shown position, in the games that the site has and in files of the user.

import { button, byId, capitalize, make, messageOf } from "../dom.js";
import { fetchJson } from "../server.js";
import { decodedText } from "./files.js";
import { readParts } from "./games.js";
import { moveText, valuesOfTwo } from "./tree.js";
import { exactText, formatValue, valueText } from "./values.js";
import { phrase, plural } from "../words.js";

/** @import { BookInfo, BranchInfo, GamePlies, NamedMove, Openings as Answer } from "../messages.d.ts" */
/** @import { Node, Tree } from "./tree.js" */

const MAX_FILE_BYTES = 4 << 20;
const MAX_GAMES = 10_000; // the limit is for all files together
const MAX_SHOWN_MOVES = 30;
const MAX_CACHED_POSITIONS = 200;
const MOST_PERCENT = 18; // a narrower part of a bar has no number

/** @typedef {Pick<BranchInfo, "name" | "times" | "wins" | "draws" | "losses">} Branch a move, by its name in all symmetric positions */
/** @typedef {Answer & { moves: Map<string, NamedMove> }} Named the answer of the site, with moves by their names */

// How often a position's moves were played.
/** @param {number} times @param {number} count of games */
function playedText(times, count) {
  const games = plural(count, "1 game", "{count:,} games");
  if (!times) return phrase("Not played from this position in {games}.", { games });
  return plural(times, "Played 1 time from this position in {games}.", "Played {count:,} times from this position in {games}.", { games });
}

/** @param {number} wins @param {number} draws @param {number} losses */
const resultsText = (wins, draws, losses) => [
  plural(wins, "1 win", "{count:,} wins"),
  plural(draws, "1 draw", "{count:,} draws"),
  plural(losses, "1 loss", "{count:,} losses"),
].join(", ");

// Games by the positions in them.
export class GameIndex {
  /** @type {Map<string, Map<string, Branch>>} */ #positions = new Map();

  /** @param {GamePlies["games"]} games */
  constructor(games) {
    for (const game of games) {
      for (const { key, name, result } of game) {
        const branches = this.#positions.get(key) ?? new Map();
        this.#positions.set(key, branches);
        const branch = branches.get(name) ?? { name, times: 0, wins: 0, draws: 0, losses: 0 };
        branches.set(name, branch);
        branch.times += 1;
        if (result !== null) branch[result > 0 ? "wins" : result < 0 ? "losses" : "draws"] += 1;
      }
    }
  }

  /** @param {string} key */
  branches(key) {
    return [...(this.#positions.get(key)?.values() ?? [])];
  }
}

// The branches of several sources as one list, the most frequent first.
/** @param {Branch[]} all @returns {Branch[]} */
export function merged(all) {
  /** @type {Map<string, Branch>} */
  const found = new Map();
  for (const each of all) {
    const sum = found.get(each.name);
    if (!sum) found.set(each.name, { ...each });
    else for (const count of /** @type {const} */ (["times", "wins", "draws", "losses"])) sum[count] += each[count];
  }
  return [...found.values()].sort((one, other) => other.times - one.times || score(other) - score(one));
}

/** @param {Branch} branch */
function score({ wins, draws, losses }) {
  const results = wins + draws + losses;
  return results ? (wins + draws / 2) / results : 0.5;
}

export class Openings {
  /** @type {(move: string) => void} */ #play;
  /** @type {Tree | null} */ #tree = null;
  /** @type {Node | null} */ #node = null;
  /** @type {Map<string, { name: string, count: number, index: GameIndex }>} */ #files = new Map();
  /** @type {Map<string, Named>} */ #answers = new Map(); // of the site, by position
  #number = 0; // of the last request

  // `play` is called with a chosen move.
  /** @param {(move: string) => void} play */
  constructor(play) {
    this.#play = play;
    byId("openings-on").addEventListener("change", () => {
      byId("openings-body").hidden = !byId("openings-on").checked;
      this.#answers.clear(); // games may have ended meanwhile
      this.#update();
    });
    byId("openings-archive").addEventListener("change", () => this.#update());
    byId("openings-add").addEventListener("click", () => byId("openings-input").click());
    byId("openings-input").addEventListener("change", () => this.#add([...(byId("openings-input").files ?? [])]));
  }

  // Shows the moves played from the current position of a tree.
  /** @param {Tree} tree */
  show(tree) {
    const isNew = tree.here.position !== this.#node?.position;
    [this.#tree, this.#node] = [tree, tree.here];
    if (isNew) this.#update();
  }

  async #update() {
    if (!byId("openings-on").checked || !this.#node) return;
    const number = ++this.#number;
    const { position } = this.#node;
    let answer = this.#answers.get(position);
    try {
      while (!answer || (answer.waiting && byId("openings-archive").checked)) {
        const found = await fetchJson(`/api/study/openings?${new URLSearchParams({ position })}`);
        answer = { ...found, moves: new Map(found.branches.map((each) => [each.name, each])) };
        if (number !== this.#number) return;
        if (answer.waiting) await this.#draw(answer, position, number);
      }
      if (this.#answers.size >= MAX_CACHED_POSITIONS) this.#answers.clear();
      this.#answers.set(position, answer);
      await this.#draw(answer, position, number);
    } catch (error) {
      if (number === this.#number) byId("openings-note").textContent = messageOf(error);
    }
  }

  /** @param {Named} answer @param {string} position @param {number} number of the request */
  async #draw({ key, games, waiting, branches, moves, book }, position, number) {
    this.#drawBook(book);
    const hasArchive = byId("openings-archive").checked;
    const files = [...this.#files.values()];
    const all = merged([...(hasArchive ? branches : []), ...files.flatMap(({ index }) => index.branches(key))]);
    const shown = all.slice(0, MAX_SHOWN_MOVES);
    const names = shown.map(({ name }) => name).filter((name) => !moves.has(name));
    if (names.length) {
      const found = await fetchJson("/api/study/openings/moves", { position, names });
      for (const each of found.moves) moves.set(each.name, each);
      if (number !== this.#number) return;
    }
    const count = (hasArchive ? games : 0) + files.reduce((sum, file) => sum + file.count, 0);
    const times = all.reduce((sum, each) => sum + each.times, 0);
    const left = all.length > MAX_SHOWN_MOVES ? phrase("The {count} most frequent moves are shown.", { count: MAX_SHOWN_MOVES }) : "";
    const more = waiting && hasArchive ? plural(waiting, "1 game not read yet…", "{count:,} games not read yet…") : "";
    byId("openings-note").textContent = [...(count ? [playedText(times, count), left] : ["No games."]), more].filter(Boolean).join(" ");
    byId("openings").hidden = !all.length;
    byId("openings").tBodies[0].replaceChildren(...shown.map((branch) => this.#row(branch, /** @type {NamedMove} */ (moves.get(branch.name)))));
  }

  /** @param {BookInfo | null} book */
  #drawBook(book) {
    byId("openings-book").hidden = byId("openings-book-title").hidden = !book;
    if (!book) return;
    byId("openings-book-title").textContent = book.exact ? "Opening book, exact values:" : phrase("Opening book, analysed to depth {depth}:", { depth: book.depth });
    byId("openings-book").replaceChildren(
      ...book.moves.map((move) => make("li", {}, this.#button(move), make("span", { className: "small" }, this.#bookValue(book, move.value)))),
    );
  }

  /** @param {BookInfo} book @param {number} value */
  #bookValue({ seat, exact }, value) {
    const [tree, node] = [/** @type {Tree} */ (this.#tree), /** @type {Node} */ (this.#node)];
    if (exact) return capitalize(exactText(tree, node, seat, Math.sign(value)));
    const isOfTwo = tree.colours.length === 2;
    return capitalize(isOfTwo ? valueText(tree, node, valuesOfTwo(seat, value)) : `${tree.coloursAt(node)[seat]} ${formatValue(value)}`);
  }

  /** @param {NamedMove} named */
  #button(named) {
    return button(moveText(named), () => this.#play(named.move), { className: "move", title: named.words });
  }

  /** @param {Branch} branch @param {NamedMove} named */
  #row({ times, wins, draws, losses }, named) {
    const results = wins + draws + losses;
    const words = results ? resultsText(wins, draws, losses) : "no results";
    /** @param {string} kind @param {number} count */
    const share = (kind, count) => {
      const percent = Math.round((100 * count) / results);
      const part = make("span", { className: kind }, percent >= MOST_PERCENT ? `${percent}%` : "");
      part.style.flexGrow = String(count);
      return part;
    };
    const shares = [["wins", wins], ["draws", draws], ["losses", losses]].filter(([, count]) => count);
    const bar = results ? make("div", { className: "shares", title: words, ariaHidden: "true" }, ...shares.map(([kind, count]) => share(String(kind), Number(count)))) : null;
    return make(
      "tr",
      {},
      make("td", {}, this.#button(named)),
      make("td", {}, String(times)),
      make("td", {}, bar, make("span", { className: results ? "visually-hidden" : "small" }, words)),
    );
  }

  // ── files ──

  /** @param {File[]} files */
  async #add(files) {
    byId("openings-input").value = ""; // the same file can be added again
    byId("openings-error").hidden = true;
    byId("openings-add").disabled = true;
    try {
      for (const file of files) await this.#read(file);
    } catch (error) {
      byId("openings-error").textContent = messageOf(error);
      byId("openings-error").hidden = false;
    }
    byId("openings-add").disabled = false;
    this.#list();
    await this.#update();
  }

  // Reads a whole file, or nothing of it.
  /** @param {File} file */
  async #read(file) {
    const { name } = file;
    if (file.size > MAX_FILE_BYTES) throw new Error(phrase("{file} is larger than {size} MB. Nothing was added.", { file: name, size: MAX_FILE_BYTES >> 20 }));
    try {
      const others = [...this.#files].reduce((sum, [key, { count }]) => (key === name ? sum : sum + count), 0);
      let count = others;
      const answers = await readParts(decodedText(await file.arrayBuffer()).replaceAll("\r\n", "\n"), async ({ text, lines }, done) => {
        byId("openings-note").textContent = phrase("Reading {file}: {count:,} games, {percent}%…", { file: name, count: count - others, percent: Math.floor(100 * done) });
        const answer = await fetchJson("/api/study/games", { text, game: this.#tree?.game, lines_before: lines });
        count += answer.games.length;
        if (count > MAX_GAMES) throw new Error(phrase("The limit is {most:,} games in total.", { most: MAX_GAMES }));
        return answer;
      });
      const games = answers.flatMap((answer) => answer.games);
      this.#files.set(name, { name, count: games.length, index: new GameIndex(games) });
    } catch (error) {
      throw new Error(phrase("{file}: {reason} Nothing was added.", { file: name, reason: messageOf(error) }), { cause: error });
    }
  }

  #list() {
    byId("openings-files").replaceChildren(
      ...[...this.#files].map(([key, { name, count }]) =>
        make("li", {}, make("span", {}, plural(count, "{file}: 1 game", "{file}: {count:,} games", { file: name })), button("Remove", () => this.#remove(key), { ariaLabel: phrase("Remove {file}", { file: name }) })),
      ),
    );
  }

  /** @param {string} key */
  #remove(key) {
    this.#files.delete(key);
    this.#list();
    byId("openings-add").focus();
    this.#update();
  }
}
