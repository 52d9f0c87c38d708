"""The rules, sentence by sentence as the rule page has them, on positions built for each."""

import random
from statistics import mean

import pytest

import pentad
from pentad.game import GameError, IllegalMove, Move, Outcome
from pentad.games.pentagame.board import CORNERS, FIELDS, JUNCTIONS, NUMBER, OFF_BOARD, fields_of, goal
from pentad.games.pentagame.denomination import BLACKS, GRAYS
from pentad.games.pentagame.notation import BlockStep, LeaveStep, PieceStep
from pentad.games.pentagame.rules import GAME
from tests.games.pentagame.random_play import OPTIONS, board, quick_random_turn, random_position

START = pentad.new("pentagame")


def number(name):
    """A field's number by its short name, such as 7 or 522."""
    return NUMBER[tuple(int(digit) for digit in name.ljust(3, "0"))]


def at(position, seat, piece):
    """Where a piece stands, as a short name; - off the board."""
    field = position.pieces[seat][piece]
    return "-" if field == OFF_BOARD else short(FIELDS[field])


def short(field):
    return str(field.start) if not field.counter else f"{field.start}{field.counter}{field.end}"


def ends(position, piece):
    """Where the mover's piece can go, by short names."""
    return {short(FIELDS[field]) for field in fields_of(position.reach(piece))}


def refused(position, turn, why):
    with pytest.raises(IllegalMove, match=why):
        position.play(turn)
    assert position.parse(turn) not in position.legal_moves


# ── the start ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_start(players):
    """Each has five pieces, one per colour; each starts on the corner of its colour; black blocks on the junctions."""
    start = pentad.new("pentagame", players=players)
    assert (start.players, start.turn, start.ply, start.outcome) == (players, 0, 0, None)
    assert start.pieces == (tuple(CORNERS),) * players
    assert start.blacks == tuple(JUNCTIONS)
    assert start.grays == (OFF_BOARD,) * 5
    assert start.pool == 5
    for colour in CORNERS:
        assert start.pieces_on(colour) == [(seat, colour) for seat in range(players)]
    assert [start.colour_of(seat) for seat in range(players)] == ["circle", "square", "triangle", "diamond", "star"][
        :players
    ]


@pytest.mark.parametrize(
    ("players", "turns", "moves"), [(2, 1005, 115), (3, 1015, 125), (4, 1025, 135), (5, 1035, 145)]
)
def test_counts_at_the_start(players, turns, moves):
    start = pentad.new("pentagame", players=players)
    assert (len(start.legal_moves), len(start.piece_moves)) == (turns, moves)
    assert len(list(start.legal_moves)) == turns


@pytest.mark.parametrize("players", [-1, 0, 1, 6, 7, True, "2", None, 2.0], ids=repr)
def test_two_to_five_players(players):
    with pytest.raises(GameError, match=r"Option players .* from 2 to 5"):
        pentad.new("pentagame", players=players)


def test_colours_can_be_renamed():
    here = pentad.new("pentagame", colours="pink,cyan,navy,lime,white")
    assert here.colours == ("pink", "cyan", "navy", "lime", "white")
    place = "2nd stop from the lime corner towards the navy corner"
    assert here.describe(here.parse("lime-322")) == f"Circle's lime piece goes to the {place}."
    assert "colours=pink,cyan,navy,lime,white" in here.text
    for wrong in ("pink", "pink,cyan,navy,lime", "pink,pink,navy,lime,white", "pink,cyan,navy,lime,mauve", "", 5):
        with pytest.raises(GameError, match="Option colours must be 5 different"):
            pentad.new("pentagame", colours=wrong)


# ── a turn: one own piece, any distance over empty fields ────────────────────────────────────────


def test_pieces_move_any_distance_along_every_line():
    """From corner 3 as far as the next corners and junctions, which stop it."""
    arcs = {f"3{c}2" for c in (1, 2, 3)} | {f"4{c}3" for c in (1, 2, 3)}
    legs = {f"5{c}3" for c in range(1, 7)} | {f"6{c}3" for c in range(1, 7)}
    assert ends(START, 3) == arcs | legs | {"2", "4", "5", "6"}


