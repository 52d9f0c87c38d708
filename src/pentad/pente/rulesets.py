"""Rule sets of Pente and its variants, as a table of switches."""

from __future__ import annotations

from dataclasses import dataclass

# ── openings ─────────────────────────────────────────────────────────────────────────────────────

FREE, CENTRE, TOURNAMENT, PRO, SWAP2 = "free", "centre", "tournament", "pro", "swap2"
OPENINGS = {
    FREE: "every stone on any point",
    CENTRE: "the first stone in the centre",
    TOURNAMENT: "the first stone in the centre, the first player's second at least 3 points away from it",
    PRO: "the first stone in the centre, the second within 1 point of it, the third at least 3 points away",
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


def _pente(title: str, **switches: object) -> RuleSet:
    return RuleSet(
        title,
        **{"opening": TOURNAMENT, "captures": 2, "capture_win": 10, **switches},  # type: ignore[arg-type]
    )


RULE_SETS = {
    "pente": _pente("Pente"),
    "keryo": _pente("Keryo-Pente", captures=3, capture_win=15),
    "g-pente": _pente("G-Pente", centre_lines=True),
    "poof": _pente("Poof-Pente", poof=True),
    "boat": _pente("Boat-Pente", five=IF_IT_STANDS),
    "lines": RuleSet("Lines", size=10, blocked_tie=True),
    "gomoku": RuleSet("Gomoku", size=15, overline=False),
    "freestyle": RuleSet("Freestyle gomoku", size=15),
    "ninuki42": RuleSet("Ninuki, the 42 way", captures=2, capture_win=10, five=UNLESS_BROKEN, double_three=False),
}
