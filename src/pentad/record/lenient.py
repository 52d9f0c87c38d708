"""Lenient parser for moves as people type them: with or without numbers and tags, in any layout.

The moves must still be legal, since a wrong guess would yield another game. The parser accepts whatever it can
understand; an error names the line and column.
"""

from __future__ import annotations

import re

from pentad.game import GameError, shorten
from pentad.record.text import (
    GAME,
    OPTIONS,
    REASON,
    RESULT,
    STANDARD_TAGS,
    Scanner,
    read_comment,
    read_score,
    read_start,
    read_tags,
)
from pentad.record.tree import RESULT_ONLY, Node, Record

_BLANK = re.compile(r"(?:[\s,]|;[^\n]*|%[^\n]*)+")  # commas separate, ; and % begin a comment to the line's end
_NUMBER = re.compile(r"[0-9]{1,9}\s*(?:\.+|\)|:)(?=\s|[A-Za-z\[]|[0-9]{1,2}[->]|\Z)\s*")
_SCORE = re.compile(r"(\*|[01](?:/[1-9])?(?:-[01](?:/[1-9])?)+)(?=\s|\Z)")
_COMMENT = re.compile(r"\{((?:[^}\\]|\\.)*)(?:\}|\Z)", re.DOTALL)
_WORD = re.compile(r"(?:[^\s,;(){}\[]++|\[[^\[\]\n]{0,60}\]|\[)+")  # text in brackets is one word
_TAG = re.compile(r'\[[A-Za-z]\w* "')
_GAP = re.compile(r"[^\S\n]*,?[^\S\n]*")
_GLUE = re.compile(r"[-/:|+]")  # separators that people put between the steps of a move
MAX_WORDS = 6  # of one move


def read_leniently(text: str, name: str | None = None, options: str = "") -> list[Record]:
    """Reads the records of a typed text; `name` and `options` are the game of a text that does not name one."""
    scanner = Scanner(text)
    records: list[Record] = []
    while not scanner.done or not records:
        records.append(_Reader(scanner, name, options).read())
    return records


class _Reader:
    def __init__(self, scanner: Scanner, name: str | None, options: str) -> None:
        self.scanner = scanner
        places = {GAME: scanner.at}
        tags = read_tags(scanner, places)
        tags.setdefault(GAME, name or "")
        if not tags[GAME]:
            raise scanner.error(f'Unknown game. Name the game, or begin with the tag [{GAME} "…"].', 0)
        tags[GAME] = tags[GAME].lower()
        if options:
            tags.setdefault(OPTIONS, options)
        self.record = Record(read_start(scanner, tags, places))
        self.record.tags = {key: value for key, value in tags.items() if key not in STANDARD_TAGS}
        self.score, self.reason = tags.get(RESULT, "*"), tags.get(REASON, RESULT_ONLY)
        self.node = self.record.root
        self.open: list[Node] = []

    def read(self) -> Record:
        scanner = self.scanner
        numbered = False
        while True:
            scanner.take(_BLANK)
            at = scanner.at
            if self._is_over:
                break
            if scanner.take(_NUMBER):
                numbered = True
                continue
            if (score := scanner.take(_SCORE)) and not self._is_move(score[1]):
                self.score = score[1]
                break
            scanner.at = at
            if comment := scanner.take(_COMMENT):
                self._comment(comment[1])
            elif scanner.next_is("("):
                self._open(at)
            elif scanner.next_is(")"):
                self.node = self.open.pop() if self.open else self.node
                scanner.at += 1
            else:
                self._move(at, numbered)
            numbered = False
        self._end()
        return self.record

    @property
    def _is_over(self) -> bool:
        """Whether the text ends here or the tags of the next record begin."""
        return self.scanner.at >= len(self.scanner.text) or bool(_TAG.match(self.scanner.text, self.scanner.at))

    def _is_move(self, score: str) -> bool:
        """Whether a result is really a move with more text after it: in Pentagame `0-1` moves white to corner 1."""
        self.scanner.take(_BLANK)
        try:
            self.node.position.play(score)
        except GameError:
            return False
        return not self._is_over

    def _comment(self, text: str) -> None:
        before = self.node.comment
        read_comment(self.node, text.strip())
        self.node.comment = f"{before} {self.node.comment}".strip()

    def _open(self, at: int) -> None:
        if self.node.parent is None:
            raise self.scanner.error("A variation must follow the move that it replaces.", at)
        self.open.append(self.node)
        self.node = self.node.parent
        self.scanner.at += 1

    def _move(self, at: int, numbered: bool) -> None:
        """Plays the longest run of words on this line that is a legal move.

        A move may continue on the next line if it stands between two move numbers, or if no run of words on this
        line is a move.
        """
        words, ends, here, closed = self._words(at)
        counts = [*range(here, 0, -1), *range(here + 1, len(words) + 1)]
        if numbered and closed:
            counts.insert(0, len(words))
        error: GameError | None = None
        for count in counts:
            for text in _spellings(words[:count]):
                try:
                    self.node = self.node.play(text)
                except GameError as failed:
                    error = error if count > here else failed
                else:
                    self.scanner.at = ends[count - 1]
                    return
        shown = shorten(repr(words[0] if words else self.scanner.text[at]), 30)
        reason = error or "Expected a move."
        raise self.scanner.error(f"{shown} does not begin a legal move: {reason}", at)

    def _words(self, at: int) -> tuple[list[str], list[int], int, bool]:
        """The words up to the next number or mark, their ends, the number of words on this line, whether all fit."""
        scanner = self.scanner
        words: list[str] = []
        ends: list[int] = []
        here = 0
        while len(words) < MAX_WORDS and (word := scanner.take(_WORD)):
            words.append(word[0])
            ends.append(scanner.at)
            scanner.take(_GAP)
            here = here or (len(words) if scanner.text[scanner.at : scanner.at + 1] in ("\n", ";", "%") else 0)
            scanner.take(_BLANK)
            if self._move_ends:
                break
        return words, ends, here or len(words), self._move_ends

    @property
    def _move_ends(self) -> bool:
        """Whether the text from here on cannot continue the move before it."""
        marks = (_NUMBER, _SCORE, _TAG)
        text, at = self.scanner.text, self.scanner.at
        return any(mark.match(text, at) for mark in marks) or not _WORD.match(text, at)

    def _end(self) -> None:
        """Takes the outcome from the text if the moves do not show it."""
        if self.record.shown is None:
            try:
                self.record.ended = read_score(self.score, self.record.start.players, self.reason)
            except GameError:
                self.record.ended = None


def _spellings(words: list[str]) -> list[str]:
    """The spellings to try for a move: the words as they stand, and with separators replaced by spaces."""
    plain = " ".join(words)
    apart = plain if "[" in plain else _GLUE.sub(" ", plain)
    return [plain] if apart == plain else [plain, apart]