def test_pieces_turn_freely_at_corners_and_junctions():
    """With junction 5 free the way goes on along its two arms and its other leg."""
    here = board(blacks="11@410")
    on = {f"6{c}5" for c in (1, 2, 3)} | {f"9{c}5" for c in (1, 2, 3)} | {f"5{c}2" for c in range(1, 7)}
    assert ends(here, 3) == (ends(START, 3) | on | {"9"})
    here = board("02@110 12@120")  # and over corner 2, which has been left
    assert {"2", "211", "231", "1", "512", "9"} <= ends(here, 3)


@pytest.mark.parametrize(
    ("what", "options"),
    [("a black block", {"blacks": "11@332"}), ("a gray block", {"grays": "6@332"}), ("a piece", {})],
)
def test_pieces_do_not_jump(what, options):
    """On [3,2,2] the mover can end, not go on."""
    options = {key: value.replace("332", "322") for key, value in options.items()}
    here = board("12@322" if not options else "12@-", **options)
    assert {"312", "322"} <= ends(here, 3)
    assert "332" not in ends(here, 3)
    refused(here, "3-332", "no free path")


def test_a_move_does_not_end_where_it_began():
    """Not even around a loop of empty fields; so two pieces of a stack never swap."""
    lonely = board("13@110", blacks="11@410 12@430")
    assert {"5", "6", "615", "625", "635"} <= ends(lonely, 3)
    assert "3" not in ends(lonely, 3)
    refused(START, "[0,3,3,0,0]", "Circle's red piece is already on the red corner")
    refused(START, "[0,3,3,0,0] [1,3,3,0,0]", "Circle's red piece is already on the red corner")


def test_a_player_moves_an_own_piece_on_the_board():
    refused(START, "[1,3,3,2,2]", "It is circle's turn, not square's")
    refused(board("03@-"), "3-322", "has left the board")


def test_a_move_may_end_on_an_empty_field():
    after = START.play("3-322")
    assert at(after, 0, 3) == "322"
    assert (after.turn, after.ply) == (1, 1)
    assert after.pieces_on(3) == [(1, 3)]
    assert START.pieces_on(3) == [(0, 3), (1, 3)]


# ── blocks ───────────────────────────────────────────────────────────────────────────────────────


def test_a_black_block_is_put_on_any_empty_field():
    """The field just left counts as empty, unless the rest of a stack stands there."""
    half = START.partial("0-8")
    assert half.due == ("black",)
    assert half.blacks[3] == OFF_BOARD
    free = {str(choice.step.to) for choice in half.choices()}
    assert free == {str(FIELDS[field]) for field in fields_of(START.empty)}
    refused(START, "0-8 0", "The white corner is not empty: square's white piece")
    alone = board("00@810")
    assert at(alone.play("0-8 810"), 0, 0) == "8"
    assert alone.play("0-8 810").blacks[3] == number("810")
    for wrong, what in (("8", "circle's white piece"), ("6", "black block"), ("1", "circle's green piece")):
        refused(alone, f"0-8 {wrong}", f"is not empty: {what}")
    refused(alone, "0-8", "A black block must be put")


def test_a_gray_block_goes_back_to_the_pool():
    here = board("12@- 13@-", grays="6@322 7@110")
    assert here.pool == 3
    after = here.play("3-322")
    assert at(after, 0, 3) == "322"
    assert after.pool == 4
    assert after.grays == (OFF_BOARD, number("110"), *[OFF_BOARD] * 3)
    assert after.turn == 1
    refused(here, "3-322 120", r"The turn is complete before \[0,6,1,2,0\]: no block is due")


# ── swaps ────────────────────────────────────────────────────────────────────────────────────────


def test_a_move_swaps_with_another_players_piece():
    here = board("12@322")
    after = here.play("3-322")
    assert (at(after, 0, 3), at(after, 1, 2)) == ("322", "3")
    assert after.pieces_on(3) == [(1, 2), (1, 3)]  # the partner may come onto a stack
    assert after.turn == 1


