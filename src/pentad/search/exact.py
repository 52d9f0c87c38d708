"""Exact values: the one answer to whether the value of a position is known, from whatever source knows it.

The sources are asked in this order: the rules, the opening book, the game's stored values (Pentago's slices), its
solver, and its proofs. The first three need no search and no kernels.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, TypeVar, cast

from pentad.game import GameError, Move, Position, game_of, shown
from pentad.game.standard_position import StandardPosition
from pentad.search.book import look_up
from pentad.search.report import Line, Report
from pentad.system.words import count, phrase

WIN, DRAW, LOSS = 1, 0, -1
RULES, BOOK, DATABASE = "rules", "book", "database"  # sources that need no search
SEARCH, RETROGRADE = "search", "retrograde"  # the solver: some plies, or all of them
PROOF = "proof"
VERBS = {WIN: "wins", DRAW: "draws", LOSS: "loses"}
PLURAL_VERBS = {WIN: "win", DRAW: "draw", LOSS: "lose"}
EVERY_MOVE = {WIN: "Every move wins.", DRAW: "Every move draws.", LOSS: "Every move loses."}
ONLY_MOVE = {WIN: "The only move wins.", DRAW: "The only move draws.", LOSS: "The only move loses."}
UNKNOWN_LENGTH = "The length of the win is not known."

P = TypeVar("P", bound=Position)


class Unsolved(GameError):
    """The exact value is not known within the limits; the message says why.

    `values` has the moves that are proved nevertheless, `distances` their distances to the end, if requested.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.values: dict[Move, int] = {}
        self.distances: dict[Move, int] = {}


@dataclass(frozen=True, slots=True)
class Proof:
    """A move with its proved value, as the function `prove` of a game's bots finds it.

    `moves` is the number of own moves until the winner has won, if it is known; `at_most` says whether fewer may do.
    `threats` are those of the win in words.
    """

    move: Move
    value: int = WIN
    moves: int | None = None
    at_most: bool = False
    threats: str = ""

    @property
    def claim(self) -> str:
        """What is proved, in words."""
        return claim_of(self.value, self.moves, at_most=self.at_most, threats=self.threats)


def claim_of(value: int, moves: int | None, *, at_most: bool = False, threats: str = "") -> str:
    """What is proved for the player to move, in words; the number counts the winner's own moves.

    >>> claim_of(WIN, 3), claim_of(LOSS, 2), claim_of(DRAW, None)
    ('wins in 3 moves', 'loses in 2 moves at the latest', 'keeps the draw')
    """
    if value == DRAW:
        text = "keeps the draw"
    elif moves is None:
        text = "wins" if value == WIN else "loses, like every other move"
    elif value == WIN and at_most:
        text = phrase("wins in {moves} at most", moves=count(moves, "move"))
    elif value == WIN:
        text = phrase("wins in {moves}", moves=count(moves, "move"))
    else:
        text = phrase("loses in {moves} at the latest", moves=count(moves, "move"))
    return f"{text}: {threats}" if threats else text


@dataclass(frozen=True)
class Solution(Generic[P]):
    """The exact value of a position for the player to move: 1 a win, 0 a draw, -1 a loss; and of its moves.

    `moves` has the moves whose values are known, which may be some of them. `turns` is the distance to the end in turns
    of both players, if one forces it as early and the other delays it as long as possible: 0 if a player has already
    won, None if it cannot be forced or is not known. `distances` has the same for moves, counted from before the move,
    as far as needed. `how` is the source: rules, book, database, search (some plies), retrograde (all plies) or proof.
    """

    position: P
    value: int
    moves: Mapping[Move, int] = field(default_factory=dict)
    turns: int | None = None
    distances: Mapping[Move, int] = field(default_factory=dict)
    how: str = RULES
    nodes: int = 0
    seconds: float = 0.0
    at_most: bool = False  # whether a proved win may need fewer turns
    threats: str = ""  # a proved win has them in words

    @cached_property
    def best(self) -> list[Move]:
        """The moves known to keep the value: the fastest wins or the slowest losses, if distances are known."""
        keep = [move for move, value in self.moves.items() if value == self.value]
        known = [self.distances[move] for move in keep if move in self.distances]
        if not known or self.value == DRAW:
            return keep
        wanted = min(known) if self.value == WIN else max(known)
        return [move for move in keep if self.distances.get(move) == wanted]

    @property
    def values(self) -> tuple[float, float]:
        """The value for each seat."""
        return for_seats(self.position.turn, self.value)

    @property
    def unknown(self) -> int:
        """The number of legal moves whose values are not known."""
        return 0 if self.position.outcome else len(self.position.legal_moves) - len(self.moves)

    @property
    def summary(self) -> str:
        """The numbers of moves that win, draw and lose, as a sentence."""
        return summary_of_moves(self.moves.values(), self.unknown)

    @property
    def claim(self) -> str:
        """What is proved for the player to move, such as `wins in 3 moves`."""
        moves = None if self.turns is None else in_moves(self.turns)
        return claim_of(self.value, moves, at_most=self.at_most, threats=self.threats)


