// The requests and answers of the server. Written by `python -m tests.web.test_script_types`.

/** What the client may do now; `sit` is to take an open seat, `rematch` to ask for the next game. */
export interface Abilities {
  play: boolean;
  undo: boolean;
  redo: boolean;
  hint: boolean;
  resign: boolean;
  draw: boolean;
  sit: boolean;
  rematch: boolean;
  say: boolean;
}

/** The name of an account. */
export interface AccountName {
  name: string;
}

/** The client's account; the name is empty without one, and then `games` says how many games would come along. */
export interface AccountView {
  name: string;
  created: number;
  has_code: boolean;
  sessions: Array<SessionView>;
  passkeys: Array<PasskeyView>;
  games: number;
}

/** What all pages show: a notice, and maintenance. `reports` is whether somebody reads reports by players. */
export interface Announcements {
  type: "announcements";
  notice: ShownNotice | null;
  closing: ShownClosing | null;
  reports: boolean;
}

/** Accept or decline an offer; `what` makes sure that it is the intended one.
 * A rematch is accepted by the request for one, over HTTP. */
export interface AnswerMessage {
  type: "answer";
  at: number;
  yes: boolean;
  what?: "draw" | "undo" | "rematch" | null;
}

/** Presence or the offers have changed. */
export interface AroundMessage {
  seats: Array<SeatInfo>;
  offer: Offer | null;
  declined: Declined | null;
  can: Abilities;
  watching: number;
  watchers_say: boolean;
  again: string | null;
  line: number;
  type: "around";
}

/** A move tried at a position where a review has found the move `best` better than the move `played`. */
export interface AttemptQuery {
  position: string;
  move: string;
  best: string;
  played?: string;
}

/** A ban or a mute of a person or a network; `until` is null if it is for good. */
export interface BanView {
  kind: string;
  person: number | null;
  network: string | null;
  name: string;
  until: number | null;
  reason: string;
  at: number;
  operator: string;
}

/** A position and its choices. If the steps were a whole turn, `moved` is that move and the position is after it.
 * `notation` is what people read where it is not the text of the move. `restriction` is the sentence of the prompt
 * about rules that exclude other steps, or empty. */
export interface BoardAnswer {
  game: string;
  title: string;
  position: string;
  moved: string | null;
  notation: string;
  words: string;
  steps: string;
  svg: string;
  turn: number;
  colour: string;
  colours: Array<string>;
  ply: number;
  prompt: string;
  restriction: string;
  may_end: boolean;
  choices: Array<ChoiceInfo>;
  status: string;
  outcome: OutcomeInfo | null;
}

/** A position and the steps of a turn; `last` is the move that led to it, for the drawing.
 * `end` plays a turn to which steps could be added but need not. */
export interface BoardQuery {
  position: string;
  steps?: string;
  end?: boolean;
  last?: string;
  flip?: boolean;
}

/** What a game's opening book has about a position, by an analysis of this depth or with exact values. */
export interface BookInfo {
  seat: number;
  depth: number;
  exact: boolean;
  moves: Array<BookMove>;
}

/** A move of an opening book, with its value for the seat to move. */
export interface BookMove {
  name: string;
  move: string;
  notation: string;
  words: string;
  value: number;
}

/** A bot that can take a seat; a bot with levels is written `name@3`, one with strengths `name@medium`, too.
 * `title` is its name for people. */
export interface BotInfo {
  name: string;
  title: string;
  summary: string;
  levels: [number, number] | null;
  rungs: Array<string>;
}

/** A move of an opening tree: how often it was played, and the results for the seat that makes it. */
export interface BranchInfo {
  name: string;
  move: string;
  notation: string;
  words: string;
  times: number;
  wins: number;
  draws: number;
  losses: number;
}

/** All games that can be played here; a seat takes `person` or one of the game's bots.
 * `friends` is whether seats can be kept open for other people; where not, `friends_server` is the address of a
 * server for games with them, empty if there is none. */
export interface Catalogue {
  person: string;
  games: Array<GameInfo>;
  friends: boolean;
  friends_server: string;
}

/** A chapter as a tree of moves. */
export interface Chapter {
  number: number;
  version: number;
  title: string;
  tree: Tree;
}

/** A changed chapter, with the version that the change is based on. */
export interface ChapterChange {
  version: number;
  title: string;
  tree: TreeRequest;
}

/** A chapter in the list of a study. */
export interface ChapterInfo {
  number: number;
  version: number;
  title: string;
}

/** A chapter to remove, with the version that is known. */
export interface ChapterRemoval {
  version: number;
}

/** A chat message with its game, and its author, if known. */
export interface ChatFound {
  game: string;
  number: number;
  person: number | null;
  name: string;
  text: string;
  at: number;
}

/** A chat message; `seat` is null if its author only watches. */
export interface ChatPosted {
  type: "said";
  number: number;
  seat: number | null;
  name: string;
  text: string;
  mine: boolean;
}