def test_a_move_swaps_with_an_own_piece():
    """One move, whichever of them is named."""
    here = board("02@322")
    both_ways = here.play("3-322"), here.play("2-3x03")
    assert both_ways[0] == both_ways[1]
    assert (at(both_ways[0], 0, 3), at(both_ways[0], 0, 2)) == ("322", "3")
    assert str(here.parse("3-322")) == str(here.parse("2-3x03")) == "[0,2,3,0,0] [0,3,3,2,2]"
    assert (
        sum(
            step.partner is not None and {step.piece, step.partner[1]} == {2, 3} and step.partner[0] == 0
            for step in here.piece_moves
        )
        == 1
    )


def test_on_a_stack_the_mover_names_the_piece():
    here = board("01@2 11@2", players=3)
    refused(here, "3-2", "Several pieces are on the yellow corner")
    partners = {step.partner for step in here.piece_moves if step.piece == 3 and short(step.to) == "2"}
    assert partners == {(1, 1), (1, 2), (2, 2)}  # its own two name it themselves
    assert {step.partner for step in here.piece_moves if step.partner == (0, 3)} == {(0, 3)}
    after = here.play("3-2x11")
    assert (at(after, 0, 3), at(after, 1, 1)) == ("2", "3")
    assert len(after.pieces_on(2)) == 5


def test_a_swap_leaves_all_fields_as_full_as_they_were():
    chance = random.Random(2)
    seen = 0
    for seed in range(40):
        here = random_position(chance, 2 + seed % 4)
        for step in here.piece_moves:
            if isinstance(step, PieceStep) and step.partner and not step.leaving:
                assert here.after(step).taken == here.taken
                seen += 1
    assert seen > 200


# ── home ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_piece_that_reaches_its_goal_leaves_and_a_gray_block_is_put():
    here = board("03@811", blacks="14@410")
    half = here.partial("3-8")
    assert at(half, 0, 3) == "-"
    assert half.home(0) == 1
    assert half.due == ("gray",)
    assert half.blocks_to_put == (6,)
    for field in ("8", "811", "831"):  # the goal just left free, the field just left, any other
        after = here.play(f"3-8 {field}")
        assert after.grays[0] == number(field)
        assert after.pool == 4
        assert after.turn == 1
    refused(here, "3-8 0", "is not empty")
    refused(here, "3-8 7-831", "Gray block 7 cannot be put now")


def test_junctions_of_other_colours_are_ordinary_fields():
    here = board("03@811", blacks="14@410")
    for piece in (0, 1, 2, 4):
        here = board(f"0{piece}@811", blacks="14@410")
        after = here.play(f"{piece}-8")
        assert at(after, 0, piece) == "8"
        assert after.home(0) == 0
        assert after.turn == 1


def test_an_empty_goal_may_be_passed_over():
    """Only a piece that ends there reaches it."""
    here = board("03@811", blacks="14@410")
    after = here.play("3-938")
    assert at(after, 0, 3) == "938"
    assert after.home(0) == 0
    assert after.turn == 1


def test_black_before_gray_when_one_turn_earns_both():
    here = board("03@811")
    half = here.partial("3-8")
    assert half.due == ("black", "gray")
    assert half.blocks_to_put == (14,)
    half = here.partial("3-8 831")
    assert half.due == ("gray",)
    refused(here, "3-8 6-831 14-821", "Gray block 6 cannot be put now")
    after = here.play("3-8 8 811")  # the goal may be chosen for the black block too
    assert after.blacks[3] == number("8")
    assert after.grays[0] == number("811")
    assert after.home(0) == 1


def test_home_from_a_gray_block():
    """It goes back to the pool and is put again."""
    here = board("03@811 12@-", blacks="14@410", grays="6@8")
    after = here.play("3-8 831")
    assert after.grays[0] == number("831")
    assert after.pool == 4