def summary_of_moves(values: Iterable[int], unknown: int = 0) -> str:
    """The numbers of moves that win, draw and lose, as a sentence; `unknown` moves have values that are not known.

    >>> summary_of_moves([WIN, LOSS, LOSS]), summary_of_moves([LOSS, LOSS])
    ('1 of 3 moves wins, the other 2 lose.', 'Every move loses.')
    """
    found = Counter(values)
    kinds, total = [value for value in VERBS if found[value]], found.total() + unknown
    if not kinds:
        return "The values of the moves are not known."
    if found[kinds[0]] == total:
        return (ONLY_MOVE if total == 1 else EVERY_MOVE)[kinds[0]]
    clauses: list[str] = []
    for value in kinds:
        number = found[value]
        verb = (VERBS if number == 1 else PLURAL_VERBS)[value]
        if not clauses:
            clauses.append(f"{number:,} of {total:,} moves {verb}")
        elif value == kinds[-1] and not unknown:
            clauses.append(f"the other one {verb}" if number == 1 else f"the other {number:,} {verb}")
        else:
            clauses.append(f"{number:,} {verb}")
    if unknown:
        rest = "value of the other one is" if unknown == 1 else f"values of the other {unknown:,} are"
        clauses.append(f"the {rest} not known")
    return f"{', '.join(clauses)}."


def in_moves(turns: int) -> int:
    """Converts turns of both players to moves of one of them.

    >>> in_moves(1), in_moves(2), in_moves(7)
    (1, 1, 4)
    """
    return (turns + 1) // 2


def for_seats(mover: int, value: float) -> tuple[float, float]:
    """Converts a value for the mover to values of both seats."""
    return (value, 0.0 - value) if mover == 0 else (0.0 - value, value)


def exact_value(
    position: P,
    *,
    moves: bool = False,
    depth: bool = False,
    seconds: float | None = 0.0,
    book: bool = True,
    **limits: Any,
) -> Solution[P] | None:
    """The exact value of a position, or None where it is not known within the limits.

    Without `seconds` only sources are asked that need no search, so the answer is there at once. With `seconds` the
    game's solver and its proofs may search so long; None means as much work as they need, the same on every machine.
    With `moves` the value of every move is sought, with `depth` the distance to the end, too. `limits` are others of
    the solver, such as `memory` in bytes. Without `book` the opening book is not asked.

    >>> from pentad import new
    >>> found = exact_value(new("pentago"))
    >>> found.value, found.how, str(found.best[0])
    (1, 'book', 'a1 1A')
    >>> exact_value(new("pente")) is None
    True
    """
    with suppress(Unsolved):
        return solve(position, moves=moves, depth=depth, seconds=seconds, book=book, **limits)
    return None


def solve(
    position: P,
    *,
    moves: bool = True,
    depth: bool = False,
    seconds: float | None = None,
    book: bool = True,
    **limits: Any,
) -> Solution[P]:
    """The exact value of a position and of its moves, by a search if necessary; `Unsolved` says why it is not known."""
    if not isinstance(position, Position):
        raise GameError("Only positions can be solved, not {position}.", position=shown(position))
    began = time.monotonic()
    if position.players != 2:
        raise Unsolved(
            phrase("Exact values are known for two players only, not for {players}.", players=position.players)
        )
    known = _by_rules(position) or (_by_book(position, moves) if book else None) or _stored(position)
    lacks = known and known.how == DATABASE and ((moves and not known.moves) or (depth and known.value))
    if known is None or (lacks and seconds != 0):
        try:
            known = _searched(position, moves, depth, seconds, limits)
        except Unsolved:
            if known is None:
                raise
    return replace(known, seconds=time.monotonic() - began)


# ── the sources ──────────────────────────────────────────────────────────────────────────────────


def _by_rules(position: P) -> Solution[P] | None:
    if not position.outcome:
        return None
    worth = position.outcome.returns[position.turn]
    value = (worth > 0) - (worth < 0)
    return Solution(position, value, turns=0 if value else None)