/** A chat message was removed. */
export interface ChatRemoved {
  type: "unsaid";
  number: number;
}

/** Whether the move is correct, and where it leads. */
export interface CheckAnswer {
  right: boolean;
  words: string;
  move: string;
  move_words: string;
  position: string;
}

/** A move to check at a step, counted from 0. */
export interface CheckQuery {
  game: string;
  step: number;
  move: string;
}

/** A legal next step, and the targets of the drawing to touch for it, in order.
 * `label` is for a button beside the last of them. */
export interface ChoiceInfo {
  step: string;
  targets: Array<string>;
  label: string;
}

/** The seconds left for each seat, and the seat whose time runs. */
export interface ClockInfo {
  words: string;
  left: Array<number>;
  running: number | null;
  days: boolean;
}

/** A number of a position; `words` are the names of its values, if they have names. */
export interface CounterInfo {
  name: string;
  label: string;
  value: number;
  least: number;
  most: number;
  words: Array<string>;
}

/** A new room; a cookie identifies its creator from now on. */
export interface CreatedRoom {
  room: string;
  page: string;
}

/** The puzzles of a day in UTC, one for each game. */
export interface DailyAnswer {
  day: string;
  puzzles: Array<PuzzleAnswer>;
}

/** What the client decides about a person. */
export interface Decision {
  key: string;
  blocked?: boolean;
  muted?: boolean;
}

/** A declined offer of a seat: `by` is the seat that declined it, or `seat` itself, which withdrew it. */
export interface Declined {
  what: "draw" | "undo" | "rematch";
  seat: number;
  by: number;
}

/** A board being edited. `position` is set once it is legal; else `trouble` says what it lacks. */
export interface Draft {
  game: string;
  draft: string;
  svg: string;
  pieces: Array<Piece>;
  counters: Array<CounterInfo>;
  choices: Array<ChoiceInfo>;
  position: string;
  status: string;
  trouble: string;
}

/** Offer a draw, or accept an offered one. */
export interface DrawMessage {
  type: "draw";
  at: number;
}

/** A position of a game's main line, after some of its moves, with the last of them highlighted. */
export interface EarlierPosition {
  svg: string;
  status: string;
}

/** A request to place a piece (without a target: off the board), or to set a counter. */
export interface Edit {
  draft: string;
  piece?: string;
  target?: string;
  counter?: string;
  value?: number;
  flip?: boolean;
}

/** An option: its number, its rule or recipe, and its nodes of the graph. */
export interface Enabled {
  number: number;
  action: string;
  words: string;
  nodes: Array<string>;
}

/** How a game ended: the seats that resigned, ran out of time or won on the board, none in a draw.
 * `words` says what decided on the board, after the winners or after "Draw:"; `with five in a row`. */
export interface EndInfo {
  kind: "resigned" | "time" | "agreed" | "board";
  seats: Array<number>;
  words: string;
}

/** Why a request failed, in one line. */
export interface ErrorMessage {
  type: "error";
  error: string;
}

/** A format in which a game can be written. */
export interface FormatInfo {
  name: string;
  suffix: string;
  summary: string;
}

/** A page of the client's games, and how many there are on all pages. */
export interface FoundGames {
  count: number;
  games: Array<GameListing>;
}

export type FromClient = StepMessage | PremoveMessage | UndoMessage | RedoMessage | HintMessage | ResignMessage | DrawMessage | AnswerMessage | SayMessage | UnsayMessage | WatchersMessage | LookMessage | HereMessage;

/** A game as operators see it. */
export interface GameFound {
  name: string;
  title: string;
  time: string;
  moves: number;
  result: string | null;
  touched: number;
  seats: Array<SeatOfGame>;
}

/** A game that can be played here. With default options it has `players` seats, each with a colour.
 * `strengths` are the bots that play at a strength, such as `easy`; `presets` are options under a name of their own.
 * `ratings` are the measured Elo ratings of bots and levels. `setup` is whether its positions can be set up. */
export interface GameInfo {
  name: string;
  title: string;
  summary: string;
  players: number;
  colours: Array<string>;
  options: Array<OptionInfo>;
  bots: Array<BotInfo>;
  default_opponent: string;
  strengths: Record<string, string>;
  ratings: Record<string, number>;
  presets: Record<string, Record<string, boolean | number | string>>;
  setup: boolean;
}

/** A game in a list: its rules, its progress and its players (an empty name at an open seat, a bot by its title).
 * `bots` are the seats of bots. `waits` is whether it is the client's turn, only in games with other persons. `turn`
 * is the seat to move, and `left` its remaining seconds; null if the game is over or no clock runs. `standing` is how
 * it ended for the client; null if it goes on, or if the client has no seat or all seats. `end` is null if it goes on,
 * and in a game of an earlier release that ended on its board. `cursor` is set on the last game of a page if there are
 * more: the next page comes `after` it. `attended` is whether somebody is at an open game. */
