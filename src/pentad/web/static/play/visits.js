// The ways into a game on the Play page: the room in the address, a preview of a new game and its room, and the next game.

import { decoded, messageOf, saved } from "../dom.js";
import { lastSavedGame } from "../offline.js";
import { fetchJson, here, showPath } from "../server.js";
import { showNote } from "./notes.js";
import { BY_LINK, offerFriends, readOpponent, readStrength } from "./opponents.js";
import { defaultRequest, fetchCatalogue, gameOrFirst, makeRoom, nameOfRules, optionsOf, preview } from "./requests.js";
import { OPEN, PERSON } from "./sidebar.js";
import { hasBegun, isAsShown, requestLike, withoutRoom } from "./state.js";
import { meetStranger } from "./strangers.js";
import { readClock, readSide, writeClock, writeSide } from "./terms.js";
import { phrase } from "../words.js";

/** @import { Catalogue, FromClient, StateMessage, ToClient } from "../messages.d.ts" */
/** @import { NewGameForm } from "./newgame.js" */
/** @import { Opponent } from "./opponents.js" */
/** @import { Choice } from "./quickstart.js" */
/** @import { RoomRequest } from "./requests.js" */
/** @import { Input, State, World } from "./state.js" */

/**
 * What visits need of the page. `leave` ends a game, perhaps for a room, and `connect` opens the connection to a room.
 * @typedef {{
 *   readonly state: State, world: () => World, dispatch: (input: Input) => void, received: (message: ToClient) => Promise<void>,
 *   leave: (input: Extract<Input, { type: "leave" | "enter" }>) => void, connect: (room: string) => void, whenLoaded: () => Promise<void>,
 * }} Page
 */

export const roomInAddress = () => /^\/play\/([^/]+)$/.exec(here().pathname)?.[1] ?? null;
const pathHere = () => here().pathname + here().search;

/** @param {Pick<State, "room">} state */
export const roomPath = ({ room }) => /** @type {const} */ (`/api/rooms/${encodeURIComponent(room ?? "")}`);

/** @param {StateMessage} game */
const sameGame = (game) => requestLike(game, { person: PERSON, open: OPEN });

/** @param {unknown} error */
const failToStart = (error) => showNote(phrase("Cannot start the game: {reason}", { reason: messageOf(error) }));

// The address of a new game. It names the side, the clock and the rules, if they are not the usual ones and have a name.
/** @param {Catalogue} catalogue @param {Choice} choice */
function addressOfNew(catalogue, { game, opponent, strength, options, side, clock }) {
  const rules = Object.keys(options).length ? nameOfRules(gameOrFirst(catalogue, game), options) : null;
  const terms = { ...(side === 0 ? {} : { side: writeSide(side) }), ...(clock ? { clock: writeClock(clock) } : {}) };
  return `/play?${new URLSearchParams({ game, against: opponent, strength, ...terms, ...(rules ? { rules } : {}) })}`;
}

export class Visits {
  /** @type {Page} */ #page;
  /** @type {Promise<NewGameForm> | null} */ #form = null; // loaded when it is first opened

  /** @param {Page} page */
  constructor(page) {
    this.#page = page;
  }

