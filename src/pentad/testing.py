"""The conformance kit: `check_game` holds any game against what every game promises.

    >>> from pentad.testing import check_game
    >>> report = check_game("pentago", plays=2)
    >>> report.positions > 20
    True

Every promise is one function below and one line in `PROMISES`; each gets a position that came up in
random play and says what is broken with an `AssertionError` that names the position.
"""

from __future__ import annotations

import itertools
import json
import pickle
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import resources
from typing import Any
from xml.etree import ElementTree

from pentad.game import (
    PACKAGES,
    Choices,
    GameError,
    IllegalMove,
    InvalidMove,
    Move,
    Outcome,
    Position,
    game,
    load,
    new,
    perft,
)
from pentad.record import Record, Value

__all__ = ["Report", "check_game"]

PERFT_AT_MOST = 300_000  # larger counts of a perft table are for the slow tests
RUBBISH = (
    "",
    " ",
    "?",
    "\x00",
    "é",
    "0",
    "a2 1C a2 1C a2 1C",
    "-1",
    "9" * 400,
    "[",
    "(None,)",
    "\N{ARABIC-INDIC DIGIT ONE}",
)


@dataclass(frozen=True, slots=True)
class Report:
    """What was checked."""

    positions: int
    moves: int
    finished: int
    perft_counts: int


class _Moment:
    """A position of a random play, with chance and the moves seen elsewhere to try on it."""

    def __init__(self, position: Position, chance: random.Random, strangers: list[Move]) -> None:
        self.position, self.chance, self.strangers = position, chance, strangers


def check_game(name: str, plays: int = 20, seed: int = 0, **options: object) -> Report:
    """Play `plays` random games with these options and hold every promise against the positions on the way."""
    check_options(name, **options)
    chance = random.Random(seed)
    positions = moves = finished = 0
    strangers: list[Move] = []
    for _ in range(plays):
        here = new(name, **options)
        record = Record(here)
        while True:
            moment = _Moment(here, chance, strangers)
            for promise, often in PROMISES:
                if positions < 3 or here.outcome or chance.random() < often:
                    _hold(promise, moment)
            positions += 1
            if here.outcome:
                break
            move = chance.choice(here.legal_moves)
            strangers.append(move)
            _annotate(record.end.play(move), chance)
            if here.ply > 0 and chance.random() < 0.2:
                record.end.parent.play(chance.choice(here.legal_moves)).comment = "instead"  # type: ignore[union-attr]
            here = here.play(move)
            moves += 1
            del strangers[:-50]
        finished += 1
        check_record(record)
    return Report(positions, moves, finished, check_perft(name, **options))


def _hold(promise: Callable[[_Moment], None], moment: _Moment) -> None:
    try:
        promise(moment)
    except Exception as broken:
        what = (promise.__doc__ or promise.__name__).strip()
        raise AssertionError(
            f"{what}\n  broken at: {moment.position.text}\n  {type(broken).__name__}: {broken}"
        ) from broken


def _one_line(text: str) -> bool:
    return bool(text) and "\n" not in text and text == text.strip()


# ── promises about every position ────────────────────────────────────────────────────────────────


def texts_load(moment: _Moment) -> None:
    """A position's text is one line that begins with the game's name and loads an equal position."""
    here = moment.position
    assert _one_line(here.text), "the text is not one line"
    assert here.text.split()[0] == here.game, "the text does not begin with the game's name"
    again = load(here.text)
    assert again == here, f"it loads as {again.text}"
    assert hash(again) == hash(here), "equal positions have different hashes"
    assert pickle.loads(pickle.dumps(here)) == here, "it does not survive pickling"
    assert here != new(here.game, **here.options) or here.ply == 0, "it equals the first position"


def seats_agree(moment: _Moment) -> None:
    """Turn, players, ply, colours and options are what they can be."""
    here = moment.position
    assert 0 <= here.turn < here.players, f"turn {here.turn} of {here.players} players"
    assert here.ply >= 0
    assert len({here.colour_of(seat) for seat in range(here.players)}) == here.players, "two seats share a colour"
    assert new(here.game, **here.options).options == here.options, "its options do not make an equal game"


