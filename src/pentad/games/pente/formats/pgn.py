"""PGN of the online Pente site: tags, then two moves for each number, similar to chess PGN.

    [Game "Pente"]
    [Date "09/17/2003"]
    [Player 1 Name "Ann"]
    [Player 2 Name "Bob"]
    [Result "1-0"]

    1. K10 J12 2. N10 K9 1-0

The site plays on 19×19, and every game begins in the centre, so a text may leave out the first stone. A value is
between the first and the last quotation mark of its line; nothing is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from typing import NamedTuple, cast

from pentad.game import GameError, Outcome, shorten
from pentad.games.pente import notation
from pentad.games.pente.board import Stone, board
from pentad.games.pente.formats import common
from pentad.games.pente.formats.common import RESULT_ONLY, FilePart
from pentad.games.pente.rules import GAME, PentePosition
from pentad.games.pente.rulesets import CENTRE, FREE, OPENINGS, RULE_SETS, SWAP2, TOURNAMENT
from pentad.record import Record
from pentad.record.formats import Format, Losses
from pentad.record.scanner import Scanner
from pentad.record.text_format import GAME as GAME_TAG
from pentad.record.text_format import REASON, RESULT, STANDARD_TAGS, filled, read_each
from pentad.system.words import listed, phrase

NAME = "pgn"
BOARD = board(19, 5)
MIDDLE = BOARD.stones[BOARD.centre]
MAX_LINE_WIDTH = 80
MOST_MOVES = 2 * BOARD.size**2  # more than any game with captures

VARIANTS = {
    "Pente": "pente",
    "Keryo-Pente": "keryo",
    "Gomoku": "gomoku",
    "G-Pente": "g-pente",
    "Poof-Pente": "poof",
    "Boat-Pente": "boat",
}

# The site's names of tags, and those of a record; all other names stay the same.
TAGS = {
    "Player 1 Name": "Seat0",
    "Player 2 Name": "Seat1",
    "Player 1 Rating": "Seat0Rating",
    "Player 2 Rating": "Seat1Rating",
    "Player 1 Type": "Seat0Type",
    "Player 2 Type": "Seat1Type",
}
SITE_NAMES = {ours: theirs for theirs, ours in TAGS.items()}

VARIANT = "Variant"  # tag of a record: the site's name of the game, if it is not the plain one
OPENING = "OpeningRule"  # pentad's tag of a file: the opening, if the moves do not show it

RESULTS = {
    "1-0": Outcome.of((0,), 2, RESULT_ONLY),
    "0-1": Outcome.of((1,), 2, RESULT_ONLY),
    "1/2-1/2": Outcome.of((), 2, RESULT_ONLY),
    "0-0": Outcome.of((), 2, RESULT_ONLY),
    "*": None,
    "?": None,
}
END_REASONS = {"resign": common.RESIGNED, "forfeit": common.FORFEIT}  # words in place of the last move

_NUMBER = re.compile(r"([0-9]{1,6})\.+(?:\s*\.\.\.)?")  # `1.`, or `1. ...` without the first stone
_WORD = re.compile(r"\S++")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_SITE_DATES = "%m/%d/%Y", "%Y.%m.%d"  # the second is an older one


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


class Text(NamedTuple):
    """The moves of a text: the stones with their offsets, and the numbers by the count of stones before them.

    A word of `END_REASONS` gives the reason of the end.
    """

    stones: list[tuple[Stone, int]]
    numbers: dict[int, FilePart]
    reason: str | None
    result: FilePart


def read(text: str, game: str | None = None) -> list[Record]:
    """Every game of a text."""
    common.check_name(NAME, game)
    return read_each(text, _read_game)


def _read_game(scanner: Scanner) -> Record:
    tags = _read_tags(scanner)
    rules = _rule_set(scanner, tags)
    moves = _read_moves(scanner)
    opening = _opening_of(scanner, tags)
    stones = _with_first_stone(scanner, moves, opening or RULE_SETS[rules].opening)
    record = Record(_start(rules, opening, [stone for stone, _ in stones]))
    node = record.root
    for stone, at in stones:
        node = common.follow(scanner, node, stone, at)
    _take_result(scanner, record, tags, moves)
    variant = tags[GAME_TAG].text
    record.tags = {} if variant in VARIANTS else {VARIANT: variant}
    for name, tag in tags.items():
        if name not in STANDARD_TAGS and name != OPENING:
            record.tags[name] = _from_site_date(tag.text) if name == "Date" else tag.text
    return record


def _read_tags(scanner: Scanner) -> dict[str, FilePart]:
    """Parses the tags at the beginning of a game, by their names in a record."""
    tags: dict[str, FilePart] = {}
    while not scanner.done and scanner.next_is("["):
        at = scanner.at
        end = scanner.text.find("\n", at)
        line = scanner.text[at : end if end >= 0 else len(scanner.text)].rstrip()
        quote = line.find('"')
        theirs = line[1:quote].strip()
        if quote < 0 or not line.endswith('"]') or quote == len(line) - 2 or not theirs:
            raise scanner.error('Expected a tag as [Name "value"] on its own line.', at)
        name = TAGS.get(theirs, re.sub(r"[^A-Za-z0-9]+", "_", theirs) if not _NAME.fullmatch(theirs) else theirs)
        if not _NAME.fullmatch(name):
            raise scanner.error(
                phrase("A tag's name must begin with a letter, unlike {name}.", name=shorten(repr(theirs), 30)), at
            )
        if name in tags:
            raise scanner.error(phrase("The tag {name} is given twice.", name=shorten(theirs, 30)), at)
        if name in ("Options", "Start"):
            raise scanner.error(
                phrase("The tag {name} belongs to pentad's own format, not to {format}.", name=name, format=NAME), at
            )
        tags[name] = FilePart(line[quote + 1 : -2], at)
        scanner.at = at + len(line)
    return tags


def _rule_set(scanner: Scanner, tags: dict[str, FilePart]) -> str:
    """The rule set of the tag Game."""
    if GAME_TAG not in tags:
        raise scanner.error(phrase('The tag [{game_tag} "…"] is missing.', game_tag=GAME_TAG))
    name, at = tags[GAME_TAG]
    rules = _rule_set_of(name)
    if rules is None:
        raise scanner.error(
            phrase(
                "{name} is not supported. The games are {variants}.",
                name=shorten(repr(name), 40),
                variants=listed(VARIANTS),
            ),
            at,
        )
    return rules


def _rule_set_of(name: str) -> str | None:
    """The rule set for a game's name on the site, which may begin with `Speed` or `Turn-based`."""
    plain = re.sub(r"^(speed|turn-?based)[ -]+", "", name.strip().lower())
    return next((rules for variant, rules in VARIANTS.items() if variant.lower() == plain), None)