  // The games that can be played, asked for once.
  async games() {
    if (this.#page.state.catalogue) return this.#page.state.catalogue;
    const catalogue = await fetchCatalogue();
    offerFriends(catalogue);
    this.#page.dispatch({ type: "know", what: { catalogue } });
    return catalogue;
  }

  // Opens the room in the address, else a preview of the requested game. A game gets its room at once if it is with another
  // person, or if the computer begins.
  async open() {
    const name = roomInAddress();
    if (name) this.enter(name);
    try {
      const catalogue = await this.games();
      if (name) return;
      const asked = here().searchParams;
      const opponent = asked.has("against") ? readOpponent(asked.get("against")) : "computer";
      const strength = asked.has("against") ? readStrength(asked.get("strength")) : "medium";
      const game = gameOrFirst(catalogue, asked.get("game"));
      const [side, clock] = [readSide(asked.get("side")), readClock(asked.get("clock"))];
      const request = defaultRequest(catalogue, { game: game.name, opponent, strength, options: optionsOf(game, asked.get("rules")), side, clock });
      const isNew = !hasBegun(this.#page.state, this.#page.world());
      if (isNew && catalogue.friends && BY_LINK.includes(opponent)) await this.#startWithPerson(request, opponent);
      else if (isNew && opponent === "computer" && request.seats[0] !== catalogue.person) this.#goTo(await makeRoom(request), { replace: true });
      else await this.#showPreview(request);
    } catch (error) {
      if (name) return; // the connection reports the error
      if (this.#page.state.isEarly) this.#page.leave({ type: "leave" });
      this.#page.dispatch({ type: "loaded" });
      const last = lastSavedGame();
      if (last) this.#goTo(last, { replace: true });
      else failToStart(error);
    }
  }

  /** @param {RoomRequest} request */
  async start(request) {
    this.#goTo(await makeRoom(request));
  }

  // Makes the room of a game with a friend, who gets its link; or finds a stranger.
  /** @param {RoomRequest} request @param {Opponent} opponent */
  async #startWithPerson(request, opponent) {
    const room = opponent === "stranger" ? meetStranger(request) : makeRoom({ ...request, name: saved("name", "") });
    this.#goTo(await room, { replace: true });
  }

  // Starts a game from the fields beside a new board.
  /** @param {Choice} choice */
  async beginAnew(choice) {
    const { catalogue, draft } = this.#page.state;
    if (!catalogue) return;
    const next = defaultRequest(catalogue, choice);
    const replace = draft !== null;
    try {
      if (BY_LINK.includes(choice.opponent)) await this.#startWithPerson(next, choice.opponent);
      else if (!this.#page.state.isMaking) await this.#showPreview(next, () => showPath(addressOfNew(catalogue, choice), { replace }));
    } catch (error) {
      failToStart(error);
    }
  }

  // Opens the form for a new game.
  /** @param {RoomRequest} request */
  async openForm(request, { more = false } = {}) {
    this.#form ??= import("./newgame.js").then(
      ({ NewGameForm }) => new NewGameForm((each) => this.start(each)),
      (error) => {
        this.#form = null; // the next try loads it again
        throw error;
      },
    );
    (await this.#form).open(await this.games(), request, { more });
  }

  // Opens the form, filled in like the game here.
  async openFormHere({ more = false }) {
    try {
      const catalogue = await this.games();
      await this.#page.whenLoaded();
      const { game } = this.#page.state;
      await this.openForm(game ? sameGame(game) : defaultRequest(catalogue), { more });
    } catch (error) {
      failToStart(error);
    }
  }

  // Shows a game without a room, which the first action makes; `updateAddress` runs once the preview is there.
  /** @param {RoomRequest} request */
  async #showPreview(request, updateAddress = () => {}) {
    this.#page.dispatch({ type: "visit" });
    const mine = this.#page.state.visit;
    const answer = await preview(request, this.#page.state.draft === request && this.#page.state.flip);
    if (mine !== this.#page.state.visit) return;
    const isKept = this.#page.state.draft === request || isAsShown(this.#page.state, answer);
    const isLost = this.#page.state.isEarly && hasBegun(this.#page.state, this.#page.world()) && !isKept;
    if (!isKept) this.#page.leave({ type: "leave" });
    updateAddress();
    this.#page.dispatch({ type: "previewed", request, path: pathHere() });
    await this.#page.received(withoutRoom(answer));
    if (isLost) showNote("The board has changed. Choose your move again.");
  }

  // Shows the new game that the page may contain, until the server answers. A step made before that is drawn at once, and
  // played as soon as there is a room.
  showEarly() {
    const text = document.getElementById("first-state")?.textContent;
    const { searchParams } = here();
    if (!text || roomInAddress() !== null || ["rules", "side", "clock"].some((name) => searchParams.has(name))) return;
    /** @type {StateMessage} */
    const first = JSON.parse(text);
    if (![null, first.game].includes(searchParams.get("game"))) return;
    this.#page.received(withoutRoom(first));
    this.#page.dispatch({ type: "early" });
  }

  // Makes the room of the preview; the message is sent once connected. A new look needs a new preview only.
  /** @param {FromClient} message */
  async makeDraftRoom(message) {
    const { draft } = this.#page.state;
    if (this.#page.state.isMaking || !draft) return;
    if (message.type === "look") {
      this.#showPreview(draft).catch((error) => showNote(messageOf(error)));
      return;
    }
    this.#page.dispatch({ type: "making" });
    this.#page.dispatch({ type: "visit" });
    const mine = this.#page.state.visit;
    try {
      const room = decoded(await makeRoom(draft));
      const hasLeft = mine !== this.#page.state.visit;
      this.#page.dispatch({ type: "made", room: hasLeft ? null : room });
      if (hasLeft) return;
      showPath(`/play/${encodeURIComponent(room)}`, { replace: true });
      if (message.type !== "step") this.#page.dispatch({ type: "queue", message }); // an unanswered step is sent again anyway
      this.#page.connect(room);
    } catch (error) {
      this.#page.dispatch({ type: "made", room: null });
      if (mine !== this.#page.state.visit) return;
      this.#page.dispatch({ type: "failed" });
      failToStart(error);
    }
  }

  // Makes the room of a preview in which another player begins.
  async begin() {
    const { draft, isMaking } = this.#page.state;
    if (!draft || isMaking) return;
    this.#page.dispatch({ type: "making" });
    try {
      this.#goTo(await makeRoom(draft), { replace: true });
    } catch (error) {
      failToStart(error);
    } finally {
      this.#page.dispatch({ type: "made", room: null });
    }
  }

  /** @param {string} name */
  #goTo(name, { replace = false } = {}) {
    showPath(`/play/${name}`, { replace });
    this.enter(name);
  }

  /** @param {string} name */
  enter(name) {
    const room = decoded(name);
    this.#page.leave({ type: "enter", room });
    this.#page.connect(room);
    scrollTo(0, 0); // the form to join is gone
  }

  // Opens the next game, or asks the other players for it; a game of computers begins anew.
  async playAgain() {
    const { game } = this.#page.state;
    if (this.#page.state.isMaking || !game) return undefined; // it was a double click
    this.#page.dispatch({ type: "making" });
    try {
      if (game.again) return this.#goTo(game.again);
      const isPlayer = game.seats.some((seat) => seat.yours);
      const { seats: [first, ...rest], ...same } = sameGame(game);
      if (!isPlayer) return await this.start({ ...same, seats: [...rest, first], options: {}, position: game.start });
      const { room } = await fetchJson(`${roomPath(this.#page.state)}/again`, {});
      if (room) this.#goTo(room);
    } catch (error) {
      showNote(messageOf(error));
    } finally {
      this.#page.dispatch({ type: "made", room: null });
    }
    return undefined;
  }

  // Moving within the page's history is not a change of game.
  isHere() {
    if (this.#page.state.draft) return this.#page.state.previewed === pathHere();
    return this.#page.state.room !== null && decoded(roomInAddress() ?? "") === this.#page.state.room;
  }
}