export interface GameListing {
  room: string;
  page: string;
  game: string;
  title: string;
  options: string;
  time: TimeInfo | null;
  seats: Array<string>;
  colours: Array<string>;
  bots: Array<number>;
  yours: Array<number>;
  moves: number;
  result: string | null;
  touched: number;
  waits: boolean;
  turn: number | null;
  left: number | null;
  standing: "won" | "lost" | "draw" | null;
  end: EndInfo | null;
  cursor: string | null;
  attended: boolean;
}

/** The main lines of the games in the first `read` characters of a text, after which there may be more. */
export interface GamePlies {
  games: Array<Array<PlyInfo>>;
  read: number;
}

/** A game with its chat, and the reports about it. */
export interface GameView {
  game: GameFound;
  page: string;
  chat: Array<ChatFound>;
  reports: Array<ReportView>;
}

/** A part of a file with whole games; `lines_before` are the lines of the file before it, for errors. */
export interface GamesQuery {
  text: string;
  game?: string | null;
  lines_before?: number;
}

/** State of the server: whether the engines are ready, which one is compiled, and how many requests wait.
 * `others` is the address for other devices in the network; empty if the server listens to this machine only. The
 * person at this machine can change that if `can_share`. */
export interface Health {
  ready: boolean;
  compiling: string | null;
  share: number | null;
  waiting: number;
  running: number;
  version: string;
  others: string;
  can_share: boolean;
}

/** Check the connection; the answer is who is here. */
export interface HereMessage {
  type: "here";
}

/** A hint: the steps of a move with their targets, the move in words with what is proved, and its claim alone.
 * `svg` is the drawing after the first step if it alone has all targets of the next ones, else empty. */
export interface HintAnswer {
  type: "hint";
  at: number;
  move: string;
  words: string;
  claim: string;
  steps: Array<ChoiceInfo>;
  svg: string;
}

/** Ask for the best bot's move. */
export interface HintMessage {
  type: "hint";
  at: number;
}

/** The client's correct moves so far. */
export interface HintQuery {
  moves?: Array<string>;
}

/** A lesson with its steps. */
export interface LessonAnswer {
  game: string;
  title: string;
  summary: string;
  steps: Array<StepInfo>;
}

/** A lesson, without its steps. */
export interface LessonInfo {
  game: string;
  title: string;
  summary: string;
  steps: number;
}

/** A start position, or a game's name with options, and moves; with `as_far` up to the first illegal move. */
export interface LineQuery {
  start: string;
  moves?: Array<string>;
  as_far?: boolean;
}

/** An action in the log. */
export interface LoggedAction {
  number: number;
  at: number;
  operator: string;
  kind: string;
  target: string;
  until: number | null;
  text: string;
  reason: string;
}

/** Set the side from which the board is drawn; the answer is the whole state. */
export interface LookMessage {
  type: "look";
  flip: boolean;
}

/** The client's name. */
export interface Me {
  name: string;
}

/** A model with its options as a grammar: its parts with their pictures, and its size. */
export interface ModelAnswer {
  name: string;
  title: string;
  game: string | null;
  summary: string;
  options: Record<string, string>;
  grammar: string;
  nodes: number;
  edges: number;
  isomorphism: boolean;
  solvable: boolean;
  start: string;
  rules: Array<PartPicture>;
  types: Array<PartPicture>;
  programs: Array<PartPicture>;
  control: string;
}

/** A model and its options. */
export interface ModelInfo {
  name: string;
  title: string;
  game: string | null;
  summary: string;
  options: Array<OptionInfo>;
}

/** All models, and the limits for simulations and explorations. */
export interface ModelList {
  models: Array<ModelInfo>;
  most_steps: number;
  most_states: number;
  most_seconds: number;
}

/** A played move as text and in words; `note` is its comment.
 * `notation` is what people read where it is not the text. */
export interface MoveInfo {
  text: string;
  notation: string;
  seat: number;
  words: string;
  note: string;
}

/** An option's number and its value for the player to move: 1 for a win in so many steps, 0, -1, or unknown. */
export interface MoveValue {
  number: number;
  value: number | null;
  distance: number | null;
  best: boolean;
}

/** The name of an account, and its recovery code. */
export interface NameAndCode {
  name: string;
  code: string;
}

/** A move by its name, which it shares with the moves of symmetric positions, and in words.
 * `notation` is what people read where it is not the text of the move. */
export interface NamedMove {
  name: string;
  move: string;
  notation: string;
  words: string;
}

/** The moves of a position by their names. */
export interface NamedMoves {
  moves: Array<NamedMove>;
}

/** A position, and names of its moves in an opening tree. */
export interface NamesQuery {
  position: string;
  names: Array<string>;
}

/** A chapter to add: its title, and its record in any format that names its game. */
export interface NewChapter {
  title?: string;
  record: string;
}

/** A report: its place, which is a game or a study by name, the ply or the chapter, a chat message, and why. */
export interface NewReport {
  place: "game" | "study";
  name: string;
  part?: number | null;
  chat?: number | null;
  reason: "abuse" | "name" | "spam" | "cheating" | "content" | "other";
  text?: string;
}

