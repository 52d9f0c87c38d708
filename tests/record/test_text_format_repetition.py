"""Threefold repetition, judged by the record; tested with Pentagame, where positions can recur."""

from __future__ import annotations

import copy
import pickle
import random

import pytest

import pentad
from pentad.game import GameError, Outcome
from pentad.play.contest import ContestTerms, GameResult, play_game
from pentad.play.match import MatchScore
from pentad.play.pairings import Pairing
from pentad.play.seats import Seat
from pentad.play.table import Table, scored_result, state_text
from pentad.record import Node, Record
from pentad.record.formats import read_json, write_json
from pentad.search.bot import Bot
from pentad.search.report import Result
from pentad.web.view import status
from tests.games.pentagame.random_play import quick_random_turn
from tests.line_limit import at_most

# Both red pieces step back and forth; the position after move 4 recurs after moves 8 and 12.
SHUFFLE = ("3-312", "3-413", "3-322", "3-423")
DRAWN = Outcome.of((), 2, "threefold repetition")


def shuffled(moves: int, **options: object) -> Record:
    record = Record("pentagame", **options)
    for i in range(moves):
        record.play(SHUFFLE[i % 4])
    return record


def test_the_third_occurrence_ends_the_game():
    record = shuffled(11)
    assert (record.outcome, record.end.repetitions) == (None, 2)
    record.play(SHUFFLE[3])
    assert record.end.repetitions == 3
    assert record.position.outcome is None  # the board does not show it
    assert record.outcome == DRAWN
    assert record.result == "1/2-1/2"
    with pytest.raises(GameError, match="The game is over: 1/2-1/2, threefold repetition"):
        record.play("4-410")


def test_repetitions_are_counted():
    """The first moves differ from their repetitions: no piece had moved before them, so no move was barred."""
    record = shuffled(12)
    assert [node.repetitions for node in record.end.line] == [1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3]


def test_the_last_moves_are_part_of_the_position():
    record = shuffled(12)
    positions = [node.position.recurring for node in record.end.line]
    assert positions[2] != positions[6]  # the same pieces on the same fields
    assert positions[4] == positions[8] == positions[12]
    assert len(set(positions)) == 8


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_draw_of_more_players(players):
    record = Record("pentagame", players=players)
    moves = (("3-312", "3-322"), ("3-413", "3-423"), ("2-211", "2-221"), ("1-110", "1-120"), ("4-410", "4-420"))
    while not record.outcome:
        turns, seat = divmod(record.position.ply, players)
        record.play(moves[seat][turns % 2])
        assert record.position.ply < 100
    assert record.outcome == Outcome.of((), players, "threefold repetition")
    assert record.result == "-".join([f"1/{players}"] * players)


def test_taking_back_the_last_move_takes_back_the_draw():
    record = shuffled(12)
    record.take_back()
    assert record.outcome is None
    record.play("4-410")
    assert record.outcome is None


def test_a_variation_has_its_own_history():
    record = shuffled(10)
    record.play("4-410")
    node = record.end.parent
    assert node is not None
    for i in (10, 11):
        node = node.play(SHUFFLE[i % 4])
    assert node.repetitions == 3
    assert record.root.children[0].play("4-423").repetitions == 1
    assert record.outcome is None
    node.promote()
    assert record.outcome == DRAWN


def test_a_drawn_record_is_written_and_read():
    record = shuffled(12)
    assert '[Result "1/2-1/2"]\n[Reason "threefold repetition"]' in record.text
    for again in (Record.read(record.text), *read_json(write_json([record])), Record.read(record.text, strict=False)):
        assert again.text == record.text
        assert again.outcome == DRAWN
        with pytest.raises(GameError, match="The game is over"):
            again.play("4-410")
    merged = Record("pentagame")
    merged.merge(record)
    assert merged.outcome == DRAWN
    assert copy.deepcopy(record).outcome == pickle.loads(pickle.dumps(record)).outcome == DRAWN


