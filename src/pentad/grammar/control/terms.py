"""Terms: the remainder of a control program, as a process algebra.

A term is final (the program is complete), dead (nothing follows), or a trial. A trial has an attempt: calls that are
tried together, each with the term that follows it, and two more terms, of which one is tried next in the same state:
`success` if some call applied, `failure` if none did.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, ClassVar, NamedTuple, Protocol

from pentad.grammar.graph import GrammarError

MAX_TERMS = 200_000  # terms of a program
FINAL, DEAD, TRIAL = "final", "dead", "trial"


class Callee(Protocol):
    """Interface of a call: the procedure that it enters, if any, and whether it is one step."""

    @property
    def procedure(self) -> str | None: ...

    @property
    def is_action(self) -> bool: ...


class Derivation(NamedTuple):
    """A call and the term after it, with the atomic blocks that it enters and the call within the procedure."""

    call: Callee
    target: Term
    depth: int = 0
    nested: Derivation | None = None

    def to(self, target: Term, deeper: bool = False) -> Derivation:
        """The same call, followed by another term."""
        return self._replace(target=target, depth=self.depth + deeper)

    def around(self, inner: Derivation) -> Derivation:
        """The same call, which begins with an inner call."""
        return self._replace(nested=self.nested.around(inner) if self.nested else inner)


class Attempt(NamedTuple):
    """The calls that a trial tries, and its continuations in the same state on success and on failure."""

    derivations: tuple[Derivation, ...]
    success: Term
    failure: Term

    @property
    def is_unconditional(self) -> bool:
        """Whether success and failure have the same continuation."""
        return self.success is self.failure


class Term:
    """A term, interned by `Terms`: equal terms are the same object."""

    __slots__ = ("attempts", "depth", "is_atomic", "kind", "number", "operator", "parts", "payload")

    def __init__(self, operator: str, parts: tuple[Term, ...], payload: Any, number: int) -> None:
        self.operator, self.parts, self.payload, self.number = operator, parts, payload, number
        self.kind = FINAL  # or dead, or a trial
        self.depth = 0  # nesting in atomic blocks
        self.is_atomic = True  # whether it takes at most one step
        self.attempts: dict[bool, Attempt] = {}

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
        self.epsilon = self._make("epsilon")
        self.delta = self.dead(0)

    def _make(self, operator: str, *parts: Term, payload: Any = None) -> Term:
        key = (operator, tuple(part.number for part in parts), payload)
        term = self._known.get(key)
        if term is None:
            if len(self._known) >= MAX_TERMS:
                raise GrammarError(f"The control program is too large: it has more than {MAX_TERMS:,} terms.")
            term = self._known[key] = Term(operator, parts, payload, len(self._known))
            _KINDS[operator](term)
        return term

    # ── construction ───────────────────────────────────────────────────────────────────────────────────

    def dead(self, depth: int) -> Term:
        return self._make("delta", payload=depth)

    def call(self, call: Callee) -> Term:
        return self._make("call", payload=call)

    def seq(self, first: Term, then: Term) -> Term:
        """One term, then the other."""
        if first.is_final:
            return then
        return first if first.is_dead or then.is_final else self._make("seq", first, then)

    def either(self, one: Term, other: Term) -> Term:
        """One term or the other."""
        if one.is_dead:
            return other
        return one if other.is_dead or (one.is_final and other.is_final) else self._make("or", one, other)

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
        return self.epsilon if condition.is_dead else self._make("while", condition, body)

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
        return body if body.is_atomic else self._make("atom", body)

    def transit(self, body: Term) -> Term:
        """An atomic block after its first step."""
        if body.is_final:
            return self.epsilon
        return self.dead(body.depth + 1) if body.is_dead else self._make("transit", body)

    def body(self, inner: Term, caller: Derivation) -> Term:
        """The body of a called procedure, before its first step."""
        if inner.is_final:
            return self.epsilon
        return self.dead(inner.depth) if inner.is_dead else self._make("body", inner, payload=caller)

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
                now.attempts[nested] = self._ATTEMPTS[now.operator](self, now, nested)
            todo.pop()
        return term.attempts[nested]

    def _needs(self, term: Term, nested: bool) -> tuple[Term, ...]:
        """The terms whose attempts are needed for the attempt of a term."""
        if term.operator == "call":
            procedure = term.payload.procedure if nested else None
            return (self._entered(term),) if procedure is not None else ()
        if term.operator == "or":
            return tuple(part for part in term.parts if part.is_trial)
        first = term.parts[0]
        return (first,) if first.is_trial else (term.parts[1],)

    def _entered(self, term: Term) -> Term:
        call: Callee = term.payload
        return self.body(self.bodies[call.procedure or ""], Derivation(call, self.epsilon))

    def _call(self, term: Term, nested: bool) -> Attempt:
        call: Callee = term.payload
        if nested and call.procedure is not None:
            return self._entered(term).attempts[nested]
        return Attempt((Derivation(call, self.epsilon),), self.delta, self.delta)

    def _mapped(
        self,
        attempt: Attempt,
        derived: Callable[[Term], Term],
        success: Callable[[Term], Term],
        failure: Callable[[Term], Term],
        deeper: bool = False,
    ) -> Attempt:
        derivations = (each.to(derived(each.target), deeper) for each in attempt.derivations)
        return Attempt(tuple(derivations), success(attempt.success), failure(attempt.failure))

    def _followed(self, attempt: Attempt, then: Term) -> Attempt:
        def follow(term: Term) -> Term:
            return self.seq(term, then)

        return self._mapped(attempt, follow, follow, follow)

    def _seq(self, term: Term, nested: bool) -> Attempt:
        first, then = term.parts
        return self._followed(first.attempts[nested], then)

    def _or(self, term: Term, nested: bool) -> Attempt:
        """The part that does not branch comes first, so that its continuation is not copied into each branch."""
        one, other = term.parts
        first = one.attempts[nested] if one.is_trial else None
        second = other.attempts[nested] if other.is_trial else None
        if first is not None and second is not None and first.is_unconditional and second.is_unconditional:
            after = self.either(first.success, second.success)
            return Attempt(first.derivations + second.derivations, after, after)
        if second is not None and (first is None or second.is_unconditional):
            success, failure = self.either(one, second.success), self.either(one, second.failure)
            return Attempt(second.derivations, success, failure)
        if first is None:
            raise AssertionError("A choice needs a trial.")
        success, failure = self.either(first.success, other), self.either(first.failure, other)
        return Attempt(first.derivations, success, failure)

    def _if(self, term: Term, nested: bool) -> Attempt:
        condition, then, also, other = term.parts
        return self._mapped(
            condition.attempts[nested],
            lambda target: self.seq(target, then),
            lambda success: self.either(self.seq(success, then), also),
            lambda failure: self.if_else(failure, then, other, also),
        )

    def _while(self, term: Term, nested: bool) -> Attempt:
        condition, body = term.parts
        if not condition.is_trial:
            return self._followed(body.attempts[nested], term)
        again = self.seq(body, term)

        def follow(part: Term) -> Term:
            return self.seq(self.seq(part, body), term)

        return self._mapped(
            condition.attempts[nested], follow, follow, lambda failure: self.if_else(failure, again, self.epsilon)
        )

    def _until(self, term: Term, nested: bool) -> Attempt:
        condition, body = term.parts
        first = condition.attempts[nested]
        again = self.seq(body, term)
        return Attempt(first.derivations, first.success, self.if_else(first.failure, self.epsilon, again))

    def _star(self, term: Term, nested: bool) -> Attempt:
        def or_end(part: Term) -> Term:
            return self.either(self.seq(part, term), self.epsilon)

        return self._mapped(term.parts[0].attempts[nested], lambda part: self.seq(part, term), or_end, or_end)

    def _atom(self, term: Term, nested: bool) -> Attempt:
        return self._mapped(term.parts[0].attempts[nested], self.transit, self.atom, self.atom, deeper=True)

    def _transit(self, term: Term, nested: bool) -> Attempt:
        return self._mapped(term.parts[0].attempts[nested], self.transit, self.transit, self.transit)

    def _body(self, term: Term, nested: bool) -> Attempt:
        caller: Derivation = term.payload
        inner = term.parts[0].attempts[nested]
        derivations = tuple(caller.around(each) for each in inner.derivations)
        return Attempt(derivations, self.body(inner.success, caller), self.body(inner.failure, caller))

    _ATTEMPTS: ClassVar[dict[str, Callable[[Terms, Term, bool], Attempt]]] = {
        "call": _call,
        "seq": _seq,
        "or": _or,
        "if": _if,
        "while": _while,
        "until": _until,
        "star": _star,
        "atom": _atom,
        "transit": _transit,
        "body": _body,
    }


# ── kinds ────────────────────────────────────────────────────────────────────────────────────────


def _final(term: Term) -> None:
    """New terms are final, atomic and at depth 0 by default."""


def _dead(term: Term) -> None:
    term.kind, term.depth = DEAD, term.payload


def _call(term: Term) -> None:
    term.kind, term.is_atomic = TRIAL, term.payload.is_action


def _trial(term: Term) -> None:
    term.kind, term.is_atomic = TRIAL, False


def _seq(term: Term) -> None:
    term.kind, term.depth, term.is_atomic = TRIAL, term.parts[0].depth, False


def _or(term: Term) -> None:
    term.kind = TRIAL
    term.is_atomic = all(part.is_atomic for part in term.parts)


def _while(term: Term) -> None:
    condition, body = term.parts
    term.kind = TRIAL if condition.is_trial or body.is_trial else DEAD
    term.is_atomic = not term.is_trial


def _atom(term: Term) -> None:
    term.kind = TRIAL


def _transit(term: Term) -> None:
    term.kind, term.depth = TRIAL, term.parts[0].depth + 1


def _body(term: Term) -> None:
    inner = term.parts[0]
    term.kind, term.depth, term.is_atomic = TRIAL, inner.depth, inner.is_atomic


_KINDS: Mapping[str, Callable[[Term], None]] = {
    "epsilon": _final,
    "delta": _dead,
    "call": _call,
    "seq": _seq,
    "or": _or,
    "if": _trial,
    "while": _while,
    "until": _trial,
    "star": _trial,
    "atom": _atom,
    "transit": _transit,
    "body": _body,
}
