"""`pentad grammar check`: errors in a grammar, broken invariants, and formulas of CTL, LTL and CTL*.

The exploration ends as soon as all formulas are decided. The exit code is 0 if everything holds, 1 if an invariant is
broken or a formula does not hold, 2 if the grammar or a formula cannot be read, 130 if Ctrl-C came before the result
was certain.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection, Iterator

from pentad.grammar import on_the_fly
from pentad.grammar.exploration import Exploration
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import GrammarError
from pentad.grammar.logic import ctl, formulas, ltl
from pentad.grammar.logic.formulas import Formula
from pentad.grammar.lts import Lts
from pentad.grammar.rules.rule import FORBIDDEN, INVARIANT
from pentad.grammar.system import GrammarParts, System, problems_in
from pentad.system.words import count, phrase
from pentad.terminal import streams
from pentad.terminal.arguments import CommandParser
from pentad.terminal.grammar import explore, transition_systems
from pentad.terminal.grammar.arguments import add_force, add_json, functions_of, read
from pentad.terminal.grammar.transition_systems import SystemSource

WELL, BROKEN, UNREADABLE, STOPPED = 0, 1, 2, 130


def add_arguments(parser: CommandParser) -> None:
    parser.epilog = (
        "Formulas: an action's name (it applies here), $start, $final, $open, $broken; ! & | -> <->; "
        "AX EX AF EF AG EG, A(p U q), E(p U q), also with W, R and M."
    )
    transition_systems.add_source(parser, "grammar")
    parser.add_argument(
        "formulas",
        metavar="FORMULA",
        nargs="*",
        help="CTL formula to check in the start state (default: check the invariants)",
    )
    parser.add_argument(
        "--invariant",
        metavar="FORMULA",
        action="append",
        default=[],
        help="formula that must hold in every state; the exploration stops at the first violation; can be repeated",
    )
    parser.add_argument(
        "--ltl",
        metavar="FORMULA",
        action="append",
        default=[],
        help="LTL or CTL* formula to check in the start state, such as 'G (request -> F grant)'; can be repeated",
    )
    for name, kind in (("--fair", "weakly"), ("--strongly-fair", "strongly")):
        parser.add_argument(
            name,
            metavar="ACTION",
            action="append",
            default=[],
            help=phrase("for --ltl, only paths count that treat this action {kind} fairly; can be repeated", kind=kind),
        )
    parser.add_argument(
        "--whole", action="store_true", help="explore all states, even if the formulas are decided earlier"
    )
    explore.add_exploring(parser)
    explore.add_film(parser)
    add_force(parser)
    add_json(parser)
    parser.intermixed = True


def run(args: argparse.Namespace) -> int:
    explore.check_film(args)
    asked = [*map(formulas.parse, args.formulas), *map(on_the_fly.invariant, args.invariant)]
    asked_of_paths = [formulas.parse(text, paths=True) for text in args.ltl]
    if transition_systems.is_system(args.grammar):
        if not asked + asked_of_paths:
            raise GrammarError("Expected a formula: a transition system has no invariants.")
        return _check(args, transition_systems.source_of(args, args.grammar), asked, asked_of_paths)
    grammar = read(args.grammar)
    functions = functions_of(args)
    if (args.fair or args.strongly_fair) and not args.ltl:
        raise GrammarError("--fair and --strongly-fair need a formula with --ltl.")
    parts: Grammar | GrammarParts = grammar
    if not asked + asked_of_paths:
        try:
            parts = GrammarParts(grammar, functions["operations"])
            wrong = problems_in(parts)
        except GrammarError as error:
            wrong = list(error.errors)
        if wrong:
            if args.json:
                errors = [{key: getattr(each, key) for key in ("what", "where", "node", "label")} for each in wrong]
                print(json.dumps({"grammar": grammar.name, "errors": errors}))
            else:
                for each in wrong:
                    streams.print_error(str(each))
            return UNREADABLE
    system = explore.prepared(args, parts, functions)
    actions = system.names
    for formula in (*asked, *asked_of_paths, *map(formulas.parse, args.fair + args.strongly_fair)):
        formulas.check_names(formula, actions)
    if asked + asked_of_paths:

        def verdicts(lts: Lts) -> Iterator[ctl.AnyVerdict]:
            return _verdicts(args, lts, asked, asked_of_paths, witness=False)

        early = {} if args.whole else on_the_fly.end_early([*asked, *asked_of_paths], verdicts)
        found = on_the_fly.ended(explore.explored(args, system, **early))
        return _check(args, transition_systems.explored(found), asked, asked_of_paths)
    found = explore.explored(args, system)
    _print_invariants(args, system, found)
    return BROKEN if found.lts.broken else STOPPED if found.stopped == "interrupted" else WELL


def _check(args: argparse.Namespace, source: SystemSource, asked: list[Formula], asked_of_paths: list[Formula]) -> int:
    """Checks formulas, and prints the verdicts."""
    lts = source.lts
    verdicts = list(_verdicts(args, lts, asked, asked_of_paths, source.actions))
    witness = next((verdict.witness for verdict in verdicts if verdict.witness), None)
    film = explore.save_film(args, lts, witness, source.name)
    if args.json:
        print(json.dumps({**source.data, "verdicts": [verdict.json() for verdict in verdicts], **film}))
    else:
        print("\n".join(source.lines))
        for verdict in verdicts:
            print("\n".join(_verdict_lines(source, verdict)))
        if film:
            print(explore.film_line(film))
    if source.code and not all(verdict.certain for verdict in verdicts):
        return source.code
    return WELL if all(verdict.holds for verdict in verdicts) else BROKEN


def _verdicts(
    args: argparse.Namespace,
    lts: Lts,
    asked: list[Formula],
    asked_of_paths: list[Formula],
    actions: Collection[str] | None = None,
    *,
    witness: bool = True,
) -> Iterator[ctl.AnyVerdict]:
    for formula in asked:
        yield ctl.check(formula, lts, actions=actions, witness=witness)
    for formula in asked_of_paths:
        yield ltl.check(formula, lts, actions=actions, weak=args.fair, strong=args.strongly_fair)


def _print_invariants(args: argparse.Namespace, system: System, found: Exploration) -> None:
    broken = found.lts.broken
    way = explore.way_to(found, list(broken))
    film = explore.save_film(args, found.lts, way, found.grammar.name)
    if args.json:
        about = {"certain": not found.lts.open, "trace": way.json() if way else None}
        print(json.dumps(explore.found_data(found) | about | film))
        return
    grammar = found.grammar
    watched = [rule.name for rule in system.properties if rule.role in (INVARIANT, FORBIDDEN)]
    print(
        f"{grammar.name}: {count(len(grammar.rules), 'rule')}, {count(len(grammar.graphs), 'graph')}, "
        f"{'a type graph' if system.types else 'no type graph'}, {count(len(grammar.controls), 'control program')}: "
        "no errors"
    )
    print("\n".join(explore.found_lines(found)))
    if way is not None:
        rules = ", ".join(broken[way.end])
        print(
            phrase(
                "trace of {steps} to state {end}, which breaks {rules}:",
                steps=count(len(way), "step"),
                end=way.end,
                rules=rules,
            )
        )
        print("\n".join(explore.way_lines(found, way, explore.names_of(system))))
    if film:
        print(explore.film_line(film))
    if holding := [name for name in watched if name not in explore.rules_broken(found)]:
        print(
            phrase(
                "holds in every {explored}state: {holding}",
                explored="explored " if found.lts.open else "",
                holding=", ".join(holding),
            )
        )
    elif not watched:
        print("The grammar has no invariants and no forbidden conditions.")


def _verdict_lines(found: SystemSource, verdict: ctl.AnyVerdict) -> Iterator[str]:
    where = ""
    if isinstance(verdict, ctl.Verdict) and found.data.get("stopped") != "until":
        where = phrase("; true in {count:,} of {states}", count=verdict.count, states=count(found.lts.states, "state"))
    yield f"{verdict}{where}"
    if not verdict.certain:
        yield phrase(
            "  not certain: {states} could change the result", states=count(len(found.lts.open), "unexplored state")
        )
    if verdict.witness is not None:
        yield f"  {'witness' if verdict.holds else 'counterexample'}, {count(len(verdict.witness), 'step')}:"
        yield from (f"  {line}" for line in explore.way_lines(found, verdict.witness, found.node_names))
