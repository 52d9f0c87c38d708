"""Conformance kit: `check_game` checks that a game keeps the contract of all games.

    >>> from pentad.games.testing import check_game
    >>> report = check_game("pentago", plays=2)
    >>> report.positions > 20
    True

Each invariant is one function below and one row in `INVARIANTS`. It gets a position from random play, and reports a
violation with an `AssertionError` that names the position.
"""

from __future__ import annotations

import itertools
import json
import pickle
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, NamedTuple
from xml.etree import ElementTree

from pentad.game import Choices, GameError, IllegalMove, InvalidMove, Move, Outcome, Position, game, load, new, perft
from pentad.games.encoding import encoding, steps
from pentad.record import Node, Record, Value
from pentad.system.words import phrase

__all__ = ["CheckReport", "check_game"]

PERFT_AT_MOST = 300_000  # larger counts of a perft table are left to slow tests
_DIGIT = "\N{ARABIC-INDIC DIGIT ONE}"
INVALID_MOVES = ("", " ", "?", "\x00", "é", "0", "a2 1C a2 1C a2 1C", "-1", "9" * 400, "[", "(None,)", _DIGIT)


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The numbers of checks of each kind."""

    positions: int
    moves: int
    finished: int
    perft_counts: int


class _Sample(NamedTuple):
    """A position of a random game, with a random generator and moves from other positions to try."""

    position: Position
    rng: random.Random
    foreign_moves: list[Move]


def check_game(name: str, plays: int = 20, seed: int = 0, **options: object) -> CheckReport:
    """Plays random games with these options and checks the invariants at their positions."""
    check_options(name, **options)
    rng = random.Random(seed)
    positions = moves = finished = 0
    foreign_moves: list[Move] = []
    for _ in range(plays):
        here = new(name, **options)
        record = Record(here)
        while True:
            sample = _Sample(here, rng, foreign_moves)
            for invariant, often in INVARIANTS:
                if positions < 3 or here.outcome or rng.random() < often:
                    _check_invariant(invariant, sample)
            positions += 1
            if here.outcome:
                break
            move = rng.choice(here.legal_moves)
            foreign_moves.append(move)
            _annotate(record.end.play(move), rng)
            if here.ply > 0 and rng.random() < 0.2:
                record.end.parent.play(rng.choice(here.legal_moves)).comment = "instead"  # type: ignore[union-attr]
            here = here.play(move)
            moves += 1
            del foreign_moves[:-50]
        finished += 1
        check_record(record)
    return CheckReport(positions, moves, finished, check_perft(name, **options))


def _check_invariant(invariant: Callable[[_Sample], None], sample: _Sample) -> None:
    try:
        invariant(sample)
    except Exception as broken:
        what, why = (invariant.__doc__ or "").strip(), f"{type(broken).__name__}: {broken}"
        raise AssertionError(
            phrase("{what}\n  broken at: {position}\n  {why}", what=what, position=sample.position.text, why=why)
        ) from broken


def _is_one_line(text: str) -> bool:
    return bool(text) and "\n" not in text and text == text.strip()


# ── invariants of every position ────────────────────────────────────────────────────────────────


def positions_have_texts(sample: _Sample) -> None:
    """A position's text is one line that begins with the game's name and loads an equal position."""
    here = sample.position
    assert _is_one_line(here.text), "the text is not one line"
    assert here.text.split()[0] == here.game, "the text does not begin with the game's name"
    again = load(here.text)
    assert again == here, f"it loads as {again.text}"
    assert hash(again) == hash(here), "equal positions have different hashes"
    assert pickle.loads(pickle.dumps(here)) == here, "it does not survive pickling"
    assert here != new(here.game, **here.options) or here.ply == 0, "it equals the first position"


def seats_agree(sample: _Sample) -> None:
    """Turn, players, ply, colours and options are consistent."""
    here = sample.position
    assert 0 <= here.turn < here.players, f"turn {here.turn} of {here.players} players"
    assert here.ply >= 0
    assert len({here.colour_of(seat) for seat in range(here.players)}) == here.players, "two seats share a colour"
    assert new(here.game, **here.options).options == here.options, "its options do not make an equal game"


def moves_agree(sample: _Sample) -> None:
    """`len`, iteration, indexing and `in` of the legal moves agree, and every move is unique."""
    here, rng = sample.position, sample.rng
    legal = here.legal_moves
    count = 0
    seen = set()
    for move in itertools.islice(legal, 3000):
        count += 1
        seen.add(move)
    assert len(seen) == count, "a move comes twice"
    assert len(legal) == count or count == 3000, f"len is {len(legal)}, iteration gives {count}"
    assert bool(len(legal)) == (here.outcome is None), "there are legal moves exactly while the game goes on"
    for index in (0, -1, *(rng.randrange(len(legal)) for _ in range(3))) if count else ():
        move = legal[index]
        assert move in legal, f"{move} is at {index}, but `in` refuses it"
        assert isinstance(move, Move), f"{move!r} is not a Move"
        assert count == 3000 or move in seen, f"{move} is at {index} but not among those iterated"
    assert legal[:2] == list(itertools.islice(legal, 2)), "a slice differs"
    _assert_raises(lambda: legal[len(legal)], IndexError)


def moves_play(sample: _Sample) -> None:
    """A legal move can be parsed from its text and played; the position itself does not change."""
    here = sample.position
    before, described = here.text, hash(here)
    for move in _some_moves(sample, 8):
        assert here.parse(str(move)) == move, f"{move} reads back as {here.parse(str(move))}"
        after = here.play(move)
        assert after == here.play(str(move)), f"{move} plays differently as text"
        assert after != here, f"{move} changes nothing"
        assert after.ply == here.ply + 1, f"{move} goes from ply {here.ply} to {after.ply}"
        assert (after.players, after.game, after.options) == (here.players, here.game, here.options)
        assert _is_one_line(here.describe(move)), f"{move} has no description of one line"
    assert (here.text, hash(here)) == (before, described), "playing changed the position"


def legal_is_playable(sample: _Sample) -> None:
    """A move is among the legal moves exactly if it can be played and no part of it is ignored."""
    here = sample.position
    for move in sample.foreign_moves[-20:]:
        try:
            here.play(move)
        except GameError as error:
            assert move not in here.legal_moves, f"{move} is legal but refused: {error}"
            assert _is_one_line(str(error)), f"the reason against {move} is not one line"
        else:
            plain = here.parse(str(move))
            assert plain in here.legal_moves, f"{plain} is not legal but plays"
            assert (move in here.legal_moves) == (move == plain), f"`in` accepts {move}, whose notation is {plain}"


def choices_agree(sample: _Sample) -> None:
    """The choices lead, step by step, to exactly the legal moves, and positions within a turn are positions."""
    here, rng = sample.position, sample.rng
    for move in _some_moves(sample, 4):
        for count in range(len(move)):
            begun = move[:count]
            choices = here.choices(begun)
            assert choices.prompt, "choices() has no prompt"
            assert move[count] in [choice.step for choice in choices], f"{move[count]} is no choice after {begun}"
            assert here.partial(begun).choices() == choices, f"choices differ within the turn, after {begun}"
            if count:
                assert here.parse(str(Move(begun))) == Move(begun), f"{Move(begun)} does not read back"
                _check_within(here, here.partial(begun), Move(begun), Move(move[count:]), here.play(move))
        assert Move(choice.step for choice in here.choices_of(move)) == move, f"{move} has other choices"
        assert here.choices(move).may_end, f"{move} may not end"
    steps: list[object] = []  # choices are random, as if a person clicked
    while here.outcome is None:
        choices = here.choices(steps)
        _check_choices(choices)
        if choices.may_end and (not choices or rng.random() < 0.5):
            assert Move(steps) in here.legal_moves, f"{Move(steps)} is a complete turn but not legal"
            break
        assert choices, f"no choice after {Move(steps)}, and the turn may not end"
        steps.append(rng.choice(choices).step)


def _check_choices(choices: Choices) -> None:
    assert len({choice.step for choice in choices}) == len(choices), "a step is offered twice"
    assert len({choice.targets for choice in choices}) == len(choices), "two choices have the same targets"
    assert pickle.loads(pickle.dumps(choices)) == choices, "choices do not survive pickling"
    for choice in choices:
        assert choice.targets, f"{choice} cannot be touched"
        assert _is_one_line(choice.label), f"{choice} has no label"


def _check_within(here: Position, within: Position, begun: Move, rest: Move, after: Position) -> None:
    assert (within.turn, within.ply) == (here.turn, here.ply), f"the seat changes within a turn, after {begun}"
    assert within != here, f"{begun} changes nothing"
    assert load(within.text) == within, f"the position after {begun} does not load from {within.text}"
    assert within.outcome is None, f"the game ends before {rest}"
    assert rest in within.legal_moves, f"{rest} does not finish the turn after {begun}"
    assert within.play(rest) == after, f"{begun} and then {rest} is not the whole move"
    assert within.parse(str(rest)) == rest, f"{rest} does not read back within the turn"


def outcomes_agree(sample: _Sample) -> None:
    """An outcome's winners, returns and reason agree; after the end no move can be played."""
    here = sample.position
    outcome = here.outcome
    if outcome is None:
        return
    assert _is_one_line(outcome.reason), "the outcome has no reason"
    assert len(outcome.returns) == here.players, "there is not one return for each seat"
    assert abs(sum(outcome.returns)) < 1e-9, f"the returns {outcome.returns} do not sum to 0"
    assert outcome == Outcome.of(outcome.winners, here.players, outcome.reason), (
        "the returns are not those of its winners"
    )
    assert not here.choices(), "there are choices after the end"
    for move in sample.foreign_moves[-3:]:
        _assert_raises(lambda move=move: here.play(move), GameError)  # type: ignore[misc]


