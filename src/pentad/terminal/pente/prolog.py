"""Pente as in Prolog: the predicates of the requirement document, queries, their prompt, and `play` in Python.

    ?- start([size(7)], G), move(G, d4, Next), value(Next, w, Value).

Points are atoms such as `d4`, since Prolog reads `D4` as a variable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any, NamedTuple, cast

from pentad.game import GameError, IllegalMove, did_you_mean, shown
from pentad.games.pente import predicates
from pentad.games.pente.beam import BEAM, NAME, BeamOptions, name_of, options_help
from pentad.games.pente.notation import COLOURS
from pentad.games.pente.predicates import BOT, HUMAN, PLAYERS, game, read_options
from pentad.games.pente.prolog_terms import Bindings, Compound, Term, bound, match, read_query, variables, written
from pentad.search.bot import bot_maker
from pentad.system.words import count, phrase, table
from pentad.terminal import main, streams

# ── terms and what they stand for ────────────────────────────────────────────────────────────────


def term_of(state: game) -> Term:
    """The term of a state: `game(Board, P, [Wc, Bc], Turn, Options)`."""
    options = {field.name: getattr(state.options, field.name) for field in fields(BeamOptions)}
    given = [
        Compound(name, (_term_of_value(value),))
        for name, value in options.items()
        if value is not None or name not in BEAM
    ]
    return Compound("game", (state.board, state.player, state.captures, state.turn, given))


def _term_of_value(value: bool | int | tuple[int, ...]) -> Term:
    """The term of an option's value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return list(value) if isinstance(value, tuple) else value


def state_of(term: Term) -> game:
    """The state that a term stands for."""
    if not isinstance(term, Compound) or term.name != "game" or len(term.args) != len(game._fields):
        raise GameError("A game is game(Board, P, [Wc, Bc], Turn, Options), not {term}.", term=shown(term))
    board, player, captures, turn, options = cast(tuple[Any, ...], term.args)
    return game(board, player, captures, turn, BeamOptions.of(**read_options(options)))


# ── the predicates ───────────────────────────────────────────────────────────────────────────────


class Halted(Exception):
    """The query was `halt`."""


class Predicate(NamedTuple):
    """A predicate: its form, the number of arguments that must be known, and what it does with these.

    If there is another argument, `call` returns the terms for which the predicate is true.
    """

    form: str
    known: int
    help: str
    call: Callable[..., Iterable[Term] | None]


def _play(options: Term) -> None:
    given = cast(dict[str, Any], read_options(options))
    for colour in COLOURS:
        if (who := given.get(colour, HUMAN)) not in (HUMAN, BOT):
            bot_maker("pente", str(who), programs=True)  # refuses an unknown name before the game
    play(**given)


def _help() -> None:
    print(f"{options_help()}\n\nPredicates:")
    print("\n".join(table((each.form, each.help) for each in TABLE)))


def _halt() -> None:
    raise Halted


def _start(options: Term) -> list[Term]:
    return [term_of(predicates.start(**read_options(options)))]


def _valid_moves(board: Any, turn: Any = None, rule: Term = "true") -> list[Term]:
    flag = cast(Any, {"true": True, "false": False}.get(str(rule), rule))
    return [[str(stone).lower() for stone in predicates.valid_moves(board, turn, flag)]]


def _move(state: Term, move: Term) -> list[Term]:
    if not isinstance(move, str):
        raise GameError("A move is an atom such as k10, not {move}.", move=shown(move))
    return [term_of(predicates.move(state_of(state), move.upper()))]


def _game_over(state: Term) -> list[Term]:
    here = state_of(state)
    return [player for player in PLAYERS if predicates.game_over(here, player)]


def _value(state: Term, player: Any = None) -> list[Term]:
    here = state_of(state)
    return [predicates.value(here, here.player if player is None else player)]


def _choose_move(state: Term) -> list[Term]:
    return [str(predicates.choose_move(state_of(state))).lower()]