/** A request for a new game: its options by name, and the player of each seat.
 * A seat takes `human` (the client), `open` (the first person who comes), `adaptive` (a bot as strong as the client)
 * or a bot by name. By default a person plays the best bot. `position` is the start position, in place of options.
 * A `listed` game with an open seat is shown to everyone. */
export interface NewRoom {
  game: string;
  options?: Record<string, boolean | number | string>;
  seats?: Array<string> | null;
  time?: TimeInfo | null;
  position?: string | null;
  listed?: boolean;
  name?: string;
}

/** A link to sign in on another device, as a QR code, too. It is good once, and for so many seconds. */
export interface NewSignInLink {
  url: string;
  svg: string;
  seconds: number;
}

/** A study to keep, with its first chapters. */
export interface NewStudy {
  title?: string;
  chapters: Array<NewChapter>;
}

/** The next game of the same players; null until all have agreed to it. */
export interface NextGame {
  room: string | null;
  page: string | null;
}

/** A move of the tree and the position after it; the root, number 0, has no move. A value is for the mover.
 * `mark` is the sign of a mistake or a good move, such as `??`; `shapes` are circles and arrows, such as `Ga2` and
 * `Ra2>c3`.
 * `notation` is what people read where it is not the text of the move. `colours` are the colours of the seats where
 * they differ from the start. */
export interface NodeInfo {
  id: number;
  parent: number | null;
  move: string;
  notation: string;
  words: string;
  seat: number | null;
  position: string;
  colours: Array<string>;
  comment: string;
  clock: number | null;
  value: number | null;
  exact: boolean;
  mark: string;
  shapes: Array<string>;
}

/** An offer of a seat; `yours` is whether the client made it, `asked` whether the client may answer it.
 * `moves` is the number of moves that a takeback would undo. */
export interface Offer {
  what: "draw" | "undo" | "rematch";
  seat: number;
  yours: boolean;
  asked: boolean;
  moves: number;
}

/** A room in which a person is now; of their network only the widest part is shown. */
export interface OpenRoom {
  name: string;
  network: string;
}

/** The moves played from a position and symmetric ones in so many games; `waiting` games are not read yet.
 * `key` is the name of these positions in `GamePlies`. `book` is what the game's opening book has about them. */
export interface Openings {
  key: string;
  games: number;
  waiting: number;
  branches: Array<BranchInfo>;
  book: BookInfo | null;
}

/** What to do; `sure` is needed to ban the operator's own network. */
export interface OperatorAction {
  kind: "remove game" | "remove study" | "remove chat" | "rename" | "mute" | "unmute" | "ban person" | "unban person" | "ban network" | "unban network" | "handle report" | "notice" | "clear notice" | "close" | "open" | "make token" | "revoke token";
  target?: string;
  until?: number | null;
  text?: string;
  reason?: string;
  sure?: boolean;
}

/** The operator of this session, what all pages show, and the number of reports that wait. */
export interface OperatorView {
  name: string;
  announcements: Announcements;
  reports: number;
}

/** A sentence about an option, and the text of a position that shows it; each is empty if there is none. */
export interface OptionAbout {
  about: string;
  example: string;
}

/** An option of a game or a model and its allowed values; `default` is null where it depends on the other options.
 * `several` is how many different words of `allowed`, joined by commas, a value has. */
export interface OptionInfo {
  name: string;
  kind: "boolean" | "integer" | "choice";
  default: boolean | number | string | null;
  help: string;
  minimum: number | null;
  maximum: number | null;
  allowed: Array<string>;
  several: number;
}

/** Another person, and what the client has decided about them; `key` identifies them for this client. */
export interface OtherPerson {
  key: string;
  name: string;
  blocked: boolean;
  muted: boolean;
}

/** How the game ended. */
export interface OutcomeInfo {
  winners: Array<number>;
  score: string;
  reason: string;
}

/** The studies that the client has made, and how many studies and bytes there is room for; 0 is no limit. */
export interface OwnStudies {
  studies: Array<OwnStudy>;
  most_studies: number;
  most_size: number;
}

/** A study in the list of whoever made it; `size` is in bytes, and it is deleted at `deleted` without a visit. */
export interface OwnStudy {
  name: string;
  title: string;
  chapters: number;
  size: number;
  visited: number;
  deleted: number;
}

/** A part of a grammar and its picture; `text` is the picture's heading, or a program's text. */
export interface PartPicture {
  name: string;
  text: string;
  svg: string;
}

/** What `navigator.credentials` returns, as JSON in which bytes are base64url. */
export interface PasskeyAnswer {
  credential: string;
}

/** What `navigator.credentials` takes, as JSON in which bytes are base64url. */
export interface PasskeyOptions {
  options: string;
}

/** A passkey of the account; `name` identifies it. */
export interface PasskeyView {
  name: string;
  browser: string;
  created: number;
  used: number;
}

/** A person, and the number of their games. */
export interface PersonFound {
  number: number;
  name: string;
  games: number;
}

