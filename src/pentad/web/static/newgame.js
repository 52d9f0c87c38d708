// The form for a new game, made from the catalogue; and asking the server for a room.

export const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
const plain = (name) => capital(name.replaceAll("_", " "));

export async function catalogue() {
  const answer = await fetch("/api/games");
  if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
  return answer.json();
}

// A new room; throws an error whose message is the server's own line.
export async function makeRoom(wish) {
  const answer = await fetch("/api/rooms", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(wish),
  });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.error);
  return told.room;
}

// What the page opens with: the first game as it comes, a person first, its usual rival at every other seat.
export function firstWish({ games, person }) {
  const [game] = games;
  return { game: game.name, options: {}, seats: [person, ...Array(game.players - 1).fill(game.rival)] };
}

export class NewGameForm {
  #catalogue;
  #wish;
  #start;
  #dialog = document.getElementById("new-dialog");

  // `start` gets the wish and returns a promise; its error stays in the form.
  constructor(start) {
    this.#start = start;
    const form = document.getElementById("new-form");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    document.getElementById("new-cancel").addEventListener("click", () => this.#dialog.close());
    document.getElementById("game-choice").addEventListener("change", (event) => {
      const game = this.#catalogue.games.find((each) => each.name === event.target.value);
      this.#wish = firstWish({ ...this.#catalogue, games: [game] });
      this.#fill();
    });
  }

  open(catalogue, wish) {
    this.#catalogue = catalogue;
    this.#wish = structuredClone(wish);
    this.#fill();
    this.#dialog.showModal();
  }

  get #game() {
    return this.#catalogue.games.find((each) => each.name === this.#wish.game);
  }

  #fill() {
    const game = this.#game;
    const choice = document.getElementById("game-choice");
    choice.replaceChildren(...this.#catalogue.games.map((each) => new Option(each.title, each.name)));
    choice.value = game.name;
    document.getElementById("game-row").hidden = this.#catalogue.games.length < 2;
    const row = (option) => this.#optionRow(option);
    const isPlayers = (option) => option.name === "players";
    document.getElementById("players-row").replaceChildren(...game.options.filter(isPlayers).map(row));
    const others = game.options.filter((option) => !isPlayers(option));
    const rowOf = (option) => (option.several ? this.#severalRow(option) : row(option));
    document.getElementById("option-rows").replaceChildren(...others.map(rowOf));
    document.getElementById("more").open = others.some((option) => this.#value(option) !== option.default);
    this.#fillSeats();
    this.#fail("");
  }

  #value(option) {
    return this.#wish.options[option.name] ?? option.default;
  }

  // Several different words of a list: a field for each. Who chooses a word that another has takes its place.
  #severalRow(option) {
    const group = document.createElement("div");
    group.className = "row several";
    group.role = "group";
    group.ariaLabel = capital(option.help);
    const words = document.createElement("span");
    words.textContent = capital(option.help);
    const chosen = this.#value(option).split(",");
    const fields = chosen.map((word, i) => {
      const select = document.createElement("select");
      select.name = `${option.name}${i}`;
      select.ariaLabel = `Number ${i + 1} of ${chosen.length}`;
      select.append(...option.allowed.map((each) => new Option(plain(each), each)));
      select.value = word;
      select.addEventListener("change", () => {
        const other = chosen.indexOf(select.value);
        if (other >= 0) chosen[other] = chosen[i];
        chosen[i] = select.value;
        fields.forEach((field, number) => (field.value = chosen[number]));
        this.#wish.options[option.name] = chosen.join();
        if (chosen.join() === option.default) delete this.#wish.options[option.name];
      });
      return select;
    });
    group.append(words, ...fields);
    return group;
  }

  #optionRow(option) {
    const label = document.createElement("label");
    label.className = "row";
    const words = document.createElement("span");
    words.textContent = option.name === "players" ? "Players" : capital(option.help);
    // What is usual with the other options has no value of its own: it is asked for by saying nothing.
    const usual = option.default === null;
    const value = this.#value(option);
    let input;
    if (option.kind === "choice" || (option.kind === "boolean" && usual)) {
      input = document.createElement("select");
      if (usual) input.append(new Option("Usual", ""));
      const named = option.kind === "choice" ? option.allowed.map((each) => [plain(each), each]) : YES_NO;
      input.append(...named.map(([words, each]) => new Option(words, each)));
      input.value = value ?? "";
    } else {
      input = document.createElement("input");
      input.type = option.kind === "boolean" ? "checkbox" : "number";
      if (option.kind === "boolean") input.checked = value;
      else Object.assign(input, { min: option.minimum, max: option.maximum, required: !usual, value: value ?? "" });
      if (usual) input.placeholder = "usual";
    }
    input.name = option.name;
    input.addEventListener("change", () => {
      const chosen = chosenIn(input, option);
      this.#wish.options[option.name] = chosen;
      if (chosen === option.default) delete this.#wish.options[option.name];
      if (option.name === "players" && input.validity.valid) this.#fillSeats();
    });
    label.append(words, input);
    return label;
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
      select.append(new Option("Person", person));
      for (const bot of game.bots) {
        select.append(new Option(`${capital(bot.name)}: ${bot.summary}`, bot.name));
        const [lowest, highest] = bot.levels ?? [1, 0];
        for (let level = lowest; level <= highest; level++) {
          select.append(new Option(`${capital(bot.name)}, level ${level}`, `${bot.name}@${level}`));
        }
      }
      select.value = who;
      select.addEventListener("change", () => (seats[seat] = select.value));
      label.append(words, select);
      return label;
    });
    document.getElementById("seat-rows").replaceChildren(...rows);
  }

  async #submit() {
    try {
      await this.#start(structuredClone(this.#wish));
      this.#dialog.close();
    } catch (error) {
      this.#fail(error.message);
    }
  }

  #fail(text) {
    const line = document.getElementById("new-error");
    line.textContent = text ? `${capital(text)}.` : "";
    line.hidden = !text;
  }
}

const YES_NO = [
  ["Yes", true],
  ["No", false],
];

// The value that a form's field holds for an option; null where it leaves what is usual.
function chosenIn(input, option) {
  if (input.type === "checkbox") return input.checked;
  if (input.value === "" && option.default === null) return null;
  if (option.kind === "integer") return input.valueAsNumber;
  return option.kind === "boolean" ? input.value === "true" : input.value;
}

// A sign for a colour, beside its name.
export function dot(colour) {
  const element = document.createElement("span");
  element.className = `dot ${colour}`;
  element.ariaHidden = "true";
  return element;
}