def moves_agree(moment: _Moment) -> None:
    """`len`, iteration, indexing and `in` of the legal moves tell the same moves, each of them once."""
    here, chance = moment.position, moment.chance
    legal = here.legal_moves
    count = 0
    seen = set()
    for move in itertools.islice(legal, 3000):
        count += 1
        seen.add(move)
    assert len(seen) == count, "a move comes twice"
    assert len(legal) == count or count == 3000, f"len is {len(legal)}, iteration gives {count}"
    assert bool(len(legal)) == (here.outcome is None), "there are legal moves exactly while the game goes on"
    for index in (0, -1, *(chance.randrange(len(legal)) for _ in range(3))) if count else ():
        move = legal[index]
        assert move in legal, f"{move} is at {index} but not in"
        assert isinstance(move, Move), f"{move!r} is no Move"
        assert count == 3000 or move in seen, f"{move} is at {index} but not among those iterated"
    assert legal[:2] == list(itertools.islice(legal, 2)), "a slice differs"
    _refuses(lambda: legal[len(legal)], IndexError)


def moves_play(moment: _Moment) -> None:
    """A legal move reads back from its text and plays; the position itself stays what it was."""
    here = moment.position
    before, described = here.text, hash(here)
    for move in _some_moves(moment, 8):
        assert here.parse(str(move)) == move, f"{move} reads back as {here.parse(str(move))}"
        after = here.play(move)
        assert after == here.play(str(move)), f"{move} plays otherwise as text"
        assert after != here, f"{move} changes nothing"
        assert after.ply == here.ply + 1, f"{move} goes from ply {here.ply} to {after.ply}"
        assert (after.players, after.game, after.options) == (here.players, here.game, here.options)
        assert _one_line(here.describe(move)), f"{move} has no description of one line"
    assert (here.text, hash(here)) == (before, described), "playing changed the position"


def legal_is_playable(moment: _Moment) -> None:
    """A move is in the legal moves exactly if it can be played and carries nothing that is ignored."""
    here = moment.position
    for move in moment.strangers[-20:]:
        try:
            here.play(move)
        except GameError as error:
            assert move not in here.legal_moves, f"{move} is legal but refused: {error}"
            assert _one_line(str(error)), f"the reason against {move} is not one line"
        else:
            plain = here.parse(str(move))
            assert plain in here.legal_moves, f"{plain} is not legal but plays"
            assert (move in here.legal_moves) == (move == plain), f"{move} is in, though it is written {plain}"


def turns_have_steps(moment: _Moment) -> None:
    """The choices lead, step by step, to exactly the legal moves, and positions within a turn are positions."""
    here, chance = moment.position, moment.chance
    for move in _some_moves(moment, 4):
        for count in range(len(move)):
            begun = move[:count]
            choices = here.choices(begun)
            assert choices.prompt, "choices ask nothing"
            assert move[count] in [choice.step for choice in choices], f"{move[count]} is no choice after {begun}"
            assert here.partial(begun).choices() == choices, f"choices differ within the turn, after {begun}"
            if count:
                _check_within(here, here.partial(begun), Move(begun), Move(move[count:]), here.play(move))
        assert here.choices(move).may_end, f"{move} may not end"
    steps: list[object] = []  # and by chance, as a person clicks
    while here.outcome is None:
        choices = here.choices(steps)
        _check_choices(choices)
        if choices.may_end and (not choices or chance.random() < 0.5):
            assert Move(steps) in here.legal_moves, f"{Move(steps)} is a complete turn but not legal"
            break
        assert choices, f"no choice after {Move(steps)}, and the turn may not end"
        steps.append(chance.choice(choices).step)