def invalid_moves_are_refused(sample: _Sample) -> None:
    """Invalid moves, as text or other objects, are refused with a message of one line."""
    here = sample.position
    for text in INVALID_MOVES:
        for call in (here.parse, here.play, here.partial, here.choices):
            try:
                call(text)
            except (InvalidMove, IllegalMove) as error:
                assert _is_one_line(str(error)), f"{call.__name__}({text!r}) says {str(error)!r}"
                assert len(str(error)) < 300, f"{call.__name__}({text[:20]!r}) has an error of more than 300 characters"
            else:
                assert not text.strip() and call in (here.partial, here.choices), f"{call.__name__} takes {text!r}"
    for thing in (None, 7, 1.5, object(), [None], (("x",),), Move([object()])):
        _assert_raises(lambda thing=thing: here.play(thing), GameError)  # type: ignore[misc]
        assert thing not in here.legal_moves
    for thing in (None, 7, 1.5, b"", ()):
        _assert_raises(lambda thing=thing: here.parse(thing), InvalidMove)  # type: ignore[misc]


def symmetries_agree(sample: _Sample) -> None:
    """Every declared symmetry maps moves, positions and outcomes consistently."""
    here = sample.position
    if symmetries := here.symmetries:
        assert symmetries[0].position(here) == here, "the first symmetry is not the identity"
        assert len({symmetry.name for symmetry in symmetries}) == len(symmetries), "two symmetries share a name"
    for symmetry in symmetries:
        image = symmetry.position(here)
        assert image.outcome == here.outcome, f"{symmetry.name}: the outcome differs"
        assert len(image.legal_moves) == len(here.legal_moves), f"{symmetry.name}: the number of moves differs"
        for move in _some_moves(sample, 2):
            assert image.play(symmetry.move(move)) == symmetry.position(here.play(move)), (
                f"{symmetry.name}: {move} gives another position"
            )


