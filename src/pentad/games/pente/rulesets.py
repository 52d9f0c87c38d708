"""Rule sets of Pente and its variants as a table of switches, the options, and the setup of a game from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial

from pentad.game import GameError, Option, OptionValue
from pentad.games.pente.board import Board, board

# ── openings ─────────────────────────────────────────────────────────────────────────────────────

FREE, CENTRE, TOURNAMENT, PRO, SWAP2 = "free", "centre", "tournament", "pro", "swap2"
OPENINGS = {
    FREE: "every stone on any point",
    CENTRE: "the first stone in the centre",
    TOURNAMENT: "the first stone in the centre, the first player's second outside the 5×5 square around it",
    PRO: "the first stone in the centre, the second in the 3×3 square around it, the third outside the 5×5 square",
    SWAP2: "three stones by the first player; the second chooses a colour, or adds two stones and the first chooses",
}

# ── when a five wins ─────────────────────────────────────────────────────────────────────────────

AT_ONCE = "wins"  # a line wins at once
IF_IT_STANDS = "stands"  # a line wins if it survives the opponent's reply
UNLESS_BROKEN = "unbroken"  # the same, but at once if no reply can break it or win by capture
FIVES = {
    AT_ONCE: "a line wins at once",
    IF_IT_STANDS: "a line wins if it survives the reply",
    UNLESS_BROKEN: "a line wins at once unless the reply can break it or win by capture",
}


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One row of the table. Every switch can be set by an option of the same name."""

    title: str
    size: int = 19
    line: int = 5
    opening: str = FREE
    captures: int = 0  # stones of the longest group that is captured: 0 none, 2 pairs, 3 pairs and triples
    capture_win: int = 0  # captured stones that win; 0 for none
    overline: bool = True  # more than `line` in a row count as a line
    five: str = AT_ONCE
    poof: bool = False  # a stone that moves into a bracket removes its own group
    double_three: bool = True  # a move may make two free threes at once
    blocked_tie: bool = False  # a tie as soon as every line holds stones of both sides
    centre_lines: bool = False  # the tournament rule also excludes the centre's row and column at distance 3 and 4

    @property
    def groups(self) -> range:
        """The sizes of the groups that are captured."""
        return range(2, self.captures + 1)


_PENTE = RuleSet("Pente", opening=TOURNAMENT, captures=2, capture_win=10)
RULE_SETS = {
    "pente": _PENTE,
    "keryo": replace(_PENTE, title="Keryo-Pente", captures=3, capture_win=15),
    "g-pente": replace(_PENTE, title="G-Pente", centre_lines=True),
    "poof": replace(_PENTE, title="Poof-Pente", poof=True),
    "boat": replace(_PENTE, title="Boat-Pente", five=IF_IT_STANDS),
    "lines": RuleSet("Lines", size=10, blocked_tie=True),
    "gomoku": RuleSet("Gomoku", size=15, overline=False),
    "freestyle": RuleSet("Freestyle gomoku", size=15),
    "ninuki42": RuleSet("Ninuki, the 42 way", captures=2, capture_win=10, five=UNLESS_BROKEN, double_three=False),
}


# ── options ───────────────────────────────────────────────────────────────────────────────────────

SWITCHES = ("line", "captures", "capture_win", "overline", "five", "poof", "double_three", "blocked_tie")
SMALLEST, LARGEST = 3, 25
SMALLEST_WITH_CENTRE = 7


