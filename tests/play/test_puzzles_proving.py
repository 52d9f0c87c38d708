"""Provers, compared with the rules alone; and the puzzle maker."""

import json
import random

import pytest

from pentad.parts import THREATS
from pentad.pentagame import prover as pentagame_proofs
from pentad.pente.bot import can_win
from pentad.play import puzzles
from pentad.play.puzzle_maker import canonical_text, made_puzzles, main, prover
from tests.cases import thinned

PENTE = [each for each in puzzles.puzzles("pente") if each.kind == "win" and each.moves == 2 and each.notes][:2]
PENTAGAME = [each for each in puzzles.puzzles("pentagame") if each.moves == 2][:2]
SHORT = [each for each in puzzles.puzzles("pentago") if each.moves == 1 and each.kind == "win"][:6]


@pytest.mark.slow
@pytest.mark.parametrize("each", thinned(PENTE, 2), ids=lambda each: each.id)
def test_wins_in_two_at_pente_by_the_rules(each):
    """A move is correct if and only if there is an immediate win after every reply."""
    for move in each.start.legal_moves:
        after = each.start.play(move)
        wins = not after.outcome and all(can_win(after.play(reply)) for reply in after.legal_moves)
        assert wins == (str(move) in each.tree.right)


@pytest.mark.parametrize("each", SHORT, ids=lambda each: each.id)
def test_immediate_wins_at_pentago_by_the_rules(each):
    here = each.start
    ends = {str(move): here.play(move).outcome for move in here.legal_moves}
    assert {move for move, end in ends.items() if end and end.winners == (here.turn,)} == set(each.tree.right)


def winning(here):
    """A turn that brings the third piece home, by the rules alone."""
    for move in here.legal_moves:
        outcome = here.play(move).outcome
        if outcome and outcome.winners == (here.turn,):
            return move
    return None


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("each", PENTAGAME, ids=lambda each: each.id)
def test_wins_in_two_at_pentagame_by_the_rules(each):
    """After a correct turn many replies all lose to a win; after a wrong one some reply prevents it."""
    chance = random.Random(5)
    after = each.start.play(next(iter(each.tree.right)))
    replies = [after.legal_moves[chance.randrange(len(after.legal_moves))] for _ in range(25)]
    assert all(winning(after.play(reply)) for reply in replies)
    search = pentagame_proofs.Search(each.start)
    wrong = [move for move in search.turns() if str(move) not in each.tree.right]
    for move in chance.sample(wrong, 3):
        after = each.start.play(move)
        reply = search.refutation(after)
        assert reply is not None
        assert winning(after.play(reply)) is None


def test_the_reply_is_a_longest_defence():
    each = next(one for one in puzzles.puzzles("pente") if one.kind == THREATS)
    after = each.start.play(next(iter(each.tree.right)))
    reply = prover("pente").reply(after, each.kind, each.moves - 1)
    there = after.play(reply)
    assert prover("pente").right(there, each.kind, each.moves - 1).moves
    assert not prover("pente").right(there, each.kind, each.moves - 2).moves


@pytest.mark.slow
def test_the_same_seed_makes_the_same_puzzles(tmp_path):
    made = list(made_puzzles("pente", seed=3, games=2))
    assert made
    file = tmp_path / "made.jsonl"
    assert main(["pente", str(file), "--seed", "3", "--games", "2"]) == 0
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert sorted(lines, key=lambda line: line["id"]) == sorted(made, key=lambda line: line["id"])
    assert all(1 <= line["difficulty"] <= 5 for line in lines)


def test_symmetric_positions_have_one_canonical_text():
    start = puzzles.puzzles("pentago")[0].start
    assert {canonical_text(each.position(start)) for each in start.symmetries} == {canonical_text(start)}