def _by_book(position: P, moves: bool) -> Solution[P] | None:
    """The value by the book, with the moves of its page; with `moves`, of all moves if the book has the results."""
    page = look_up(position)
    if page is None:
        found = _after_each_move(position)  # the middle of a turn has no page
        return Solution(position, max(found.values()), found, how=BOOK) if found else None
    if not page.exact:
        return None
    value = round(page.moves[0][1])
    best = {move: round(worth) for move, worth in page.moves}
    if value == LOSS:  # no other move can be better
        best |= dict.fromkeys(position.legal_moves, LOSS) if moves else {}
    elif moves:
        best |= _after_each_move(position)
    return Solution(position, value, best, how=BOOK)


def _after_each_move(position: Position) -> dict[Move, int]:
    """The value of each move by the book; empty if it lacks one of the results."""
    results: dict[Position, int] = {}
    values: dict[Move, int] = {}
    for move in position.legal_moves:
        after = position.play(move)
        if after not in results:
            page = look_up(after)
            if page is None or not page.exact:
                return {}
            results[after] = -round(page.moves[0][1])
        values[move] = results[after]
    return values


def _part(position: Position, part: str, name: str) -> Any:
    """A function of one of the game's parts; None where the game has no such part or the part lacks it."""
    kind = game_of(position)
    return getattr(kind.module(part), name, None) if kind.has(part) else None


def _stored(position: P) -> Solution[P] | None:
    """The solution by the values that the game's part `exact` has stored."""
    stored = _part(position, "exact", "stored")
    return cast(Solution[P], stored(position)) if stored else None


def _searched(position: P, moves: bool, depth: bool, seconds: float | None, limits: Mapping[str, Any]) -> Solution[P]:
    """The solution by the game's solver, else by its proofs."""
    if seconds == 0:
        raise Unsolved("The value is not known without a search.")
    why = Unsolved(phrase("{title} has no exact values.", title=game_of(position).title))
    if by_solver := _part(position, "exact", "solve"):
        try:
            return cast(Solution[P], by_solver(position, moves=moves, depth=depth, seconds=seconds, **limits))
        except Unsolved as error:
            why = error
    proved = _of_fixed_work(position) if seconds is None else _proved(position, seconds)
    if proved is None:
        raise why
    return proved


def _of_fixed_work(position: P) -> Solution[P] | None:
    """The value by the proofs of the game's part `prover`."""
    proved = _part(position, "prover", "proved")
    value = proved(position) if proved else None
    return None if value is None else Solution(position, value, how=PROOF)


def _proved(position: P, seconds: float) -> Solution[P] | None:
    """What the function `prove` of the game's bots finds in some seconds."""
    prove = getattr(game_of(position).module("bot"), "prove", None)
    found = cast(Proof | None, prove(position, seconds=seconds)) if prove else None
    if found is None:
        return None
    move, value = found.move, found.value
    turns = None if found.moves is None else 2 * found.moves - (value == WIN)
    distances = {} if turns is None else {move: turns}
    return Solution(
        position, value, {move: value}, turns, distances, PROOF, at_most=found.at_most, threats=found.threats
    )


# ── lines ────────────────────────────────────────────────────────────────────────────────────────


def reports(found: Solution[P], lines: int, memory: int) -> Iterator[Report]:
    """Reports with the best lines: by the game's part `exact`, or at once where no search adds to them."""
    by_search = _part(found.position, "exact", "reports")
    if by_search and found.moves and found.how != BOOK:
        yield from by_search(found, lines, memory)
    else:
        yield report_of(found, lines)


def report_of(found: Solution[P], lines: int) -> Report:
    """A report with the best known moves, one of those that a symmetry exchanges, and what follows by the book."""
    seat, standard = found.position.turn, StandardPosition(found.position)
    ranked = sorted(found.moves, key=lambda move: -found.moves[move])  # the book's own moves stay first
    chosen: dict[str, Move] = {}
    for move in ranked:
        if len(chosen) < lines:
            chosen.setdefault(standard.name(move), move)
    made = [
        Line((move, *_best_play(found.position.play(move))), for_seats(seat, found.moves[move]))
        for move in chosen.values()
    ]
    return Report(seat, 0, found.nodes, found.seconds, tuple(made or [Line((), found.values)]), True, found.how)


def _best_play(position: Position) -> Iterator[Move]:
    """The best moves from a position, as far as the book goes."""
    while (known := look_up(position)) and known.exact:
        move = known.moves[0][0]
        yield move
        position = position.play(move)