/** A person: names, the rooms in which they are now, games, studies, chat and bans, and reports about them. */
export interface PersonView {
  number: number;
  name: string;
  names: Array<string>;
  rooms: Array<OpenRoom>;
  games: Array<GameFound>;
  studies: Array<StudyFound>;
  chat: Array<ChatFound>;
  bans: Array<BanView>;
  reports: Array<ReportView>;
}

/** A piece to place; `off` is whether it can be off the board too, and `where` is its current place. */
export interface Piece {
  name: string;
  label: string;
  group: string;
  colour: string;
  off: boolean;
  where: string;
}

/** The state after one more move: the move, and the lines of the drawing that it changed. */
export interface PlayedMessage extends PlayerView {
  type: "played";
  changes: Array<[number, string]>;
  move: MoveInfo;
}

/** The state of a game, as one client may see it. `event` is what has just happened.
 *     `reason` is the sentence of the status that says why the winners have won, or empty. */
export interface PlayerView {
  seats: Array<SeatInfo>;
  offer: Offer | null;
  declined: Declined | null;
  can: Abilities;
  watching: number;
  watchers_say: boolean;
  again: string | null;
  line: number;
  at: number;
  event: "now" | "played" | "undone" | "redone" | "resigned" | "drawn" | "flagged" | "sat";
  turn: number | null;
  prompt: string;
  may_end: boolean;
  status: string;
  reason: string;
  announce: string;
  outcome: OutcomeInfo | null;
  clock: ClockInfo | null;
  trouble: string | null;
  choices: Array<ChoiceInfo>;
}

/** A move of a game: the key of the position before it, its name, and the result for the seat that made it. */
export interface PlyInfo {
  key: string;
  name: string;
  result: number | null;
}

/** A turn entered in advance: the steps that the touches select, and what comes next.
 * `used` touches of `targets` select something. `lines` are those of the drawing that get targets for the next
 * choices. `whole` is whether the turn is complete; the prompt is then the turn in words. */
export interface PremoveAnswer {
  type: "premove";
  at: number;
  targets: Array<string>;
  used: number;
  steps: string;
  lines: Array<[number, string]>;
  prompt: string;
  whole: boolean;
}

/** Ask what a turn entered before it comes can be: the targets touched so far. Nothing is played. */
export interface PremoveMessage {
  type: "premove";
  at: number;
  targets: Array<string>;
}

/** A puzzle with its position; `notes` mention unusual rules, `next` is the next puzzle of the list. */
export interface PuzzleAnswer {
  id: string;
  game: string;
  title: string;
  goal: string;
  colour: string;
  moves: number;
  difficulty: number;
  position: string;
  notes: Array<string>;
  next: string;
}

/** A puzzle's goal and its difficulty from 1 to 5; `moves` is how many moves to find. */
export interface PuzzleInfo {
  id: string;
  game: string;
  title: string;
  goal: string;
  colour: string;
  moves: number;
  difficulty: number;
}

/** Puzzles, easiest first. */
export interface PuzzleList {
  puzzles: Array<PuzzleInfo>;
}

/** A new recovery code, which is shown only now. */
export interface RecoveryCode {
  name: string;
  code: string;
}

/** Replay the move that was last taken back. */
export interface RedoMessage {
  type: "redo";
  at: number;
}

/** An error, in one line. */
export interface Refusal {
  error: string;
}

/** A report with a link to its place; `about` is the person whom it is about, if known. */
export interface ReportView {
  number: number;
  at: number;
  reporter: number | null;
  page: string;
  place: string;
  name: string;
  part: number | null;
  chat: number | null;
  quote: string;
  about: number | null;
  about_name: string;
  reason: string;
  text: string;
  done: number | null;
  operator: string;
}

/** Resign, for the seat to move or another one of the client's. */
export interface ResignMessage {
  type: "resign";
  at: number;
  seat?: number | null;
}

/** Post a chat message. */
export interface SayMessage {
  type: "say";
  text: string;
}

/** What a search has found, at most 50 of each. */
export interface SearchAnswer {
  people: Array<PersonFound>;
  games: Array<GameFound>;
  studies: Array<StudyFound>;
  chat: Array<ChatFound>;
}

/** A seat: `yours` is whether the client may play it, `here` whether its player is connected.
 * `title` is the name of a bot for people, empty at the seat of a person. */
export interface SeatInfo {
  colour: string;
  who: string;
  name: string;
  title: string;
  yours: boolean;
  here: boolean;
}

/** A player of a game: the number of a person, or null, and the name. */
export interface SeatOfGame {
  person: number | null;
  name: string;
}

/** A request to take an open seat under a name; the default is the first open seat. */
export interface SeatRequest {
  seat?: number | null;
  name?: string;
}

/** A browser in which the client is signed in; `name` identifies it, and `here` is the one that asks. */
export interface SessionView {
  name: string;
  browser: string;
  created: number;
  seen: number;
  here: boolean;
}

