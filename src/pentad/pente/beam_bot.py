"""Beam search bots: `beam-1` to `beam-5`, and `beam:depth=4,width=4-3-2` for other settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from pentad.game import GameError, IllegalMove, Move, Position, Step, shown
from pentad.pente.beam import Beam, Search
from pentad.pente.board import nth_point
from pentad.pente.notation import COLOURS, SIDES
from pentad.pente.opening import OVER, SIDES_OFFERED
from pentad.pente.options import BEAM, DIFFICULTIES, DIFFICULTY, Options
from pentad.pente.patterns import Evaluation
from pentad.pente.rules import PentePosition
from pentad.search.bot import Bot, Entry

NAME = "beam"
OPENINGS_SAMPLED = 24
MIDDLE = 2  # the largest distance from the centre of an opening's stones


class BeamBot(Bot):
    """Plays the move of the beam search, with ties broken at random. In swap2 it places balanced stones."""

    def __init__(self, beam: Beam, seed: int | None = None, name: str = NAME) -> None:
        super().__init__(seed)
        self.beam, self.name = beam, name

    def choose(self, position: Position, *, seconds: float | None = None) -> Move:
        here = cast(PentePosition, position)
        if here.outcome:
            raise IllegalMove("The game is over; there is no move to choose.")
        if here.stage in SIDES_OFFERED:
            return Move((self._side(here, seconds),))
        if here.stage != OVER:
            return self._balanced(here)
        return Move((here.board.stones[self._search(here).best(seconds).point],))

    def _search(self, here: PentePosition) -> Search:
        order = list(range(here.board.size**2))
        self.random.shuffle(order)
        return Search(here, self.beam, order=order)

    def _side(self, here: PentePosition, seconds: float | None) -> Step:
        """The better colour."""
        value = self._search(replace(here, stage=OVER)).best(seconds).value
        better = here.colour if value >= 0 else 1 - here.colour
        return next(side for side in SIDES if str(side) == COLOURS[better])

    def _balanced(self, here: PentePosition) -> Move:
        """The opening stones after which the opponent chooses: the most balanced of some random turns."""

        def imbalance(turn: Move) -> int:
            after = here.play(turn)
            return abs(Evaluation(after).balances[1 - after.colour])

        return min((self._random_turn(here) for _ in range(OPENINGS_SAMPLED)), key=imbalance)

    def _random_turn(self, here: PentePosition) -> Move:
        steps: list[Step] = []
        while not here.choices(steps).may_end:
            points = here.partial(steps).points if steps else here.points
            near = points & here.board.within(MIDDLE) or points
            point = nth_point(near, self.random.randrange(near.bit_count()))
            steps.append(here.board.stones[point])
        return Move(steps)


# ── names and settings ───────────────────────────────────────────────────────────────────────────

# The settings on a command line with their help; in a bot's name they follow `beam:`.
SETTINGS = {
    "difficulty": f"the beam bot's level, from 1 to {len(DIFFICULTIES)}; it selects depth, padding and width",
    "depth": "moves that the beam bot searches ahead; even numbers play best",
    "padding": "distance from the stones within which the beam bot searches for moves",
    "width": "moves searched at each depth, such as 4-3-2; the last number counts for all deeper levels",
}


def bot_name(given: Mapping[str, str]) -> str:
    """The name of the bot with these settings, given as text.

    >>> bot_name({"difficulty": "3"}), bot_name({"depth": "4", "width": "[4,3,2]"})
    ('beam-3', 'beam:depth=4,width=4-3-2')
    """
    return name_of(Options.of(**{name: read_setting(name, text) for name, text in given.items()}))


def name_of(options: Options) -> str:
    """The name of the bot with these options: its difficulty, or the settings that differ from it."""
    own = {name: value for name in BEAM if (value := getattr(options, name)) is not None}
    if not own:
        return f"{NAME}-{options.difficulty}"
    base = {} if options.difficulty == DIFFICULTY else {"difficulty": options.difficulty}
    return f"{NAME}:" + ",".join(f"{name}={_write(value)}" for name, value in {**base, **own}.items())


def _write(value: int | tuple[int, ...]) -> str:
    return "-".join(map(str, value)) if isinstance(value, tuple) else str(value)


def read_settings(settings: str) -> Options:
    """Parses settings such as `depth=4,width=4-3-2` into options."""
    given: dict[str, object] = {}
    for word in settings.split(","):
        setting, equals, text = word.partition("=")
        if not equals or setting not in SETTINGS or setting in given:
            raise GameError(
                f"Invalid setting {shown(word)} of a bot such as {NAME}:depth=4,width=4-3-2. "
                f"The settings, each at most once, are {', '.join(SETTINGS)}."
            )
        given[setting] = read_setting(setting, text)
    return Options.of(**given)


def read_setting(name: str, text: str) -> object:
    """Parses the value of a setting; a width may be `4`, `4-3-2` or `[4,3,2]`."""
    if name == "width":
        listed = re.fullmatch(r"\s*\[(.*)\]\s*", text)
        numbers = [_read(word) for word in re.split("[-,]", listed[1] if listed else text)]
        return numbers if all(type(number) is int for number in numbers) else text
    return _read(text)


def _read(text: str) -> int | str:
    text = text.strip()
    return int(text) if re.fullmatch("-?[0-9]{1,99}", text) else text


# ── the table of bots ────────────────────────────────────────────────────────────────────────────


def _of_level(level: int, seed: int | None) -> Bot:
    return BeamBot(DIFFICULTIES[level], seed, f"{NAME}-{level}")


def _of_settings(settings: str, seed: int | None) -> Bot:
    options = read_settings(settings)
    return BeamBot(options.beam, seed, name_of(options))


def _entry(level: int) -> Entry:
    beam = DIFFICULTIES[level]
    *others, last = map(str, beam.width)
    width = f"{', '.join(others)} and {last}"
    points = "1 point" if beam.padding == 1 else f"{beam.padding} points"
    return Entry(
        f"searches {beam.depth} moves deep: the best {width} moves within {points} of the stones",
        lambda seed: _of_level(level, seed),
    )


BEAM_BOTS: Mapping[str, Entry] = {
    **{f"{NAME}-{level}": _entry(level) for level in DIFFICULTIES},
    NAME: Entry(
        "beam search by level or with its own settings: beam:depth=4,padding=2,width=4-3-2",
        make_level=_of_level,
        levels=range(1, len(DIFFICULTIES) + 1),
        configure=_of_settings,
    ),
}