def _check_choices(choices: Choices) -> None:
    assert len({choice.step for choice in choices}) == len(choices), "a step is offered twice"
    assert len({choice.targets for choice in choices}) == len(choices), "two choices are touched in the same way"
    assert pickle.loads(pickle.dumps(choices)) == choices, "choices do not survive pickling"
    for choice in choices:
        assert choice.targets, f"{choice} cannot be touched"
        assert _one_line(choice.label), f"{choice} has no label"


def _check_within(here: Position, within: Position, begun: Move, rest: Move, after: Position) -> None:
    assert (within.turn, within.ply) == (here.turn, here.ply), f"the seat changes within a turn, after {begun}"
    assert within != here, f"{begun} changes nothing"
    assert load(within.text) == within, f"the position after {begun} does not load from {within.text}"
    assert within.outcome is None, f"the game ends before {rest}"
    assert rest in within.legal_moves, f"{rest} does not finish the turn after {begun}"
    assert within.play(rest) == after, f"{begun} and then {rest} is not the whole move"
    assert within.parse(str(rest)) == rest, f"{rest} does not read back within the turn"


def ends_are_ends(moment: _Moment) -> None:
    """An outcome's winners, returns and reason agree; after it nothing can be played."""
    here = moment.position
    outcome = here.outcome
    if outcome is None:
        return
    assert _one_line(outcome.reason), "the outcome has no reason"
    assert len(outcome.returns) == here.players, "there is not one return for each seat"
    assert abs(sum(outcome.returns)) < 1e-9, f"the returns {outcome.returns} do not sum to 0"
    assert outcome == Outcome.of(outcome.winners, here.players, outcome.reason), (
        "the returns are not those of its winners"
    )
    assert not here.choices(), "there are choices after the end"
    for move in moment.strangers[-3:]:
        _refuses(lambda move=move: here.play(move), GameError)  # type: ignore[misc]


def rubbish_is_refused(moment: _Moment) -> None:
    """What is no move is refused with one line, as text and as anything else."""
    here = moment.position
    for text in RUBBISH:
        for call in (here.parse, here.play, here.partial, here.choices):
            try:
                call(text)
            except (InvalidMove, IllegalMove) as error:
                assert _one_line(str(error)), f"{call.__name__}({text!r}) says {str(error)!r}"
                assert len(str(error)) < 300, f"{call.__name__}({text[:20]!r}) says too much"
            else:
                assert not text.strip() and call in (here.partial, here.choices), f"{call.__name__} takes {text!r}"
    for thing in (None, 7, 1.5, object(), [None], (("x",),), Move([object()])):
        _refuses(lambda thing=thing: here.play(thing), GameError)  # type: ignore[misc]
        assert thing not in here.legal_moves
    for thing in (None, 7, 1.5, b"", ()):
        _refuses(lambda thing=thing: here.parse(thing), InvalidMove)  # type: ignore[misc]


def symmetries_agree(moment: _Moment) -> None:
    """Seen by any declared symmetry it is the same game: moves, positions and outcomes go along."""
    here = moment.position
    ways = here.symmetries
    if ways:
        assert ways[0].position(here) == here, "the first symmetry is not the identity"
        assert len({way.name for way in ways}) == len(ways), "two symmetries share a name"
    for way in ways:
        image = way.position(here)
        assert image.outcome == here.outcome, f"{way.name}: the outcome differs"
        assert len(image.legal_moves) == len(here.legal_moves), f"{way.name}: the number of moves differs"
        for move in _some_moves(moment, 2):
            assert image.play(way.move(move)) == way.position(here.play(move)), f"{way.name}: {move} leads elsewhere"


def drawings_show(moment: _Moment) -> None:
    """The picture is well-formed and has every place that a choice wants touched; the text has the same lines."""
    here = moment.position
    move = next(iter(_some_moves(moment, 1)), None)
    shown = here.play(move) if move else here
    for flip in (False, True):
        root = ElementTree.fromstring(shown.svg(last=move, flip=flip))
        assert root.tag.endswith("svg"), "the picture is no svg"
        targets = {element.get("data-target") for element in root.iter()}
        wanted = {target for choice in shown.choices() for target in choice.targets}
        assert wanted <= targets, f"the picture has no {', '.join(sorted(wanted - targets)[:5])}"
        assert shown.spans(last=move, flip=flip)
        assert shown.spans(last=move, flip=flip, small=True)
    assert "<style" not in shown.svg(style=False)
    assert "\n" not in shown.legend
    assert str(shown).splitlines() == ["".join(text for text, _ in line).rstrip() for line in shown.spans()]


