"""Setup of a game of Pente from its options: the rule set, its switches and the board."""

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

RULE_SETS_OWN = "the rule set's"  # the default of an option, in help texts
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
            raise GameError(f"A line of {rules.line} does not fit on a board of size {rules.size}.")
        if rules.opening not in (FREE, SWAP2) and (rules.size % 2 == 0 or rules.size < SMALLEST_WITH_CENTRE):
            raise GameError(
                f"The opening {rules.opening} needs an odd size of at least {SMALLEST_WITH_CENTRE}, not {rules.size}; "
                f"the opening free allows any size from {SMALLEST}."
            )
        if rules.captures == 1:
            raise GameError("captures must be 0 for none, 2 for pairs or 3 for pairs and triples, not 1.")
        if rules.capture_win and not rules.captures:
            raise GameError(f"capture_win {rules.capture_win} cannot be reached without captures (captures is 0).")
        return cls(name, rules, board(rules.size, rules.line))

    @property
    def options(self) -> dict[str, OptionValue]:
        """The value of every option."""
        rules = self.rules
        return {
            "rules": self.name,
            "size": rules.size,
            "opening": rules.opening,
            "tournament_rule": rules.opening == TOURNAMENT,
            **{switch: getattr(rules, switch) for switch in SWITCHES},
        }


def _opening(rule_set: RuleSet, given: Mapping[str, OptionValue]) -> str:
    """The opening: the option's, or by the tournament rule on or off, or the rule set's own."""
    tournament = given.get("tournament_rule")
    if "opening" in given:
        opening = str(given["opening"])
        if tournament is not None and tournament != (opening == TOURNAMENT):
            setting = f"tournament_rule={str(tournament).lower()}"
            raise GameError(f"The opening {opening} contradicts {setting}; give only one of them.")
        return opening
    if tournament is None:
        return rule_set.opening
    return TOURNAMENT if tournament else CENTRE if rule_set.opening == TOURNAMENT else rule_set.opening


OPTIONS = {
    option.name: option
    for option in (
        Option("rules", "pente", "rule set", allowed=tuple(RULE_SETS)),
        Option("size", 19, "points along a side", SMALLEST, LARGEST, default_text=RULE_SETS_OWN),
        Option("opening", FREE, "restrictions on the first moves", allowed=tuple(OPENINGS), default_text=RULE_SETS_OWN),
        Option(
            "tournament_rule",
            True,
            "the tournament opening; older name of opening=tournament",
            default_text=RULE_SETS_OWN,
        ),
        Option("line", 5, "stones in a row that win", 2, LARGEST, default_text=RULE_SETS_OWN),
        Option(
            "captures",
            2,
            "size of the largest group that can be captured; 0 for no captures",
            0,
            3,
            default_text=RULE_SETS_OWN,
        ),
        Option(
            "capture_win",
            10,
            "captured stones needed to win; 0 if captures never win",
            0,
            600,
            default_text=RULE_SETS_OWN,
        ),
        Option("overline", True, "rows longer than a line count as lines", default_text=RULE_SETS_OWN),
        Option("five", AT_ONCE, "when a line wins", allowed=tuple(FIVES), default_text=RULE_SETS_OWN),
        Option("poof", False, "a stone that moves into a bracket removes its own group", default_text=RULE_SETS_OWN),
        Option("double_three", True, "moves that make two free threes are allowed", default_text=RULE_SETS_OWN),
        Option(
            "blocked_tie", False, "the game is a tie as soon as no line can be completed", default_text=RULE_SETS_OWN
        ),
    )
}