def _read_moves(scanner: Scanner) -> Text:
    stones: list[tuple[Stone, int]] = []
    numbers: dict[int, FilePart] = {}
    reason = None
    while not scanner.done:
        at = scanner.at
        number = scanner.take(_NUMBER)
        found = number or scanner.take(_WORD)
        assert found
        word = found[0]
        if (number or (word in RESULTS and not reason)) and (last := numbers.get(len(stones))):
            raise scanner.error(phrase("Expected a move after the number {text}.", text=last.text), last.at)
        if number:
            numbers[len(stones)] = FilePart(str(int(number[1])), at)
            continue
        if word in RESULTS:
            return Text(stones, numbers, reason, FilePart(word, at))
        if reason:
            raise scanner.error(
                phrase("Expected the result after {reason}, got {word}.", reason=reason, word=shorten(repr(word), 30)),
                at,
            )
        reason = END_REASONS.get(word.lower())
        if len(stones) > MOST_MOVES:
            raise scanner.error("The game has more moves than any game on this board.", at)
        if not reason:
            try:
                stones.append((notation.read_point(BOARD, word), at))
            except GameError as error:
                raise scanner.error(str(error), at) from None
    raise scanner.truncated(", ".join(RESULTS))


def _with_first_stone(scanner: Scanner, moves: Text, opening: str) -> list[tuple[Stone, int]]:
    """The stones of a game, with the first one added if the text leaves it out; checks the numbers."""
    stones = moves.stones
    left_out = answers_first = False
    if stones and stones[0][0] != MIDDLE:
        # only one move for number 1, and more to follow: the reply to a stone that is left out
        answers_first = len(stones) > 1 and {0, 1} <= moves.numbers.keys()
        left_out = answers_first or opening != FREE
    due = 0
    for index, (stone, at) in enumerate(stones):
        number = moves.numbers.get(index)
        if index and (index + answers_first) % 2:
            if number:
                raise scanner.error(
                    phrase("Expected the second move of a pair, got {text}.", text=number.text), number.at
                )
            continue
        due += 1
        if not number:
            raise scanner.error(phrase("Expected the number {due}. before {stone}.", due=due, stone=stone), at)
        if number.text != str(due):
            raise scanner.error(phrase("Expected the number {due}., got {text}.", due=due, text=number.text), number.at)
    return [(MIDDLE, stones[0][1]), *stones] if left_out else stones


def _opening_of(scanner: Scanner, tags: dict[str, FilePart]) -> str | None:
    """The opening of pentad's tag."""
    if OPENING not in tags:
        return None
    name, at = tags[OPENING]
    known = [opening for opening in OPENINGS if opening != SWAP2]
    if name not in known:
        raise scanner.error(
            phrase(
                "The tag {opening} must be one of {known}, not {name}.",
                opening=OPENING,
                known=", ".join(known),
                name=shorten(repr(name), 30),
            ),
            at,
        )
    return name


def _start(rules: str, opening: str | None, stones: Sequence[Stone]) -> PentePosition:
    """The start of a game, with the tournament rule unless the third stone breaks it."""
    start = _new(rules, opening)
    if opening is None and start.rules.opening == TOURNAMENT and _breaks_tournament_rule(start, stones):
        return _new(rules, CENTRE)
    return start