def drawings_agree(sample: _Sample) -> None:
    """The picture is well-formed and has all targets of the choices; the text has the same lines."""
    here = sample.position
    move = next(iter(_some_moves(sample, 1)), None)
    shown = here.play(move) if move else here
    for flip in (False, True):
        root = ElementTree.fromstring(shown.svg(last=move, flip=flip))
        assert root.tag.endswith("svg"), "the picture is not SVG"
        targets = {element.get("data-target") for element in root.iter()}
        wanted = {target for choice in shown.choices() for target in choice.targets}
        assert wanted <= targets, f"the picture has no {', '.join(sorted(wanted - targets)[:5])}"
        for size in shown.sizes:
            drawn = shown.spans(last=move, flip=flip, size=size)
            assert any(role == "status" for line in drawn for _, role in line), f"size {size} has no status"
    assert "<style" not in shown.svg(style=False)
    assert "\n" not in shown.legend
    assert str(shown).splitlines() == ["".join(text for text, _ in line).rstrip() for line in shown.spans()]


def encodings_agree(sample: _Sample) -> None:
    """If the game has an encoding, each step has a number of its own, and all positions have the same planes."""
    here = sample.position
    if not game(here.game).has("encoding"):
        return
    kind, first = encoding(here), new(here.game, **here.options)
    actions, names = kind.actions(first), [*kind.planes(first, 0)]
    height, width = kind.shape(first)
    move = next(iter(_some_moves(sample, 1)), Move())
    for within in (here, *(here.partial(move[:count]) for count in range(1, len(move)))):
        numbers = steps(within)
        assert len(numbers) == len(within.choices()), "two steps have the same number"
        assert all(0 <= number < actions for number in numbers), f"a step's number is not below {actions}"
        for seat in range(here.players):
            planes = kind.planes(within, seat)
            assert [*planes] == names, "the planes are not those of the first position"
            assert all(0 <= plane < 1 << height * width for plane in planes.values()), "a plane is too large"