FULL = {"players": 3, "grays": "6@110 7@120 8@130 9@211 10@221"}


def test_with_an_empty_pool_a_gray_block_on_the_board_is_moved():
    here = board("03@811 00@- 01@- 10@- 11@- 20@-", blacks="14@430", **FULL)
    half = here.partial("3-8")
    assert half.pool == 0
    assert half.blocks_to_put == tuple(GRAYS)
    empty = half.empty.bit_count()
    assert len(half.choices()) == len(half.legal_moves) == 5 * empty
    after = here.play("3-8 7-8")
    assert after.grays == tuple(map(number, ("110", "8", "130", "211", "221")))
    refused(here, "3-8 7-120", "The 2nd stop from the green corner .* is not empty: gray block")
    refused(here, "3-8 7-130", "is not empty: gray block")


def test_with_an_empty_pool_home_from_a_gray_block():
    """That one is in the pool by then."""
    here = board(
        "03@811 00@- 01@- 10@- 11@- 20@-", blacks="14@430", **{**FULL, "grays": "6@110 7@120 8@8 9@211 10@221"}
    )
    half = here.partial("3-8")
    assert half.pool == 1
    assert half.blocks_to_put == (8,)


# ── brought home by another ──────────────────────────────────────────────────────────────────────

# player 0's white stands on red's goal, player 1's red next to it
GIFT = board("00@8 13@811", blacks="14@410")


def test_another_players_piece_swapped_to_its_goal_waits():
    after = GIFT.play("0-811")
    assert (at(after, 0, 0), at(after, 1, 3)) == ("811", "8")
    assert after.home(1) == 0
    assert after.turn == 1
    assert after.waiting == (3,)
    assert after.pool == 5


def test_a_waiting_piece_leaves_at_its_owners_next_turn_which_then_ends():
    waits = GIFT.play("0-811")
    assert waits.piece_moves == (LeaveStep(1, 3),)
    half = waits.partial("[1,3,-1,-1,-1]")
    assert half.home(1) == 1
    assert half.due == ("gray",)
    assert len(waits.legal_moves) == half.empty.bit_count()
    after = waits.play("[1,3,-1,-1,-1] [1,6,8,0,0]")
    assert after.turn == 0
    assert after.grays[0] == number("8")
    refused(waits, "4-410", "Square's red piece was brought to its goal, so it must leave now:")
    refused(waits, "[1,3,-1,-1,-1]", "A gray block must be put")
    refused(waits, "[1,4,-1,-1,-1] [1,6,8,0,0]", "Square's blue piece is not waiting")


def test_several_waiting_pieces_leave_one_per_turn():
    here = board("02@7 03@8", blacks="13@614 14@410")
    assert {step.piece for step in here.piece_moves} == {2, 3}
    first = here.play("[0,3,-1,-1,-1] [0,6,8,0,0]")
    assert at(first, 0, 2) == "7"
    assert first.turn == 1
    second = first.play(first.legal_moves[0])
    assert second.waiting == (2,)


def test_a_waiting_piece_leaves_with_an_empty_pool():
    here = board("03@8 00@- 01@- 10@- 11@- 20@-", blacks="14@430", **FULL)
    assert len(here.legal_moves) == 5 * (here.empty.bit_count() + 1)
    after = here.play("[0,3,-1,-1,-1] [0,7,8,0,0]")
    assert after.grays[1] == number("8")


def test_a_waiting_piece_may_be_swapped_away_again():
    """By anybody, before its owner's turn; then it waits no more."""
    here = board("23@8 14@811", players=3, turn=1, blacks="14@410")
    after = here.play("4-8")
    assert (at(after, 1, 4), at(after, 2, 3)) == ("8", "811")
    assert after.turn == 2
    assert after.waiting == ()
    assert after.home(2) == 0