TABLE = (
    Predicate("play(Options)", 1, "play a game with the options in the list", _play),
    Predicate("play", 0, "play a game with the default options", lambda: _play([])),
    Predicate("help", 0, "show this help", _help),
    Predicate("start(Options, Game)", 1, "the first state: game(Board, P, [Wc, Bc], Turn, Options)", _start),
    Predicate("start(Game)", 0, "the first state with the default options", lambda: _start([])),
    Predicate("valid_moves(Board, Moves)", 1, "the empty points of a board, such as d4", _valid_moves),
    Predicate(
        "valid_moves(Board, Turn, Moves)", 2, "the legal points at a turn, with the tournament rule", _valid_moves
    ),
    Predicate("valid_moves(Board, Turn, Rule, Moves)", 3, "the same, with the rule true or false", _valid_moves),
    Predicate("move(Game, Move, NextGame)", 2, "the state after a move", _move),
    Predicate("game_over(Game, Player)", 1, "whether a player, w or b, has won", _game_over),
    Predicate("value(Game, Value)", 1, "the value of the board for the player to move", _value),
    Predicate("value(Game, Player, Value)", 2, "the value for w or b", _value),
    Predicate("choose_move(Game, Move)", 1, "the move of the bot", _choose_move),
    Predicate("display_game(Game)", 1, "draw the board", lambda state: predicates.display_game(state_of(state))),
    Predicate("halt", 0, "leave; Ctrl-D does too", _halt),
)


def _signature(term: Term) -> tuple[str, int]:
    """The name and the number of arguments of a goal."""
    if isinstance(term, Compound):
        return term.name, len(term.args)
    if not isinstance(term, str):
        raise GameError("A goal is a predicate such as help or play([size(13)]), not {term}.", term=shown(term))
    return term, 0


PREDICATES: Mapping[tuple[str, int], Predicate] = {_signature(read_query(each.form)[0]): each for each in TABLE}


# ── queries ──────────────────────────────────────────────────────────────────────────────────────

MOST_GOALS = 50


class QueryAnswer(NamedTuple):
    """Whether a query is true, and the text of the answer."""

    is_true: bool
    text: str


class Queries:
    """Answers queries. `$X` in a query is the value of `X` in the last query that gave it one.

    >>> queries = Queries()
    >>> queries.answer("start([size(7)], G), game_over(G, w).").text
    'false.'
    >>> print(queries.answer("start([size(7)], game(Board, Player, _, Turn, _)), valid_moves(Board, Turn, Moves)").text)
    Board = [[c, c, c, c, c, c, c], ...],
    Player = w,
    Turn = 0,
    Moves = [d4].
    """

    def __init__(self) -> None:
        self._values: Bindings = {}
        self._refusal = ""  # why the last move was not legal

    def answer(self, text: str) -> QueryAnswer:
        """Answers a query with its first solution; raises GameError for one that cannot be read or answered."""
        goals = [bound(goal, self._values) for goal in read_query(text)]
        if len(goals) > MOST_GOALS:
            raise GameError(
                "A query has at most {most_goals} goals, not {count}.", most_goals=MOST_GOALS, count=len(goals)
            )
        names = list(dict.fromkeys(each.name for goal in goals for each in variables(goal)))
        for name in names:
            if name.startswith("$"):
                raise GameError("{name}: No query has given {variable} a value yet.", name=name, variable=name[1:])
        self._refusal = ""
        found = next(self._solutions(goals, {}), None)
        if found is None:
            return QueryAnswer(False, f"% {self._refusal}\nfalse." if self._refusal else "false.")
        given = {name: found[name] for name in names if name in found and not name.startswith("_")}
        self._values = {**self._values, **{f"${name}": value for name, value in given.items()}}
        lines = [f"{name} = {written(value)}" for name, value in given.items()] or ["true"]
        return QueryAnswer(True, ",\n".join(lines) + ".")

    def _solutions(self, goals: list[Term], bindings: Bindings) -> Iterator[Bindings]:
        """Yields the bindings with which all goals are true."""
        if not goals:
            yield bindings
            return
        goal = bound(goals[0], bindings)
        name, arity = _signature(goal)
        predicate = _predicate(name, arity)
        args = goal.args if isinstance(goal, Compound) else ()
        known = args[: predicate.known]
        if unknown := [each.name for arg in known for each in variables(arg)]:
            raise GameError("{form}: {unknown} has no value yet.", form=predicate.form, unknown=unknown[0])
        try:
            values = predicate.call(*known)
        except IllegalMove as error:
            self._refusal = str(error)
            return
        if len(args) == predicate.known:
            yield from self._solutions(goals[1:], bindings)
            return
        for value in values or ():
            matched = match(args[-1], value, bindings)
            if matched is not None:
                yield from self._solutions(goals[1:], matched)

    @staticmethod
    def completions(_: str, text: str) -> list[str]:
        """The predicates that begin with a word; what stands before it does not matter."""
        return [name for name in dict.fromkeys(name for name, _ in PREDICATES) if name.startswith(text)]