def test_a_record_without_a_result_is_drawn_by_its_moves():
    """The moves may have been typed, or played in the tree one by one."""
    moves = shuffled(12).moves
    for plain in ("\n".join(map(str, moves)), " ".join(SHUFFLE * 3), ", ".join(SHUFFLE * 3) + " *"):
        record = Record.read(plain, strict=False, game="pentagame")
        assert record.moves == moves
        assert (record.outcome, record.result) == (DRAWN, "1/2-1/2")
    record = Record("pentagame")
    for move in moves:
        record.end.play(move)
    assert record == shuffled(12)


def test_a_drawn_record_cannot_be_marked_as_unfinished():
    text, json = shuffled(12).text, write_json([shuffled(12)])
    with pytest.raises(GameError, match="result 1/2-1/2, Reason threefold repetition"):
        Record.read(text.replace('[Reason "threefold repetition"]\n', "").replace("1/2-1/2", "*"))
    with pytest.raises(GameError, match="The moves show 1/2-1/2, reason threefold repetition"):
        read_json(json.replace('"1/2-1/2"', '"1-0"'))
    won = text.replace("1/2-1/2", "1-0").replace("threefold repetition", "resigned")
    assert Record.read(won, strict=False).outcome == DRAWN


def test_games_without_recurring_positions_count_no_repetitions():
    for name in ("pentago", "pente"):
        record = Record(name)
        chance = random.Random(1)
        while not record.outcome and record.position.ply < 12:
            record.play(chance.choice(record.position.legal_moves))
            assert record.end.repetitions == 1
    assert pentad.new("pentago").recurring is None


def test_counting_repetitions_in_a_long_game_is_fast():
    chance = random.Random(3)
    record = Record("pentagame", players=5)
    node = record.root
    for _ in range(600):
        _, after = quick_random_turn(node.position, chance)
        if after.outcome:
            break
        child = Node(after, None, node)
        node.children.append(child)
        node = child
    assert after.ply > 300
    with at_most(lines=4_000_000):
        assert sum(node.repetitions for node in record.nodes()) <= after.ply + 9


# ── In tables, terminals and matches ─────────────────────────────────────────────────────────────


def drawn_table() -> Table:
    table = Table(Record("pentagame"), ["human", "human"])
    for move in SHUFFLE * 3:
        table.play(move)
    return table


def test_a_table_ends_the_game():
    table = drawn_table()
    assert (table.outcome, table.seat) == (DRAWN, None)
    for action in (table.resign, table.hint, lambda: table.play("4-410")):
        with pytest.raises(GameError, match=r"[Tt]he game is over"):
            action()
    assert table.undo() == 1
    assert table.outcome is None
    assert table.redo() == 1
    assert table.outcome == DRAWN


def test_the_terminal_and_the_browser_show_the_reason():
    table = drawn_table()
    assert scored_result(table.position, table.outcome) == "Draw by threefold repetition. Result: 1/2-1/2."
    assert state_text(table.record) == "Draw by threefold repetition. Result: 1/2-1/2."
    assert status(table.position, table.outcome) == "Draw by threefold repetition."


class Shuffler(Bot):
    """A bot that steps back and forth."""

    def play(self, position, limit=None):
        return Result(position.parse(SHUFFLE[position.ply % 4]))


def test_a_match_ends_a_repeating_game(monkeypatch):
    terms = ContestTerms("pentagame", ("first", "first"), plies=0, options={"players": 2})
    monkeypatch.setattr("pentad.play.contest.sit", lambda kind, who, **_: Seat("first", Shuffler()))
    record = Record.read(play_game(terms, Pairing(0, 0, (0, 1))))
    assert record.outcome == DRAWN
    assert len(record.moves) == 12
    score = MatchScore(terms)
    score.count(GameResult.of(Pairing(0, 0, (0, 1)), record))
    assert (score.wins, score.draws, score.losses, score.forfeits) == (0, 1, 0, 0)