def test_a_swap_may_bring_both_pieces_home():
    """Both leave, two grays, placed by the mover."""
    here = board("03@7 12@8", blacks="13@410 14@614")
    half = here.partial("3-8")
    assert (half.home(0), half.home(1)) == (1, 1)
    assert half.due == ("gray", "gray")
    assert half.turn == 0
    after = here.play("3-8 7 8")  # both goals may be chosen
    assert after.grays[:2] == (number("7"), number("8"))
    assert after.turn == 1
    assert here.play("3-8 8 7") != after  # in the other order it is another turn
    refused(here, "3-8 7 7", "is not empty: gray block")
    assert len([move for move in here.legal_moves if move[0].leaving]) == half.empty.bit_count() * (
        half.empty.bit_count() - 1
    )


def test_a_swap_that_brings_both_home_with_an_empty_pool():
    """The gray block that came first, or one just moved, may be moved as the second."""
    here = board("03@7 22@8 00@- 01@- 10@- 11@- 20@-", blacks="13@410 14@614", **FULL)
    after = here.play("3-8 6-7 6-8")
    assert after.grays[0] == number("8")
    four = board("03@7 22@8 00@- 10@- 11@- 20@-", blacks="13@410 14@614", players=3, grays="6@110 7@120 8@130 9@211")
    after = four.play("3-8 10-7 10-8")
    assert after.grays[4] == number("8")
    assert after.pool == 0


def test_a_swap_may_bring_both_own_pieces_home():
    """Either is the mover's, and leaves from its goal whichever is named."""
    one = board("02@8 03@811", blacks="14@410")
    for text in ("2-811", "3-8"):
        half = one.partial(text)
        assert (at(half, 0, 2), at(half, 0, 3)) == ("811", "-")
        assert half.due == ("gray",)
    two = board("02@8 03@7", blacks="13@410 14@614")
    half = two.partial("2-7")
    assert (at(half, 0, 2), at(half, 0, 3)) == ("-", "-")
    assert half.due == ("gray", "gray")


def test_the_moving_piece_is_home_and_its_partner_is_not():
    here = board("03@811 14@8", blacks="14@410")
    after = here.play("3-8 8")
    assert (at(after, 0, 3), at(after, 1, 4)) == ("-", "811")
    assert after.grays[0] == number("8")


def test_a_piece_on_its_goal_is_home_only_when_it_has_left():
    here = board("11@- 12@- 13@8", blacks="14@410", grays="6@110 7@120", turn=0)
    assert here.home(1) == 2
    assert here.outcome is None


# ── the end ──────────────────────────────────────────────────────────────────────────────────────

TWO_HOME = "00@- 01@- 03@811"


def test_the_round_is_played_to_its_end():
    here = board(TWO_HOME, blacks="14@410", players=3)
    after = here.play("3-8 8")
    assert after.home(0) == 3
    assert (after.outcome, after.turn) == (None, 1)
    after = after.play(after.legal_moves[0])
    assert (after.outcome, after.turn) == (None, 2)
    after = after.play(after.legal_moves[0])
    assert after.outcome == Outcome.of((0,), 3, "three home")
    assert after.turn == 0
    assert not after.legal_moves
    assert not after.choices()
    with pytest.raises(IllegalMove, match=r"The game is over\. Circle wins "):
        after.play("4-410")


def test_the_last_seat_of_the_round_ends_the_game():
    here = board("10@- 11@- 13@811", blacks="14@410", turn=1)
    assert here.play("3-8 8").outcome == Outcome.of((1,), 2, "three home")


def test_all_seats_with_three_pieces_share_the_win():
    here = board("00@- 01@- 03@811 10@- 11@- 13@7", blacks="14@410 13@614")
    after = here.play("3-8 821")
    assert after.outcome is None
    after = after.play("3-8 811")
    assert after.outcome == Outcome.of((0, 1), 2, "three home")
    assert after.outcome.is_draw
    three = board("00@- 01@- 03@811 10@- 11@- 13@7", blacks="14@410 13@614", players=3)
    after = three.play("3-8 821").play("3-8 811")
    after = after.play(after.legal_moves[0])
    assert after.outcome == Outcome.of((0, 1), 3, "three home")
    assert after.outcome.returns == (0.25, 0.25, -0.5)


