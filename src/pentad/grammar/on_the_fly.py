"""Model checking on the fly: an exploration that ends as soon as its formulas are decided.

A verdict about a partial system is certain if no unexplored state could change it. The verdicts are computed whenever
the number of states has doubled, and the exploration ends when all are certain. For a formula such as `AG !eat` or
`EF $final` it ends at the first state that decides it.

>>> from pentad.grammar.models import new
>>> found, verdict = decide("AG !eat", new("ferry", goats=3))
>>> print(found, verdict, verdict.witness, sep="; ")
<Exploration 6 states, 7 transitions, stopped by until>; AG !eat does not hold; 0 —carry→ 1
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from pentad.game import shown
from pentad.grammar.exploration import Exploration, explore
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import GrammarError
from pentad.grammar.logic import ctl, formulas
from pentad.grammar.logic.formulas import Atom, Formula, Modal, Not, Temporal
from pentad.grammar.lts import Lts
from pentad.system.words import phrase

Verdicts: TypeAlias = Callable[[Lts], Iterable[ctl.AnyVerdict]]
MARKS = {"$final": "final", "$broken": "broken"}  # `accept` of an exploration names them so


def invariant(text: str) -> Formula:
    """The formula `AG p` for an invariant p, which is about single states.

    >>> formulas.text(invariant("!eat | allAcross"))
    'AG (!eat | allAcross)'
    """
    found = formulas.parse(text)
    if any(isinstance(each, Temporal | Modal) for each in formulas.subformulas(found)):
        raise GrammarError(
            phrase("An invariant is about single states, without A, E, <a> and [a]; got {text}.", text=shown(text))
        )
    return Temporal("A", "G", (found,))


def decide(formula: Formula | str, grammar: Grammar, **options: Any) -> tuple[Exploration, ctl.Verdict]:
    """Explores a grammar until a formula of CTL is decided at its start; `options` are those of `explore`."""
    if isinstance(formula, str):
        formula = formulas.parse(formula)
    found = explore(grammar, **options, **end_early([formula], lambda lts: [ctl.check(formula, lts, witness=False)]))
    return ended(found), ctl.check(formula, found.lts, actions=found.system.names)


def end_early(asked: Sequence[Formula], verdicts: Verdicts) -> dict[str, Any]:
    """The options of an exploration that ends when all verdicts are certain; `asked` are their formulas."""

    def is_enough(found: Exploration) -> bool:
        return all(verdict.certain for verdict in verdicts(found.lts))

    accept = _deciding(asked[0]) if len(asked) == 1 else None
    return {"accept": accept, "results": 1} if accept else {"until": is_enough}


def ended(found: Exploration) -> Exploration:
    """The same exploration; one that ended at a state that decides a formula says so."""
    if found.stopped == "results":
        found.stopped = "until"
    return found


def _deciding(formula: Formula) -> str | None:
    """What a state must have to decide a formula at once, as `accept` of an exploration names it, if it can."""
    while isinstance(formula, Not):
        formula = formula.part
    if not isinstance(formula, Temporal) or (formula.quantifier, formula.operator) not in (("E", "F"), ("A", "G")):
        return None
    positive, part = formula.quantifier == "E", formula.parts[0]
    while isinstance(part, Not):
        positive, part = not positive, part.part
    if not isinstance(part, Atom) or part.literal or part.arguments is not None:
        return None
    if part.name in formulas.SPECIAL:
        return MARKS.get(part.name) if positive else None
    return f"fires:{part.name}" if positive else f"!{part.name}"