PROMISES: tuple[tuple[Callable[[_Moment], None], float], ...] = (  # and how often each is held
    (texts_load, 1),
    (seats_agree, 0.2),
    (moves_agree, 0.2),
    (moves_play, 0.5),
    (legal_is_playable, 0.5),
    (turns_have_steps, 0.3),
    (ends_are_ends, 1),
    (rubbish_is_refused, 0.05),
    (symmetries_agree, 0.2),
    (drawings_show, 0.05),
)


def _some_moves(moment: _Moment, count: int) -> Iterator[Move]:
    legal = moment.position.legal_moves
    if legal:
        yield from (moment.chance.choice(legal) for _ in range(count))


def _refuses(call: Callable[[], object], error: type[Exception]) -> None:
    try:
        call()
    except error as refused:
        assert _one_line(str(refused)), f"the refusal is not one line: {str(refused)!r}"
    else:
        raise AssertionError(f"{error.__name__} was expected")


# ── promises about options, records and counts ───────────────────────────────────────────────────


def check_options(name: str, **options: object) -> None:
    """Options are refused by name where there is none, and by value where it is none of theirs."""
    kind = game(name)
    wrong: list[dict[str, object]] = [{"no_such_option": 1}, *({option: object()} for option in kind.options)]
    for given in wrong:
        try:
            kind.new(**given)
        except GameError as error:
            assert _one_line(str(error)), f"the refusal of {given} is not one line"
            assert next(iter(given)) in str(error), f"the refusal of {given} does not name it"
        else:
            raise AssertionError(f"the option {given} was taken")
    start = kind.new(**options)
    for option, value in options.items():
        assert start.options[option] == value, f"option {option} is {start.options[option]}, not {value}"


def check_record(record: Record) -> None:
    """A record reads back from its text, strictly and leniently, with everything that was said in it."""
    text = record.text
    again = Record.read(text)
    assert again.text == text, "a record changes when it is read and written"
    assert again.position == record.position, "a record leads elsewhere when it is read"
    told = [(node.move, node.comment, node.clock, node.value) for node in record.nodes()]
    assert [(node.move, node.comment, node.clock, node.value) for node in again.nodes()] == told, "it tells otherwise"
    assert Record.read(text, strict=False).moves == record.moves, "lenient reading finds other moves"
    plain = "\n".join(map(str, record.moves))
    if record.start == record.game.new():
        assert Record.read(plain, strict=False, game=record.game.name).moves == record.moves, (
            "moves typed plainly differ"
        )
    merged = Record(record.start)
    merged.merge(record)
    merged.merge(record)
    assert [node.move for node in merged.nodes()] == [node.move for node in record.nodes()], "merging changes the tree"


def _annotate(node: object, chance: random.Random) -> None:
    from pentad.record import Node

    assert isinstance(node, Node)
    if chance.random() < 0.3:
        node.comment = chance.choice(
            ("good", "a {brace} and \\ a slash", "[%clk 1:00:00] is no clock", "two\nlines", "é ♟")
        )
    if chance.random() < 0.3:
        node.clock = chance.randrange(10_000_000) / 1000
    if chance.random() < 0.3:
        node.value = Value(chance.randrange(-10_000, 10_001) / 10_000, chance.random() < 0.5)


def check_perft(name: str, **options: object) -> int:
    """The counts of the game's perft table for these options, up to those that take long; how many were checked."""
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
    """The known counts of a game: rows of `options` and of `counts` by depth, from 1."""
    game(name)
    table: list[dict[str, Any]] = json.loads(resources.files(PACKAGES[name]).joinpath("perft.json").read_text())
    return table
