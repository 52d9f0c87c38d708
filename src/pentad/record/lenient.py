"""Reading what people type: moves with or without numbers, in any layout, with or without tags.

The moves must still be legal, since a wrong guess would tell another game; where a text can be understood
at all it is, and where it cannot the error tells the place.
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
from pentad.record.tree import Node, Record

_BLANK = re.compile(r"(?:[\s,]|;[^\n]*|%[^\n]*)+")  # commas separate, ; and % begin a remark to the line's end
_NUMBER = re.compile(r"[0-9]{1,9}\s*(?:\.+|\)|:)(?=\s|[A-Za-z\[]|[0-9]{1,2}[->]|\Z)\s*")
_SCORE = re.compile(r"(\*|[01](?:/[1-9])?(?:-[01](?:/[1-9])?)+)(?=\s|\Z)")
_REMARK = re.compile(r"\{((?:[^}\\]|\\.)*)(?:\}|\Z)", re.DOTALL)
_WORD = re.compile(r"(?:[^\s,;(){}\[]++|\[[^\[\]\n]{0,60}\]|\[)+")  # whatever stands in a bracket belongs together
_TAG = re.compile(r'\[[A-Za-z]\w* "')
_GAP = re.compile(r"[^\S\n]*,?[^\S\n]*")
_GLUE = re.compile(r"[-/:|+]")  # what people put between the steps of a move
MAX_WORDS = 6  # that one move may be written in


def read_leniently(text: str, name: str | None = None, options: str = "") -> list[Record]:
    """The records of a text that people wrote; where it does not say its game that is `name`, with these options."""
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
            raise scanner.error(f'which game is it? Say so, or begin with the tag [{GAME} "…"]', 0)
        tags[GAME] = tags[GAME].lower()
        if options:
            tags.setdefault(OPTIONS, options)
        self.record = Record(read_start(scanner, tags, places))
        self.record.tags = {key: value for key, value in tags.items() if key not in STANDARD_TAGS}
        self.score, self.reason = tags.get(RESULT, "*"), tags.get(REASON, "told")
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
            if remark := scanner.take(_REMARK):
                self._remark(remark[1])
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
        """Whether the text ends here, or the tags of the next record begin."""
        return self.scanner.at >= len(self.scanner.text) or bool(_TAG.match(self.scanner.text, self.scanner.at))

    def _is_move(self, score: str) -> bool:
        """Whether what looks like a result is a move (`0-1`: in Pentagame white goes to corner 1), and more follows."""
        self.scanner.take(_BLANK)
        try:
            self.node.position.play(score)
        except GameError:
            return False
        return not self._is_over

    def _remark(self, text: str) -> None:
        before = self.node.comment
        read_comment(self.node, text.strip())
        self.node.comment = f"{before} {self.node.comment}".strip()

    def _open(self, at: int) -> None:
        if self.node.parent is None:
            raise self.scanner.error("a variation needs a move before it that it replaces", at)
        self.open.append(self.node)
        self.node = self.node.parent
        self.scanner.at += 1

    def _move(self, at: int, numbered: bool) -> None:
        """The longest run of words on this line that is a legal move here.

        A move that goes on in the next line is found where its number and the next one tell how far it goes, or
        where nothing on this line is a move.
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
        raise self.scanner.error(f"{shown} begins no move that is legal here: {error or 'it is no word'}", at)

    def _words(self, at: int) -> tuple[list[str], list[int], int, bool]:
        """The words up to the next number or mark, and where each ends; how many are on this line; if that is all."""
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
        """Whether what comes next belongs to no move that has begun before it."""
        marks = (_NUMBER, _SCORE, _TAG)
        text, at = self.scanner.text, self.scanner.at
        return any(mark.match(text, at) for mark in marks) or not _WORD.match(text, at)

    def _end(self) -> None:
        """What the moves show, or else the outcome that the text tells."""
        if self.record.shown is None:
            try:
                self.record.ended = read_score(self.score, self.record.start.players, self.reason)
            except GameError:
                self.record.ended = None


def _spellings(words: list[str]) -> list[str]:
    """The ways in which words may spell a move: as they stand, or with what glues steps together taken apart."""
    plain = " ".join(words)
    apart = plain if "[" in plain else _GLUE.sub(" ", plain)
    return [plain] if apart == plain else [plain, apart]