def test_first_to_three_ends_at_once():
    here = board(TWO_HOME, blacks="14@410", players=3, first_to_three=True)
    half = here.partial("3-8")
    assert half.outcome is None
    assert here.play("3-8 8").outcome == Outcome.of((0,), 3, "three home")


def test_a_swap_home_counts_for_both():
    """It does not matter who brings the third piece out, not even at once."""
    pieces = "00@- 01@- 10@- 11@- 03@7 12@8"
    for options in ({"first_to_three": True}, {}):
        after = board(pieces, blacks="13@410 14@614", players=3, **options).play("3-8 7 8")
        assert (after.home(0), after.home(1)) == (3, 3)
        while not after.outcome:
            after = after.play(after.legal_moves[-1])
            assert not options
        assert after.outcome == Outcome.of((0, 1), 3, "three home")


def test_a_seat_with_three_by_another_players_swap_completes_the_round():
    after = board("10@- 11@- 03@7 12@8", blacks="13@410 14@614").play("3-8 7 8")
    assert after.home(1) == 3
    assert (after.turn, after.outcome) == (1, None)
    assert after.legal_moves
    assert after.play(after.legal_moves[0]).outcome == Outcome.of((1,), 2, "three home")


def test_a_seat_without_pieces_is_skipped():
    """The others' swaps can take the last piece out before its turn of the round; that is no ply."""
    pieces = "30@- 31@- 32@- 34@- 33@9 24@8"
    five = board(pieces, blacks="14@410 15@614", players=5, turn=2, ply=22)
    after = five.play("4-9 8 9")
    assert after.home(3) == 5
    assert (after.turn, after.ply, after.outcome) == (4, 23, None)
    assert after.play(after.legal_moves[0]).outcome == Outcome.of((3,), 5, "three home")
    four = board(pieces, blacks="14@410 15@614", players=4, turn=2)
    assert four.play("4-9 8 9").outcome == Outcome.of((3,), 4, "three home")


def test_a_game_ends_at_the_ply_limit():
    here = board(ply=59, max_ply=60, turn=1)
    assert here.outcome is None
    after = here.play("3-322")
    assert after.outcome == Outcome.of((), 2, "ply limit")
    assert not after.legal_moves
    with pytest.raises(IllegalMove, match=r"The game is over\. Draw: "):
        after.play("3-322")


def test_the_limit_in_the_middle_of_a_round_is_a_draw():
    """Nobody wins before the round is played to its end; at its end the win comes first."""
    here = board(TWO_HOME, blacks="14@410", ply=59, max_ply=60)
    assert here.play("3-8 8").outcome == Outcome.of((), 2, "ply limit")
    here = board("10@- 11@- 13@811", blacks="14@410", turn=1, ply=59, max_ply=60)
    assert here.play("3-8 8").outcome == Outcome.of((1,), 2, "three home")
    here = board(TWO_HOME, blacks="14@410", ply=59, max_ply=60, first_to_three=True)
    assert here.play("3-8 8").outcome == Outcome.of((0,), 2, "three home")


def test_the_limit_is_part_of_the_position():
    assert pentad.new("pentagame").options["max_ply"] == 1000
    assert board(max_ply=60) != board(max_ply=61)


# ── what may not be repeated or undone ───────────────────────────────────────────────────────────


def test_a_player_may_not_repeat_the_previous_move():
    """Same piece, from, to, partner; played so that the other swaps it back."""
    here = START.play("3-2x12").play("2-2x03")
    assert here.pieces == START.pieces
    refused(here, "3-2x12", r"Circle may not repeat the previous move, \[0,3,2,0,0\] \[1,2,3,0,0\]")
    for other in ("3-2x02", "3-322", "2-3x13", "4-3x13"):  # another partner, field, piece
        assert here.parse(other) in here.legal_moves
    assert len(here.piece_moves) == len(START.piece_moves) - 1
    assert len(here.legal_moves) == len(START.legal_moves) - 1
    later = here.play("4-410").play("4-423")
    assert later.parse("3-2x12") in later.legal_moves


