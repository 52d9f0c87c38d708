"""Terms: the remainder of a control program, as a process algebra.

A term is final (the program is complete), dead (nothing follows), or a trial. A trial has an attempt: calls that are
tried together, each with the term that follows it, and two more terms, of which one is tried next in the same state:
`success` if some call applied, `failure` if none did.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pentad.grammar.control.calls import Call
from pentad.grammar.graph import GrammarError

MAX_TERMS = 200_000  # terms of a program
FINAL, DEAD, TRIAL = "final", "dead", "trial"


class Derivation(NamedTuple):
    """A call and the term after it, with the atomic blocks that it enters and the call within the procedure."""

    call: Call
    target: Term
    depth: int = 0
    nested: Derivation | None = None

    def around(self, inner: Derivation) -> Derivation:
        """The same call, which begins with an inner call."""
        return self._replace(nested=self.nested.around(inner) if self.nested else inner)


Change = Callable[["Term"], "Term"]


class Attempt(NamedTuple):
    """The calls that a trial tries, and its continuations in the same state on success and on failure."""

    derivations: tuple[Derivation, ...]
    success: Term
    failure: Term

    @property
    def is_unconditional(self) -> bool:
        """Whether success and failure have the same continuation."""
        return self.success is self.failure

    def mapped(
        self, target: Change, success: Change | None = None, failure: Change | None = None, deeper: bool = False
    ) -> Attempt:
        """The same calls with other continuations; those on success and failure change like the targets by default."""
        derivations = (
            each._replace(target=target(each.target), depth=each.depth + deeper) for each in self.derivations
        )
        return Attempt(tuple(derivations), (success or target)(self.success), (failure or target)(self.failure))


@dataclass(slots=True, eq=False)
class Term:
    """A term, interned by `Terms`: equal terms are the same object."""

    number: int
    operator: str
    parts: tuple[Term, ...]
    payload: Any
    kind: str  # final, dead or a trial
    depth: int  # nesting in atomic blocks
    is_atomic: bool  # whether it takes at most one step
    attempts: dict[bool, Attempt] = field(default_factory=dict)

    @property
    def is_final(self) -> bool:
        return self.kind == FINAL

    @property
    def is_dead(self) -> bool:
        return self.kind == DEAD

    @property
    def is_trial(self) -> bool:
        return self.kind == TRIAL


class Terms:
    """All terms of a control program."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, tuple[int, ...], Hashable], Term] = {}
        self.bodies: dict[str, Term] = {}  # of procedures, by name
        self.epsilon = self._make("epsilon", kind=FINAL, is_atomic=True)
        self.delta = self.dead(0)

    def _make(
        self,
        operator: str,
        *parts: Term,
        payload: Hashable = None,
        kind: str = TRIAL,
        depth: int = 0,
        is_atomic: bool = False,
    ) -> Term:
        key = (operator, tuple(part.number for part in parts), payload)
        term = self._known.get(key)
        if term is None:
            if len(self._known) >= MAX_TERMS:
                raise GrammarError(f"The control program is too large: it has more than {MAX_TERMS:,} terms.")
            term = self._known[key] = Term(len(self._known), operator, parts, payload, kind, depth, is_atomic)
        return term

    # ── construction ───────────────────────────────────────────────────────────────────────────────────

    def dead(self, depth: int) -> Term:
        return self._make("delta", payload=depth, kind=DEAD, depth=depth, is_atomic=True)

    def call(self, call: Call) -> Term:
        return self._make("call", payload=call, is_atomic=call.is_action)

    def seq(self, first: Term, then: Term) -> Term:
        """One term, then the other."""
        if first.is_final:
            return then
        return first if first.is_dead or then.is_final else self._make("seq", first, then, depth=first.depth)

    def either(self, one: Term, other: Term) -> Term:
        """One term or the other."""
        if one.is_dead:
            return other
        if other.is_dead or (one.is_final and other.is_final):
            return one
        return self._make("or", one, other, is_atomic=one.is_atomic and other.is_atomic)

    def any_of(self, terms: Iterable[Term]) -> Term:
        """A choice among terms, as a balanced tree so that no term is deep."""
        found = list(terms) or [self.delta]
        while len(found) > 1:
            pairs = [self.either(one, other) for one, other in zip(found[::2], found[1::2], strict=False)]
            found = pairs + found[2 * len(pairs) :]
        return found[0]

    def all_of(self, terms: Iterable[Term]) -> Term:
        """A sequence of terms."""
        whole = self.epsilon
        for term in reversed(list(terms)):
            whole = self.seq(term, whole)
        return whole

    def if_else(self, condition: Term, then: Term, other: Term, also: Term | None = None) -> Term:
        """`then` after the condition; in the same state, `also` if the condition succeeds and `other` if it fails."""
        also = also or self.delta
        if condition.is_dead:
            return other
        if condition.is_final:
            return self.either(then, also)
        if also.is_dead and other.is_dead:
            return self.seq(condition, then)
        return self._make("if", condition, then, also, other)

    def try_else(self, body: Term, other: Term) -> Term:
        return self.if_else(body, self.epsilon, other)

    def while_do(self, condition: Term, body: Term) -> Term:
        if condition.is_dead:
            return self.epsilon
        endless = not condition.is_trial and not body.is_trial  # it repeats nothing
        return self._make("while", condition, body, kind=DEAD if endless else TRIAL, is_atomic=endless)

    def until_do(self, condition: Term, body: Term) -> Term:
        if condition.is_final:
            return self.epsilon
        if condition.is_dead:
            return self.seq(self.star(condition), self.delta)
        return self._make("until", condition, body)

    def star(self, body: Term) -> Term:
        return self._make("star", body) if body.is_trial else self.epsilon

    def atom(self, body: Term) -> Term:
        """An atomic block before its first step."""
        return body if body.is_atomic else self._make("atom", body, is_atomic=True)

    def transit(self, body: Term) -> Term:
        """An atomic block after its first step."""
        if body.is_final:
            return self.epsilon
        if body.is_dead:
            return self.dead(body.depth + 1)
        return self._make("transit", body, depth=body.depth + 1, is_atomic=True)

    def body(self, inner: Term, caller: Derivation) -> Term:
        """The body of a called procedure, before its first step."""
        if inner.is_final:
            return self.epsilon
        if inner.is_dead:
            return self.dead(inner.depth)
        return self._make("body", inner, payload=caller, depth=inner.depth, is_atomic=inner.is_atomic)

    # ── attempts ─────────────────────────────────────────────────────────────────────────────────

    def attempt(self, term: Term, nested: bool = True) -> Attempt:
        """The attempt of a trial; with `nested` procedures are expanded down to their rules."""
        todo = [term]
        while todo:
            now = todo[-1]
            if nested not in now.attempts:
                missing = [part for part in self._needs(now, nested) if nested not in part.attempts]
                if missing:
                    todo += missing
                    continue
                now.attempts[nested] = self._attempt(now, nested)
            todo.pop()
        return term.attempts[nested]

    def _needs(self, term: Term, nested: bool) -> tuple[Term, ...]:
        """The terms whose attempts are needed for the attempt of a term."""
        if term.operator == "call":
            return (self._entered(term.payload),) if nested and term.payload.procedure is not None else ()
        if term.operator == "or":
            return tuple(part for part in term.parts if part.is_trial)
        first = term.parts[0]
        return (first,) if first.is_trial else (term.parts[1],)

    def _entered(self, call: Call) -> Term:
        return self.body(self.bodies[call.procedure or ""], Derivation(call, self.epsilon))

    def _attempt(self, term: Term, nested: bool) -> Attempt:
        """The attempt of a term from those that it needs."""
        needed = [part.attempts[nested] for part in self._needs(term, nested)]
        if not needed:
            return Attempt((Derivation(term.payload, self.epsilon),), self.delta, self.delta)
        first, parts = needed[0], term.parts
        match term.operator:
            case "call":
                return first
            case "seq":
                return first.mapped(lambda part: self.seq(part, parts[1]))
            case "or":
                return self._choice(parts, needed)
            case "if":
                _, then, also, other = parts
                return first.mapped(
                    lambda target: self.seq(target, then),
                    lambda success: self.either(self.seq(success, then), also),
                    lambda failure: self.if_else(failure, then, other, also),
                )
            case "while":
                condition, body = parts
                if not condition.is_trial:
                    return first.mapped(lambda part: self.seq(part, term))
                again = self.seq(body, term)
                return first.mapped(
                    lambda part: self.seq(self.seq(part, body), term),
                    failure=lambda failure: self.if_else(failure, again, self.epsilon),
                )
            case "until":
                return first._replace(failure=self.if_else(first.failure, self.epsilon, self.seq(parts[1], term)))
            case "star":

                def or_end(part: Term) -> Term:
                    return self.either(self.seq(part, term), self.epsilon)

                return first.mapped(lambda part: self.seq(part, term), or_end, or_end)
            case "atom":
                return first.mapped(self.transit, self.atom, self.atom, deeper=True)
            case "transit":
                return first.mapped(self.transit)
        caller: Derivation = term.payload  # of a procedure's body
        return Attempt(
            tuple(caller.around(each) for each in first.derivations),
            self.body(first.success, caller),
            self.body(first.failure, caller),
        )

    def _choice(self, parts: tuple[Term, ...], attempts: list[Attempt]) -> Attempt:
        """The part that does not branch comes first, so that its continuation is not copied into each branch."""
        (one, other), first, last = parts, attempts[0], attempts[-1]
        if len(attempts) == 2 and first.is_unconditional and last.is_unconditional:
            after = self.either(first.success, last.success)
            return Attempt(first.derivations + last.derivations, after, after)
        if not one.is_trial or (len(attempts) == 2 and last.is_unconditional):
            return last._replace(success=self.either(one, last.success), failure=self.either(one, last.failure))
        return first._replace(success=self.either(first.success, other), failure=self.either(first.failure, other))
