"""Provers, compared with the rules alone; and the puzzle maker."""

import json
import random
from collections import Counter
from dataclasses import replace

import pytest

from pentad.game import game, load, new
from pentad.games.parts import DRAW, THREATS
from pentad.games.pentagame import prover as pentagame_proofs
from pentad.games.pente.bot import can_win
from pentad.play import puzzles
from pentad.play.position_assessment import SOLVER_MEMORY_BYTES
from pentad.play.puzzle_maker import (
    canonical_text,
    finder,
    made_puzzles,
    main,
    played,
    proved,
    prover,
    puzzle_of,
    solution_tree,
    source,
)
from pentad.play.puzzles import DIFFICULTIES, Puzzle, PuzzleNode
from pentad.search.exact import exact_value
from tests.cases import thinned, together

PENTE = [each for each in puzzles.puzzles("pente") if each.kind == "win" and each.moves == 2 and each.notes][:2]
PENTAGAME = [each for each in puzzles.puzzles("pentagame") if each.moves == 2][:2]
SHORT = [each for each in puzzles.puzzles("pentago") if each.moves == 1 and each.kind == "win"][:6]
QUICK = [  # each kind has one whose proof is short
    puzzles.puzzle(name)
    for name in (
        *("pentago-0eaa3a44", "pentago-4de0f32f", "pentago-124feb29", "pentago-3b0edab0", "pentagame-26f54795"),
        *("pente-26688cde", "pente-06e6a111", "pente-1bbc9348", "pente-21d9f06f"),
    )
]


def reaches_its_goal(each: Puzzle) -> bool:
    """Whether the tree of a puzzle ends as its kind says, by the rules alone."""
    line = list(puzzles.solution(each))
    here, move = line[-1]
    outcome = here.play(move).outcome
    if each.kind == DRAW:
        return not outcome or outcome.is_draw
    return len(line) == 2 * each.moves - 1 and outcome is not None and outcome.winners == (each.start.turn,)


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
    search = pentagame_proofs.ProofSearch(each.start)
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


def value(position):
    """The exact value for the player to move, by work that is the same on every machine."""
    known = exact_value(position, seconds=None, memory=SOLVER_MEMORY_BYTES)
    return known and known.value


@together("each", [*QUICK, puzzles.puzzle("pentagame-9f7ddc3d")])
def test_a_prover_finds_the_kind_of_a_puzzle_and_the_value_of_its_position(each):
    proofs = prover(each.game)
    assert proofs.found(each.start) == (each.kind, each.moves)
    assert value(each.start) == (0 if each.kind == DRAW else 1)


@pytest.mark.parametrize("name", ["pentago-124feb29", "pente-26688cde", "pentagame-9f7ddc3d"])
def test_after_the_first_move_of_a_win_in_two_every_reply_loses(name):
    each = puzzles.puzzle(name)
    proofs = prover(each.game)
    after = each.start.play(next(iter(each.tree.right)))
    assert value(after) == -1
    then = after.play(proofs.reply(after, each.kind, 1))
    assert value(then) == 1
    assert proofs.right(then, each.kind, 1).moves


@pytest.mark.parametrize("each", QUICK, ids=lambda each: each.id)
def test_a_puzzle_is_made_again_from_its_position(each):
    kind = (each.kind, each.moves)
    tree = proved(prover(each.game), source(each.game), each.start, kind)
    assert tree is not None
    assert tree["left"] == each.moves
    assert set(tree["right"]) == set(each.tree.right)
    assert tree.get("others", "") == each.tree.letters
    made = puzzle_of(each.start, kind, tree)
    assert (made["id"], made["position"], made["kind"], made["moves"]) == (each.id, each.position, *kind)
    assert made["difficulty"] in DIFFICULTIES
    assert reaches_its_goal(Puzzle(**{**made, "tree": PuzzleNode.of(tree)}))


def test_a_position_with_too_many_solutions_is_no_puzzle():
    each = next(one for one in QUICK if len(one.tree.right) > 1 and one.moves > 1)
    kind, few = (each.kind, each.moves), replace(source(each.game), first_moves=1)
    assert proved(prover(each.game), few, each.start, kind) is None
    assert solution_tree(prover(each.game), each.start, *kind, most=1) is None
    assert proved(prover(each.game), source(each.game), each.start, ("win", 1)) is None  # nor one with none


@together(
    "here",
    [
        new("pentagame", players=3),
        new("pentago", players=3),
        load("pentago bbbb../wwww../....../....../....../......"),  # an immediate five is too easy
    ],
)
def test_a_position_whose_task_would_be_unclear_or_too_easy_is_no_puzzle(here):
    assert prover(here.game).found(here) is None


def test_positions_of_more_than_two_players_are_not_proved():
    assert value(new("pentago", players=3)) is None
    assert prover("pentagame").proved(new("pentagame", players=3)) is None


def test_the_weakest_bot_finds_a_move_if_every_move_is_right():
    here = QUICK[0].start
    assert finder(here, {"right": {str(move): [] for move in here.legal_moves}}) == 1


def test_the_positions_of_a_game_between_bots_are_within_the_range_of_plies():
    short = replace(source("pentago"), levels=(1,), first_ply=6, last_ply=9)
    positions = list(played("pentago", short, seed=4))
    assert [each.ply for each in positions] == [6, 7, 8, 9]
    assert [each.text for each in played("pentago", short, seed=4)] == [each.text for each in positions]
    assert [each.text for each in played("pentago", short, seed=5)] != [each.text for each in positions]


def test_games_between_weak_bots_give_puzzles(monkeypatch, tmp_path, capsys):
    module = game("pente").module("puzzles")
    monkeypatch.setattr(module, "SOURCE", replace(module.SOURCE, levels=(1,), last_ply=20))
    file = tmp_path / "made.jsonl"
    assert main(["pente", str(file), "--seed", "3", "--games", "2"]) == 0
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        assert reaches_its_goal(Puzzle(**{**line, "tree": PuzzleNode.of(line["tree"])}))
    counts = Counter(f"{line['kind']} in {line['moves']}" for line in lines)
    _, _, listed = capsys.readouterr().err.strip().rpartition(": ")
    assert listed.split(", ") == [f"{number} × {what}" for what, number in sorted(counts.items())]


def test_no_puzzles_are_made_of_no_games_or_when_none_are_wanted(monkeypatch, tmp_path, capsys):
    file = tmp_path / "made.jsonl"
    assert main(["pente", str(file), "--games", "0"]) == 0
    assert capsys.readouterr().err == "0 puzzles: none\n"
    assert not file.exists()
    module = game("pente").module("puzzles")
    monkeypatch.setattr(module, "SOURCE", replace(module.SOURCE, wanted={}))
    assert list(made_puzzles("pente", seed=2, games=1000)) == []


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