/** Whether devices in the local network can join. */
export interface Sharing {
  open: boolean;
}

/** That the server closes for maintenance in so many seconds, or is closed if that is 0; `text` may say more. */
export interface ShownClosing {
  text: string;
  at: number;
  left: number;
}

/** A demonstrated move: in notation, in words, and the position after it. */
export interface ShownMove {
  move: string;
  words: string;
  position: string;
}

/** A notice by an operator. `at` is the time of the Unix clock at which it was made, and tells it from others. */
export interface ShownNotice {
  text: string;
  at: number;
}

/** The secret of a link to sign in on another device. */
export interface SignInLink {
  secret: string;
}

/** The moves and replies of a solution. */
export interface SolutionAnswer {
  position: string;
  moves: Array<SolutionMove>;
}

/** A move of the solution: its player, the move in notation and in words, and the position after it. */
export interface SolutionMove {
  move: string;
  words: string;
  position: string;
  colour: string;
}

/** The ids of the puzzles that the client has solved. */
export interface SolvedAnswer {
  solved: Array<string>;
}

/** The whole state of a game; `options` are the requested ones, `terms` lists all that differ from the defaults.
 * A `listed` game is among the open games while it waits for players. */
export interface StateMessage extends PlayerView {
  type: "state";
  game: string;
  title: string;
  guide: string;
  terms: string;
  options: Record<string, boolean | number | string>;
  time: Record<string, number>;
  listed: boolean;
  start: string;
  position: string;
  svg: string;
  flip: boolean;
  moves: Array<MoveInfo>;
}

/** The end of a path: the graph, the board if there is one, the last changes, and the options.
 * `count` is the number of options, `enabled` the first of them. `note` says what the options and the board do not. */
export interface StepAnswer {
  path: Array<number>;
  trace: Array<string>;
  came: Array<string>;
  went: Array<string>;
  changed: Array<string>;
  graph: string;
  board: string | null;
  position: string | null;
  note: string;
  enabled: Array<Enabled>;
  count: number;
  choices: Array<ChoiceInfo>;
  final: boolean;
  broken: Array<string>;
}

/** The first step of a correct move, with its targets. */
export interface StepHint {
  words: string;
  steps: Array<ChoiceInfo>;
}

/** A step of a lesson. `touch` are the targets of a correct move, and `instruction` is it in words; `show` are
 * demonstrated moves. */
export interface StepInfo {
  title: string;
  words: string;
  position: string;
  touch: Array<ChoiceInfo>;
  instruction: string;
  show: Array<ShownMove>;
  right: string;
}

/** The steps of a turn so far, in the game's notation. The turn is played once no step can follow.
 * `end` plays it where steps could follow but need not. `warn` asks for a warning before a losing move. `hold` only
 * shows the turn that would be played, so that the player can confirm it. */
export interface StepMessage {
  type: "step";
  at: number;
  steps: string;
  end?: boolean;
  warn?: boolean;
  hold?: boolean;
}

/** A path from the start, and the number of random steps to add. */
export interface StepQuery {
  options?: Record<string, string>;
  path?: Array<number>;
  chance?: number;
  seed?: number | null;
}

/** A new title of a study. */
export interface StudyChange {
  title: string;
}

/** A part of a file with chapters; `lines_before` are the lines of the file before it, for errors. */
export interface StudyFile {
  text: string;
  lines_before?: number;
}

/** A study as operators see it. */
export interface StudyFound {
  name: string;
  title: string;
  chapters: number;
  created: number;
}

/** A study with the list of its chapters.
 * `key_fits` is whether the key is that of the link to edit; whoever made the study may edit it without a key, and is
 * the only one to change the key (`owned`). */
export interface StudyInfo {
  name: string;
  title: string;
  may_edit: boolean;
  owned: boolean;
  key_fits: boolean;
  chapters: Array<ChapterInfo>;
}

/** A study: its name, which is the link to read, and the key of the link to edit. */
export interface StudyLink {
  name: string;
  key: string;
}

/** The numbers of all chapters in a new order. */
export interface StudyOrder {
  chapters: Array<number>;
}

/** The chapters in the first `read` characters of a part of a file, and the title of their study if they name it. */
export interface StudyParts {
  title: string;
  chapters: Array<NewChapter>;
  read: number;
}

/** A study as records in one text, and its file name. */
export interface StudyText {
  text: string;
  name: string;
}

/** A study with the titles of its chapters, and the reports about it. */
export interface StudyView {
  study: StudyFound;
  page: string;
  titles: Array<string>;
  reports: Array<ReportView>;
}

/** A text with a position or a game; `game` is the game of bare moves, `number` the game to read.
 * `lines_before` are the lines of the file before the text, for errors. */
export interface TextQuery {
  text: string;
  game?: string | null;
  number?: number;
  lines_before?: number;
}

/** Time control: seconds for the game and for each move, or days for each move. */
export interface TimeInfo {
  main?: number;
  increment?: number;
  days?: number;
}