def test_moving_back_is_not_a_repetition():
    here = board("03@322", last="3:300>322 -")
    assert at(here.play("3-3x13"), 0, 3) == "3"
    assert here.parse("3-312") in here.legal_moves


def test_the_identity_of_blocks_does_not_matter():
    here = board("00@810", last="0:810>800 -")
    refused(here, "0-8 110", "may not repeat the previous move")
    refused(here, "0-8 120", "may not repeat the previous move")


def test_a_repetition_of_a_swap_of_own_pieces_however_it_is_named():
    here = board("02@322", last="2:322>300x03 -")
    for text in ("3-322", "2-3x03"):
        refused(here, text, "may not repeat")
    again = board("02@322").play("3-322")
    assert again.last[0] == PieceStep(0, 2, FIELDS[number("322")], FIELDS[3], (0, 3))


def test_other_players_moves_may_be_repeated():
    """Not what another has done, nor what one did before that."""
    here = board("03@312", last="- 3:312>322")
    assert here.parse("3-322") in here.legal_moves


def test_after_a_forced_exit_the_move_before_it_may_be_made_again():
    waits = board("03@8 04@430", blacks="14@410", last="4:430>420 -")
    after = waits.play("[0,3,-1,-1,-1] [0,6,8,0,0]")
    assert after.last[0] is None
    after = after.play("3-322")
    assert after.parse("4-420") in after.legal_moves


def test_no_swap_back_forbids_undoing_a_swap():
    """It bans undoing the opponent's swap at once."""
    here = pentad.new("pentagame", no_swap_back=True).play("3-2x12")
    assert here.swapped == ((0, 3), (1, 2))
    refused(here, "2-2x03", "A swap may not be undone at once")
    assert here.parse("2-2x02") in here.legal_moves  # the other piece on that corner
    assert START.play("3-2x12").parse("2-2x03") in START.play("3-2x12").legal_moves
    later = here.play("4-420").play("4-410")
    assert later.swapped is None
    assert later.parse("2-2x03") in later.legal_moves


def test_no_swap_back_applies_only_to_the_very_next_turn():
    start = pentad.new("pentagame", no_swap_back=True, players=3)
    after = start.play("3-2x22")  # triangle's piece; square is next
    assert after.swapped is None
    after = after.play("4-410")
    assert after.parse("2-2x03") in after.legal_moves
    assert start.play("3-2x12").swapped == ((0, 3), (1, 2))


def test_a_swap_home_does_not_forbid_a_swap_back():
    here = board("03@811 14@8", blacks="14@410", no_swap_back=True)
    assert here.play("3-8 821").swapped is None
    assert GIFT.play("0-811").swapped is None
    assert board("02@322", no_swap_back=True).play("3-322").swapped is None  # nor is one of own pieces


# ── always a legal turn ──────────────────────────────────────────────────────────────────────────


def test_there_is_always_a_legal_turn():
    chance = random.Random(5)
    for seed in range(300):
        here = random_position(chance, 2 + seed % 4, **OPTIONS[seed % 4])
        while not here.outcome and here.ply < 1000 and chance.random() < 0.8:
            assert len(here.legal_moves) > 0
            _, here = quick_random_turn(here, chance)


@pytest.mark.slow
def test_the_number_of_legal_turns():
    """In random two-player games a position has 39 to 485 piece moves, 258 in the mean, and thousands of turns."""
    chance = random.Random(6)
    moves, turns = [], []
    for _ in range(12):
        here = START
        while not here.outcome:
            if here.ply % 4 == 0:
                moves.append(len(here.piece_moves))
                turns.append(len(here.legal_moves))
            _, here = quick_random_turn(here, chance)
    assert 200 < mean(moves) < 320
    assert max(turns) > 5000


# ── the legal moves as a sequence ────────────────────────────────────────────────────────────────

