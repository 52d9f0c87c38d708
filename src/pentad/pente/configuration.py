"""What a game of Pente is played with: its rule set, its switches, its board, from the options that were given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pentad.game import GameError, Option, OptionValue
from pentad.pente.board import Board, board
from pentad.pente.rulesets import (
    AT_ONCE,
    CENTRE,
    FIVES,
    FREE,
    OPENINGS,
    RULE_SETS,
    SWAP2,
    TOURNAMENT,
    RuleSet,
)

RULE_SETS_OWN = "the rule set's"  # what an option is if nobody asks for another value
SWITCHES = ("line", "captures", "capture_win", "overline", "five", "poof", "double_three", "blocked_tie")
SMALLEST, LARGEST = 3, 25
SMALLEST_WITH_CENTRE = 7


@dataclass(frozen=True)
class Setup:
    """What a game is played with: the name of its rule set, the switches as they stand here, and the board."""

    name: str
    rules: RuleSet
    board: Board

    @classmethod
    def of(cls, given: Mapping[str, OptionValue]) -> Setup:
        """The setup that these options ask for, refused where no game could be played with it."""
        name = str(given["rules"])
        usual = RULE_SETS[name]
        switches = {switch: given[switch] for switch in (*SWITCHES, "size") if switch in given}
        rules = replace(usual, opening=_opening(usual, given), **switches)  # type: ignore[arg-type]
        if rules.line > rules.size:
            raise GameError(f"no line of {rules.line} fits on a board of size {rules.size}")
        if rules.opening not in (FREE, SWAP2) and (rules.size % 2 == 0 or rules.size < SMALLEST_WITH_CENTRE):
            raise GameError(
                f"size {rules.size}: with the opening {rules.opening} the size is odd and at least "
                f"{SMALLEST_WITH_CENTRE}; opening free takes any from {SMALLEST}"
            )
        if rules.captures == 1:
            raise GameError("captures is 0 for none, 2 for pairs or 3 for pairs and triples, not 1")
        if rules.capture_win and not rules.captures:
            raise GameError(f"capture_win {rules.capture_win} is never reached where nothing is captured (captures 0)")
        return cls(name, rules, board(rules.size, rules.line))

    @property
    def options(self) -> dict[str, OptionValue]:
        """Every option, as it stands here."""
        rules = self.rules
        return {
            "rules": self.name,
            "size": rules.size,
            "opening": rules.opening,
            "tournament_rule": rules.opening == TOURNAMENT,
            **{switch: getattr(rules, switch) for switch in SWITCHES},
        }


def _opening(usual: RuleSet, given: Mapping[str, OptionValue]) -> str:
    """The opening: by its name, by the tournament rule on or off, or the rule set's own."""
    tournament = given.get("tournament_rule")
    if "opening" in given:
        opening = str(given["opening"])
        if tournament is not None and tournament != (opening == TOURNAMENT):
            raise GameError(
                f"the opening {opening} is {'not ' if tournament else ''}the tournament rule; give only one"
            )
        return opening
    if tournament is None:
        return usual.opening
    return TOURNAMENT if tournament else CENTRE if usual.opening == TOURNAMENT else usual.opening


OPTIONS = {
    option.name: option
    for option in (
        Option("rules", "pente", "the rule set", allowed=tuple(RULE_SETS)),
        Option("size", 19, "points along a side", SMALLEST, LARGEST, default_text=RULE_SETS_OWN),
        Option("opening", FREE, "how the game begins", allowed=tuple(OPENINGS), default_text=RULE_SETS_OWN),
        Option("tournament_rule", True, "another name for the opening tournament", default_text=RULE_SETS_OWN),
        Option("line", 5, "stones in a row that win", 2, LARGEST, default_text=RULE_SETS_OWN),
        Option("captures", 2, "the largest group that is captured, none with 0", 0, 3, default_text=RULE_SETS_OWN),
        Option("capture_win", 10, "captured stones that win, none with 0", 0, 600, default_text=RULE_SETS_OWN),
        Option("overline", True, "more than a line counts as a line", default_text=RULE_SETS_OWN),
        Option("five", AT_ONCE, "what a line is worth", allowed=tuple(FIVES), default_text=RULE_SETS_OWN),
        Option("poof", False, "a stone that moves into a bracket takes its own group off", default_text=RULE_SETS_OWN),
        Option("double_three", True, "a move may make two free threes", default_text=RULE_SETS_OWN),
        Option("blocked_tie", False, "a tie as soon as no line can be made any more", default_text=RULE_SETS_OWN),
    )
}