INVARIANTS: tuple[tuple[Callable[[_Sample], None], float], ...] = (  # each with how often it is checked
    (positions_have_texts, 1),
    (seats_agree, 0.2),
    (moves_agree, 0.2),
    (moves_play, 0.5),
    (legal_is_playable, 0.5),
    (choices_agree, 0.3),
    (outcomes_agree, 1),
    (invalid_moves_are_refused, 0.05),
    (symmetries_agree, 0.2),
    (drawings_agree, 0.05),
    (encodings_agree, 0.2),
)


def _some_moves(sample: _Sample, count: int) -> Iterator[Move]:
    if legal := sample.position.legal_moves:
        yield from (sample.rng.choice(legal) for _ in range(count))


def _assert_raises(call: Callable[[], object], error: type[Exception]) -> None:
    try:
        call()
    except error as refused:
        assert _is_one_line(str(refused)), f"the refusal is not one line: {str(refused)!r}"
    else:
        raise AssertionError(phrase("{kind} was expected", kind=error.__name__))


# ── invariants of options, records and counts ───────────────────────────────────────────────────


def check_options(name: str, **options: object) -> None:
    """Unknown options and invalid values are refused with the option's name."""
    kind = game(name)
    wrong: list[dict[str, object]] = [{"no_such_option": 1}, *({option: object()} for option in kind.options)]
    for given in wrong:
        try:
            kind.new(**given)
        except GameError as error:
            assert _is_one_line(str(error)), f"the refusal of {given} is not one line"
            assert next(iter(given)) in str(error), f"the refusal of {given} does not name it"
        else:
            raise AssertionError(phrase("the invalid option {given} was accepted", given=given))
    start = kind.new(**options)
    for option, value in options.items():
        assert start.options[option] == value, f"option {option} is {start.options[option]}, not {value}"


def check_record(record: Record) -> None:
    """A record can be read from its text, strictly and leniently, with all annotations."""
    text = record.text
    again = Record.read(text)
    assert again.text == text, "a record changes when it is read and written"
    assert again.position == record.position, "a record gives another position when it is read"
    annotated = attrgetter("move", "comment", "clock", "value")
    assert list(map(annotated, again.nodes())) == list(map(annotated, record.nodes())), "annotations differ"
    assert Record.read(text, strict=False).moves == record.moves, "lenient reading finds other moves"
    plain = "\n".join(map(str, record.moves))
    if record.start == record.game.new():
        assert Record.read(plain, strict=False, game=record.game.name).moves == record.moves, (
            "moves without annotations differ"
        )
    merged = Record(record.start)
    merged.merge(record)
    merged.merge(record)
    assert [node.move for node in merged.nodes()] == [node.move for node in record.nodes()], "merging changes the tree"


def _annotate(node: Node, rng: random.Random) -> None:
    if rng.random() < 0.3:
        node.comment = rng.choice(
            ("good", "a {brace} and \\ a slash", "[%clk 1:00:00] is no clock", "two\nlines", "é ♟")
        )
    if rng.random() < 0.3:
        node.clock = rng.randrange(10_000_000) / 1000
    if rng.random() < 0.3:
        node.value = Value(rng.randrange(-10_000, 10_001) / 10_000, rng.random() < 0.5)


def check_perft(name: str, **options: object) -> int:
    """Checks the game's perft counts for these options, except large ones; returns the number of counts checked."""
    start = new(name, **options)
    checked = 0
    for row in perft_table(name):
        if new(name, **row["options"]) == start:
            for depth, count in enumerate(row["counts"], 1):
                if count <= PERFT_AT_MOST:
                    found = perft(start, depth)
                    assert found == count, f"perft {depth} of {start.text} is {found}, not {count}"
                    checked += 1
    return checked


def perft_table(name: str) -> list[dict[str, Any]]:
    """The perft table of a game: rows of `options`, and `counts` by depth from 1; empty if it has none."""
    table: list[dict[str, Any]] = json.loads(game(name).data("perft.json") or "[]")
    return table