def _predicate(name: str, arity: int) -> Predicate:
    """The predicate with a name and a number of arguments."""
    if found := PREDICATES.get((name, arity)):
        return found
    forms = [each.form for (known, _), each in PREDICATES.items() if known == name]
    if forms:
        raise GameError(
            "{written} is written {forms}, not with {arguments}.",
            written=written(name),
            forms=" or ".join(forms),
            arguments=count(arity, "argument"),
        )
    known = list(dict.fromkeys(known for known, _ in PREDICATES))
    tip = did_you_mean(name, known) or phrase("The predicates are {known}. ", known=", ".join(known))
    raise GameError("Unknown predicate {name}. {tip}help shows their forms.", name=shown(name), tip=tip)


# ── the prompt ───────────────────────────────────────────────────────────────────────────────────

EXIT_TRUE, EXIT_FALSE, EXIT_WRONG = 0, 1, 2


def answer_goal(goal: str) -> int:
    """Answers a query; returns 0 if it is true, else 1."""
    try:
        answer = Queries().answer(goal)
    except Halted:
        return EXIT_TRUE
    print(answer.text)
    return EXIT_TRUE if answer.is_true else EXIT_FALSE


def run_prompt() -> int:
    """Answers queries until `halt` or the end of the input; returns 2 if a query of a pipe could not be answered."""
    queries, at_terminal, code = Queries(), streams.is_terminal(), EXIT_TRUE
    if at_terminal:
        print("Pente, as in Prolog. Type help. for the predicates, halt. to leave.\n")
    while True:
        line: str | None = ""
        try:
            line = _read(queries, at_terminal)
            if line is None:
                break
            if line.strip():
                print(queries.answer(line).text, end="\n\n" if at_terminal else "\n", flush=True)
        except Halted:
            break
        except GameError as error:
            streams.print_error(str(error))
            code = EXIT_WRONG
        except KeyboardInterrupt:
            if not at_terminal:
                raise
            print("\n% Execution Aborted\n" if line else "")
    return EXIT_TRUE if at_terminal else code


def _read(queries: Queries, at_terminal: bool) -> str | None:
    """The next line; None at the end of the input."""
    return streams.prompt("?- ", queries.completions) if at_terminal else streams.read_line()


# ── in Python ────────────────────────────────────────────────────────────────────────────────────

STOPPED = 130  # the exit code after Ctrl-C


def play(
    ask: str | None = None,
    /,
    *,
    white: str = HUMAN,
    black: str = BOT,
    seconds: float | None = None,
    seed: int | None = None,
    **options: object,
) -> None:
    """Plays a game in the terminal with the options of the document: `play(size=13, difficulty=1, rule=False)`.

    The document's own line is understood as a text: `play("play([size(13), difficulty(1), rule(false)])")`, or its list
    alone. `white` and `black` are `human`, `bot` (with these options) or the name of another bot; `play("help")` lists
    the options. The game works like `pentad play pente`, with the same commands.
    """
    seats = {"white": white, "black": black}
    if ask is not None:
        given = _read_play(ask)
        if given is None:
            print(options_help())
            return
        if options:
            raise GameError("Options are given as a text or by name, not both.")
        seats |= {colour: str(given.pop(colour)) for colour in seats if colour in given}
        options = given
    arguments = _arguments(BeamOptions.of(**options), seats)
    if seconds is not None:
        arguments.append(f"--seconds={seconds}")
    if seed is not None:
        arguments.append(f"--seed={seed}")
    code = main(arguments)
    if code in (1, 2):
        raise GameError("pentad {arguments} failed; the reason is printed above.", arguments=" ".join(arguments))
    if code == STOPPED:
        raise KeyboardInterrupt
    if code > 128:  # it was stopped by another signal
        raise SystemExit(code)


def _arguments(options: BeamOptions, seats: dict[str, str]) -> list[str]:
    """The command-line arguments for a game."""
    arguments = ["play", "pente", f"--size={options.size}"]
    arguments.append("--tournament-rule" if options.tournament_rule else "--no-tournament-rule")
    arguments += ["--flip"] * options.flip
    return arguments + [
        f"--{colour}={name_of(options) if who in (BOT, NAME) else who}" for colour, who in seats.items()
    ]


def _read_play(text: str) -> dict[str, object] | None:
    """The options of `play([…])`, of its list alone or of `play`; None for `help`."""
    goal, *more = read_query(text)
    if goal == "help" and not more:
        return None
    if isinstance(goal, Compound) and goal.name == "play" and len(goal.args) == 1:
        (goal,) = goal.args
    elif goal == "play":
        goal = []
    if more or not isinstance(goal, list):
        raise GameError(
            'Expected options such as play([size(13)]), got {text}. play("help") lists them.', text=shown(text)
        )
    return read_options(goal)