def _new(rules: str, opening: str | None) -> PentePosition:
    given = {} if opening is None else {"opening": opening}
    return cast(PentePosition, GAME.new(rules=rules, size=BOARD.size, **given))


def _breaks_tournament_rule(start: PentePosition, stones: Sequence[Stone]) -> bool:
    if len(stones) < 3:
        return False
    try:
        before = start.play(stones[:1]).play(stones[1:2])
    except GameError:
        return False
    third = 1 << BOARD.point(*stones[2])
    return bool(third & before.empty and not third & before.points)


def _take_result(scanner: Scanner, record: Record, tags: dict[str, FilePart], moves: Text) -> None:
    """Takes the result after the moves, and checks it against the tag and the board."""
    word, at = moves.result
    outcome = RESULTS[word]
    if RESULT in tags:
        tag = tags[RESULT]
        if tag.text not in RESULTS or (RESULTS[tag.text] != outcome and "?" not in (tag.text, word)):
            raise scanner.error(
                phrase(
                    "The tag {result} has {text}, but the moves end with {word}.",
                    result=RESULT,
                    text=shorten(repr(tag.text), 30),
                    word=word,
                ),
                tag.at,
            )
        outcome = outcome or RESULTS[tag.text]
    reason = tags[REASON].text if REASON in tags else moves.reason
    if outcome and reason:
        outcome = Outcome(outcome.winners, reason, outcome.returns)
    shown = record.position.outcome
    if shown and word == "*":
        raise scanner.error(
            phrase("The game is over on the board: {score}, {reason}.", score=shown.score, reason=shown.reason), at
        )
    if not outcome and not shown and reason:
        raise scanner.error(
            phrase("An unfinished game has no reason for its end, such as {reason}.", reason=shorten(reason, 30)), at
        )
    common.settle(scanner, record, outcome, at)


def _from_site_date(text: str) -> str:
    """A date of the site, month/day/year, as year-month-day; any other text unchanged."""
    for form in _SITE_DATES:
        if day := _date(text, form):
            return day.isoformat()
    return text


def _date(text: str, form: str) -> date | None:
    try:
        return datetime.strptime(text, form).replace(tzinfo=UTC).date() if text.isascii() else None
    except ValueError:
        return None


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def write(records: Sequence[Record]) -> str:
    """The games one after the other."""
    losses = Losses(NAME)
    text = "\n".join(_write_game(record, losses) for record in records)
    losses.warn()
    return text


def _write_game(record: Record, losses: Losses) -> str:
    start = common.start_of(record, NAME)
    rules, opening = start.setup.name, start.rules.opening
    if rules not in VARIANTS.values():
        raise GameError(
            "{name} cannot hold the rule set {rules}. It holds {values}.",
            name=NAME,
            rules=rules,
            values=", ".join(VARIANTS.values()),
        )
    if start.board.size != BOARD.size:
        raise GameError(
            "{name} holds games on {size}×{size}, the site's board, not on size {got}.",
            name=NAME,
            size=BOARD.size,
            got=start.board.size,
        )
    common.must_be_plain(start, NAME)
    losses.note_beyond_moves(record)
    stones = common.stones_of(record)
    lines = [f'[{name} "{losses.plain(value, "a tag")}"]' for name, value in _tags(record, rules)]
    if _start(rules, None, stones).rules.opening != opening:
        lines.append(f'[{OPENING} "{opening}"]')
    return "\n".join([*lines, "", *filled(_words(stones, record.result), MAX_LINE_WIDTH), ""])


def _tags(record: Record, rules: str) -> Iterator[tuple[str, str]]:
    variant = record.tags.get(VARIANT, "")
    plain = next(name for name, each in VARIANTS.items() if each == rules)
    has_variant = variant not in VARIANTS and _rule_set_of(variant) == rules
    yield GAME_TAG, variant if has_variant else plain
    tags = {name: value for name, value in record.tags.items() if name not in STANDARD_TAGS}
    if has_variant:
        del tags[VARIANT]
    for name, value in tags.items():
        if not _NAME.fullmatch(name) or name == OPENING:
            raise GameError(
                "{name} cannot hold a tag with the name {tag}.",
                name=NAME,
                tag=shorten(repr(name), 30),
            )
        if name == "Date" and (day := _date(value, "%Y-%m-%d")) and day.isoformat() == value:
            value = day.strftime(_SITE_DATES[0])
        yield SITE_NAMES.get(name, name), value
    yield RESULT, record.result
    if record.ended and not record.position.outcome and record.ended.reason != RESULT_ONLY:
        yield REASON, record.ended.reason


def _words(stones: Sequence[Stone], result: str) -> Iterator[str]:
    for ply, stone in enumerate(stones):
        if ply % 2 == 0:
            yield f"{ply // 2 + 1}."
        yield str(stone)
    yield result


FORMAT = Format(NAME, (".pgn",), "the online Pente site's text", read, write, lambda text: text.startswith("["))