export type ToClient = StateMessage | PlayedMessage | TurnMessage | PremoveAnswer | HintAnswer | WaitingMessage | WarningMessage | AroundMessage | ChatPosted | ChatRemoved | Announcements | ErrorMessage;

/** An operator's token. */
export interface TokenLogin {
  token: string;
}

/** A game to study. `fresh` is the game with its options if it starts from the initial position.
 * `players` are names for people, or nothing; `main` are the nodes of the main line. `count` is the number of games in
 * the first `read` characters of the text, after which there may be more. `solved` is whether a solver has exact
 * values of positions. `status` says how the game ended, `trouble` why a line ends early. */
export interface Tree {
  game: string;
  title: string;
  start: string;
  fresh: string;
  colours: Array<string>;
  tags: Record<string, string>;
  players: Array<string>;
  result: string;
  reason: string;
  status: string;
  nodes: Array<NodeInfo>;
  main: Array<number>;
  formats: Array<FormatInfo>;
  solved: boolean;
  count: number;
  read: number;
  trouble: string;
}

/** A node of a page's tree. Its parent comes before it; the first child of a node continues its line. */
export interface TreeNode {
  parent: number;
  move: string;
  comment?: string;
  clock?: number | null;
  value?: number | null;
  exact?: boolean;
  mark?: "" | "?!" | "?" | "??" | "!?" | "!" | "!!";
  shapes?: Array<string>;
}

/** A request to write a game in a format. The nodes are those after the root, in order. */
export interface TreeRequest {
  start: string;
  format: string;
  tags?: Record<string, string>;
  comment?: string;
  shapes?: Array<string>;
  result?: string;
  reason?: string;
  nodes?: Array<TreeNode>;
}

/** The result of an attempt: `after` is the position after the move, `position` the one to continue from. */
export interface TryAnswer {
  right: boolean;
  words: string;
  move: string;
  move_words: string;
  position: string;
  after: string;
  reply: string | null;
  reply_words: string;
  over: boolean;
}

/** The client's moves so far, without replies; the last is the attempt. */
export interface TryQuery {
  moves: Array<string>;
}

/** A whole turn: as people write it, in words, its steps with their targets, and the position after it.
 * `svg` is the drawing after the first step, if targets of the later ones are in it alone. */
export interface TurnAnswer {
  notation: string;
  words: string;
  steps: Array<ChoiceInfo>;
  svg: string;
  position: string;
}

/** The board in the middle of the client's turn, and the next choices.
 * `changes` are the lines of the drawing that differ from before the turn; if they are too many, `svg` is the whole
 * drawing. `whole` is whether the turn is complete and waits to be confirmed; the prompt is then the turn in words. */
export interface TurnMessage {
  type: "turn";
  at: number;
  steps: string;
  changes: Array<[number, string]> | null;
  svg: string | null;
  prompt: string;
  may_end: boolean;
  whole: boolean;
  choices: Array<ChoiceInfo>;
}

/** A whole turn to show on a board. */
export interface TurnQuery {
  position: string;
  move: string;
  flip?: boolean;
}

/** Take back to where the client was last to move; other players are asked first. */
export interface UndoMessage {
  type: "undo";
  at: number;
}

/** Remove a watcher's chat message; only players can. */
export interface UnsayMessage {
  type: "unsay";
  number: number;
}

/** The value of a state of a game for the player to move, and of its moves, the best first.
 * Of a game that is too large only those values are known that no unexplored state can change. */
export interface ValuesAnswer {
  value: number | null;
  distance: number | null;
  moves: Array<MoveValue>;
  states: number;
  complete: boolean;
}

/** A path from the start. */
export interface ValuesQuery {
  options?: Record<string, string>;
  path?: Array<number>;
}

/** The queue place of a requested hint or check; 0 when its turn has come. */
export interface WaitingMessage {
  type: "waiting";
  at: number;
  place: number;
}

/** A warning: the move was not played, as it loses; `words` say why. */
export interface WarningMessage {
  type: "warning";
  at: number;
  steps: string;
  words: string;
}

/** Turn the chat for watchers on or off; only players can. */
export interface WatchersMessage {
  type: "watchers";
  say: boolean;
}

/** A game as text, its file name, and what the format could not hold. */
export interface Written {
  text: string;
  name: string;
  left_out: string;
}

type Query = '' | `?${string}`;