@dataclass(frozen=True)
class Setup:
    """The setup of a game: the name of its rule set, the rules with the options applied, and the board."""

    name: str
    rules: RuleSet
    board: Board

    @classmethod
    def of(cls, given: Mapping[str, OptionValue]) -> Setup:
        """The setup for these options; raises GameError for options that do not go together."""
        name = str(given["rules"])
        rule_set = RULE_SETS[name]
        switches = {switch: given[switch] for switch in (*SWITCHES, "size") if switch in given}
        rules = replace(rule_set, opening=_opening(rule_set, given), **switches)  # type: ignore[arg-type]
        if rules.line > rules.size:
            raise GameError(
                "A line of {line} does not fit on a board of size {size}.", line=rules.line, size=rules.size
            )
        if rules.opening not in (FREE, SWAP2) and (rules.size % 2 == 0 or rules.size < SMALLEST_WITH_CENTRE):
            raise GameError(
                "The opening {opening} needs an odd size of at least {odd}, not "
                "{size}; the opening free allows any size from {smallest}.",
                opening=rules.opening,
                odd=SMALLEST_WITH_CENTRE,
                size=rules.size,
                smallest=SMALLEST,
            )
        if rules.captures == 1:
            raise GameError("captures must be 0 for none, 2 for pairs or 3 for pairs and triples, not 1.")
        if rules.capture_win and not rules.captures:
            raise GameError(
                "capture_win {number} cannot be reached without captures (captures is 0).",
                number=rules.capture_win,
            )
        return cls(name, rules, board(rules.size, rules.line))

    @cached_property
    def options(self) -> Mapping[str, OptionValue]:
        """The value of every option."""
        rules = self.rules
        return {
            "rules": self.name,
            "size": rules.size,
            "opening": rules.opening,
            "tournament_rule": rules.opening == TOURNAMENT,
            **{switch: getattr(rules, switch) for switch in SWITCHES},
        }

    @cached_property
    def defaults(self) -> Mapping[str, OptionValue]:
        """The values that go without saying after the name of the rule set."""
        found = dict(Setup.of({"rules": self.name}).options)
        if self.rules.opening != found["opening"]:  # the option `opening` implies the tournament rule
            found["tournament_rule"] = self.rules.opening == TOURNAMENT
        return found | {"rules": "pente"}


def _opening(rule_set: RuleSet, given: Mapping[str, OptionValue]) -> str:
    """The opening: the option's, or by the tournament rule on or off, or the rule set's own."""
    tournament = given.get("tournament_rule")
    if "opening" in given:
        opening = str(given["opening"])
        if tournament is not None and tournament != (opening == TOURNAMENT):
            setting = f"tournament_rule={str(tournament).lower()}"
            raise GameError(
                "The opening {opening} contradicts {setting}; give only one of them.", opening=opening, setting=setting
            )
        return opening
    if tournament is None:
        return rule_set.opening
    return TOURNAMENT if tournament else CENTRE if rule_set.opening == TOURNAMENT else rule_set.opening


_switch = partial(Option, default_text="the rule set's")
OPTIONS = {
    option.name: option
    for option in (
        Option(
            "rules",
            "pente",
            "rule set",
            allowed=tuple(RULE_SETS),
            about="A variant of the game. The options below change parts of it.",
        ),
        _switch("size", 19, "points along a side", SMALLEST, LARGEST, about="A game on a small board is shorter."),
        _switch(
            "opening",
            FREE,
            "restrictions on the first moves",
            allowed=tuple(OPENINGS),
            about="Without restrictions, the first player has an advantage.",
        ),
        _switch(
            "tournament_rule",
            True,
            "the tournament opening; older name of opening=tournament",
            replaced_by="opening",
        ),
        _switch("line", 5, "stones in a row that win", 2, LARGEST, about="They may lie in any direction."),
        _switch(
            "captures",
            2,
            "size of the largest group that can be captured; 0 for no captures",
            0,
            3,
            about="A group between two stones of the opponent leaves the board. "
            "Here White captures two stones by a move to their right.",
            example="pente size=7 opening=free 7/7/3w3/1wbb3/7/7/7 0,0",
        ),
        _switch(
            "capture_win",
            10,
            "captured stones needed to win; 0 if captures never win",
            0,
            600,
            about="A captured pair counts as two stones.",
        ),
        _switch(
            "overline",
            True,
            "rows longer than a line count as lines",
            about="Otherwise six in a row, as here, do not win.",
            example="pente rules=freestyle size=7 7/b1b3b/7/wwwwww1/7/b3b2/7",
        ),
        _switch(
            "five",
            AT_ONCE,
            "when a line wins",
            allowed=tuple(FIVES),
            about="A line can be broken by a capture: here Black takes a stone of it by a move below the column.",
            example="pente rules=boat size=7 opening=free b5b/7/2b4/wwwww2/2w4/7/b5b 0,0",
        ),
        _switch(
            "poof",
            False,
            "a stone that moves into a bracket removes its own group",
            about="Here a white stone between the two black ones would leave the board, with the one beside it.",
            example="pente rules=poof size=7 opening=free 7/7/3w3/1bw1b2/7/7/7 0,0",
        ),
        _switch(
            "double_three",
            True,
            "moves that make two free threes are allowed",
            about="Here White makes two rows of three by a move to the point where they meet.",
            example="pente size=9 opening=free 9/1b5b1/4w4/4w4/2ww5/9/9/1b5b1/9 0,0",
        ),
        _switch(
            "blocked_tie",
            False,
            "the game is a tie as soon as no line can be completed",
            about="Otherwise the game goes on until the board is full.",
        ),
    )
}