SOME = (
    START,
    GIFT,
    GIFT.play("0-811"),
    board("03@7 12@8", blacks="13@410 14@614"),
    board("03@811 00@- 01@- 10@- 11@- 20@-", blacks="14@430", **FULL),
    board("03@811"),
    board("03@811").partial("3-8"),
    board("03@7 12@8", blacks="13@410 14@614").partial("3-8"),
    board(ply=1000),
)


@pytest.mark.fast_cases(8)
@pytest.mark.parametrize("here", SOME, ids=lambda here: here.text[:40])
def test_counting_indexing_and_containing_agree(here):
    moves = list(here.legal_moves)
    assert len(moves) == len(set(moves)) == len(here.legal_moves)
    assert bool(moves) == (here.outcome is None)
    for index in {*range(0, len(moves), 41), *range(-3, 0)} if moves else ():
        assert here.legal_moves[index] == moves[index]
        assert moves[index] in here.legal_moves
        assert here.play(moves[index]).ply == here.ply + 1
    assert here.legal_moves[5:9] == moves[5:9]
    with pytest.raises(IndexError):
        here.legal_moves[len(moves)]


def test_counts_of_random_positions_agree_with_listed_moves():
    chance = random.Random(8)
    for seed in range(60):
        here = random_position(chance, 2 + seed % 4, **OPTIONS[seed % 4])
        if len(here.legal_moves) < 4000:
            moves = list(here.legal_moves)
            assert len(here.legal_moves) == len(moves) == len(set(moves))
            for index in range(0, len(moves), 97):
                assert here.legal_moves[index] == moves[index]


def test_the_blocks_due_in_a_turn():
    assert START.due == ()
    assert START.partial("0-8").due == ("black",)
    assert board("03@811").partial("3-8").due == ("black", "gray")
    assert GIFT.play("0-811").partial("[1,3,-1,-1,-1]").due == ("gray",)
    assert board(ply=1000).piece_moves == ()
    assert START.partial("0-8").piece_moves == ()
    assert START.blocks_to_put == ()


# ── positions ────────────────────────────────────────────────────────────────────────────────────


def test_repetitions_ignore_plies_and_the_identity_of_blocks():
    one = board("03@811", blacks="11@6 12@5", ply=4)
    other = board("03@811", ply=8)
    assert one != other
    assert one.recurring == other.recurring
    assert hash(one.recurring) == hash(other.recurring)
    assert (
        board("03@811 12@- 10@-", grays="6@110 7@120").recurring
        == board("03@811 12@- 10@-", grays="9@110 7@120").recurring
    )
    for different in (
        board("03@821"),
        board("03@811", turn=1),
        board("03@811", last="3:821>811 -"),
        board("03@811", blacks="11@410"),
        board("03@811", players=3),
        board("04@811"),
    ):
        assert different.recurring != other.recurring


def test_positions_do_not_change():
    before = START.text
    START.play("3-322")
    with pytest.raises(AttributeError):
        START.seat = 1
    assert START.text == before


def test_a_position_within_a_turn():
    half = START.partial("0-8")
    assert (half.turn, half.ply, half.outcome) == (0, 0, None)
    assert half.play("110") == START.play("0-8 110")
    assert half.partial("") == half
    assert START.partial("") == START
    with pytest.raises(IllegalMove, match="not the beginning of one"):
        START.partial("3-322")
    assert pentad.load(half.text) == half


def test_moves_are_made_of_steps():
    assert START.parse("3-322") == Move((PieceStep(0, 3, FIELDS[3], FIELDS[number("322")]),))
    assert START.parse("0-8 110")[1] == BlockStep(0, 14, FIELDS[number("110")])
    assert [goal(colour) for colour in range(5)] == [5, 6, 7, 8, 9]
    assert [*BLACKS] == [11, 12, 13, 14, 15]


def test_presets_have_as_many_players_as_their_names_say():
    starts = {name: pentad.new("pentagame", **options) for name, options in GAME.presets.items()}
    assert {name: start.players for name, start in starts.items()} == {
        "Three players": 3,
        "Four players": 4,
        "Five players": 5,
    }