export type Answer<Path extends string> =
  Path extends `/api/account/passkeys/options${Query}` ? PasskeyOptions :
  Path extends `/api/sign-in/link/look${Query}` ? AccountName :
  Path extends `/api/sign-in/passkey/options${Query}` ? PasskeyOptions :
  Path extends `/api/sign-up/passkey/options${Query}` ? PasskeyOptions :
  Path extends `/api/study/openings/moves${Query}` ? NamedMoves :
  Path extends `/api/account/code${Query}` ? RecoveryCode :
  Path extends `/api/account/link${Query}` ? NewSignInLink :
  Path extends `/api/account/name${Query}` ? AccountName :
  Path extends `/api/admin/actions${Query}` ? Array<LoggedAction> :
  Path extends `/api/admin/bans${Query}` ? Array<BanView> :
  Path extends `/api/admin/login${Query}` ? OperatorView :
  Path extends `/api/admin/reports${Query}` ? Array<ReportView> :
  Path extends `/api/admin/search${Query}` ? SearchAnswer :
  Path extends `/api/board/turn${Query}` ? TurnAnswer :
  Path extends `/api/lessons/check${Query}` ? CheckAnswer :
  Path extends `/api/mine/found${Query}` ? FoundGames :
  Path extends `/api/mine/people${Query}` ? Array<OtherPerson> :
  Path extends `/api/mine/studies${Query}` ? OwnStudies :
  Path extends `/api/mistakes/try${Query}` ? CheckAnswer :
  Path extends `/api/puzzles/daily${Query}` ? DailyAnswer :
  Path extends `/api/puzzles/solved${Query}` ? SolvedAnswer :
  Path extends `/api/sign-in/link${Query}` ? AccountName :
  Path extends `/api/sign-in/passkey${Query}` ? AccountName :
  Path extends `/api/sign-up/passkey${Query}` ? AccountName :
  Path extends `/api/study/chapters${Query}` ? StudyParts :
  Path extends `/api/study/edit${Query}` ? Draft :
  Path extends `/api/study/games${Query}` ? GamePlies :
  Path extends `/api/study/line${Query}` ? Tree :
  Path extends `/api/study/new${Query}` ? StudyLink :
  Path extends `/api/study/openings${Query}` ? Openings :
  Path extends `/api/study/pieces${Query}` ? Draft :
  Path extends `/api/study/read${Query}` ? Tree :
  Path extends `/api/study/write${Query}` ? Written :
  Path extends `/api/account${Query}` ? AccountView :
  Path extends `/api/admin${Query}` ? OperatorView :
  Path extends `/api/announcements${Query}` ? Announcements :
  Path extends `/api/board${Query}` ? BoardAnswer :
  Path extends `/api/games${Query}` ? Catalogue :
  Path extends `/api/health${Query}` ? Health :
  Path extends `/api/lessons${Query}` ? Array<LessonInfo> :
  Path extends `/api/lobby${Query}` ? Array<GameListing> :
  Path extends `/api/me${Query}` ? Me :
  Path extends `/api/mine${Query}` ? Array<GameListing> :
  Path extends `/api/models${Query}` ? ModelList :
  Path extends `/api/network${Query}` ? Health :
  Path extends `/api/preview${Query}` ? StateMessage :
  Path extends `/api/puzzles${Query}` ? PuzzleList :
  Path extends `/api/rooms${Query}` ? CreatedRoom :
  Path extends `/api/sign-in${Query}` ? AccountName :
  Path extends `/api/sign-up${Query}` ? RecoveryCode :
  Path extends `/api/study/kept/${string}/chapters/${string}/remove${Query}` ? StudyInfo :
  Path extends `/api/study/kept/${string}/chapters/${string}/tree${Query}` ? Chapter :
  Path extends `/api/study/kept/${string}/chapters/${string}${Query}` ? ChapterInfo :
  Path extends `/api/rooms/${string}/positions/${string}${Query}` ? EarlierPosition :
  Path extends `/api/study/kept/${string}/chapters${Query}` ? ChapterInfo :
  Path extends `/api/study/kept/${string}/key${Query}` ? StudyLink :
  Path extends `/api/study/kept/${string}/order${Query}` ? StudyInfo :
  Path extends `/api/study/kept/${string}/text${Query}` ? StudyText :
  Path extends `/api/admin/games/${string}${Query}` ? GameView :
  Path extends `/api/admin/persons/${string}${Query}` ? PersonView :
  Path extends `/api/admin/studies/${string}${Query}` ? StudyView :
  Path extends `/api/games/${string}/options${Query}` ? Record<string, OptionAbout> :
  Path extends `/api/models/${string}/step${Query}` ? StepAnswer :
  Path extends `/api/models/${string}/values${Query}` ? ValuesAnswer :
  Path extends `/api/puzzles/${string}/hint${Query}` ? StepHint :
  Path extends `/api/puzzles/${string}/solution${Query}` ? SolutionAnswer :
  Path extends `/api/puzzles/${string}/try${Query}` ? TryAnswer :
  Path extends `/api/rooms/${string}/again${Query}` ? NextGame :
  Path extends `/api/rooms/${string}/people${Query}` ? Array<OtherPerson> :
  Path extends `/api/rooms/${string}/seats${Query}` ? CreatedRoom :
  Path extends `/api/study/kept/${string}${Query}` ? StudyInfo :
  Path extends `/api/lessons/${string}${Query}` ? LessonAnswer :
  Path extends `/api/models/${string}${Query}` ? ModelAnswer :
  Path extends `/api/puzzles/${string}${Query}` ? PuzzleAnswer :
  never;
