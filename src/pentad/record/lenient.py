"""Reading what people type: moves with or without numbers, in any layout, with or without tags.

The moves must still be legal, since a wrong guess would tell another game; where a text can be understood
at all it is, and where it cannot the error tells the place.
"""

from __future__ import annotations

import re

from pentad.game import GameError, shorten
from pentad.record.text import (
    ANSWERED,
    GAME,
    REASON,
    RESULT,
    Scanner,
    read_remark,
    read_score,
    read_start,
    read_tags,
)
from pentad.record.tree import Node, Record

_BLANK = re.compile(r"(?:[\s,]|;[^\n]*|%[^\n]*)+")  # commas separate, ; and % begin a remark to the line's end
_NUMBER = re.compile(r"[0-9]{1,9}\s*(?:\.+|\)|:)(?=\s|[A-Za-z\[]|\Z)\s*")
_SCORE = re.compile(r"(\*|[01](?:/[1-9])?(?:-[01](?:/[1-9])?)+)(?=\s|\Z)")
_REMARK = re.compile(r"\{((?:[^}\\]|\\.)*)(?:\}|\Z)", re.DOTALL)
_WORD = re.compile(r"(?:\[[^\]\s]*\]|[^\s,;(){}])+")
_GLUE = re.compile(r"[-/:|+]")  # what people put between the steps of a move
MOST_WORDS = 6  # that one move may be written in


def read_leniently(text: str, name: str | None = None) -> list[Record]:
    """The records of a text that people wrote; `name` is the game where the text does not say it."""
    scanner = Scanner(text)
    records: list[Record] = []
    while not scanner.done or not records:
        records.append(_Reader(scanner, name).read())
    return records


class _Reader:
    def __init__(self, scanner: Scanner, name: str | None) -> None:
        self.scanner = scanner
        places = {GAME: scanner.at}
        tags = read_tags(scanner, places)
        tags.setdefault(GAME, name or "")
        if not tags[GAME]:
            raise scanner.error(f'which game is it? Say so, or begin with the tag [{GAME} "…"]', 0)
        tags[GAME] = tags[GAME].lower()
        self.record = Record(read_start(scanner, tags, places))
        self.record.tags = {key: value for key, value in tags.items() if key not in ANSWERED}
        self.score, self.reason = tags.get(RESULT, "*"), tags.get(REASON, "told")
        self.node = self.record.root
        self.open: list[Node] = []

    def read(self) -> Record:
        scanner = self.scanner
        while True:
            scanner.take(_BLANK)
            at = scanner.at
            if at >= len(scanner.text) or (scanner.next_is("[") and self._tag_follows()):
                break
            if scanner.take(_NUMBER):
                continue
            if score := scanner.take(_SCORE):
                self.score = score[1]
                break
            if remark := scanner.take(_REMARK):
                self._remark(remark[1])
            elif scanner.next_is("("):
                self._open(at)
            elif scanner.next_is(")"):
                self.node = self.open.pop() if self.open else self.node
                scanner.at += 1
            else:
                self._move(at)
        self._end()
        return self.record

    def _tag_follows(self) -> bool:
        return bool(re.compile(r'\[[A-Za-z]\w* "').match(self.scanner.text, self.scanner.at))

    def _remark(self, text: str) -> None:
        before = self.node.comment
        read_remark(self.node, text.strip())
        self.node.comment = f"{before} {self.node.comment}".strip()

    def _open(self, at: int) -> None:
        if self.node.parent is None:
            raise self.scanner.error("a variation needs a move before it that it replaces", at)
        self.open.append(self.node)
        self.node = self.node.parent
        self.scanner.at += 1

    def _move(self, at: int) -> None:
        """The longest run of words that is a legal move here."""
        scanner = self.scanner
        ends = [at]
        words: list[str] = []
        error: GameError | None = None
        while len(words) < MOST_WORDS and (word := scanner.take(_WORD)):
            words.append(word[0])
            ends.append(scanner.at)
            scanner.take(re.compile(r"[^\S\n]*,?[^\S\n]*"))  # a move stays on its line
            if scanner.text[scanner.at : scanner.at + 1] == "\n" or _NUMBER.match(scanner.text, scanner.at):
                break
        for count in range(len(words), 0, -1):
            for text in _spellings(words[:count]):
                try:
                    self.node = self.node.play(text)
                except GameError as failed:
                    error = failed
                else:
                    scanner.at = ends[count]
                    return
        shown = shorten(repr(words[0] if words else scanner.text[at]), 30)
        raise scanner.error(f"{shown} begins no move that is legal here: {error or 'it is no word'}", at)

    def _end(self) -> None:
        """The board's own outcome, or the one that the text tells."""
        position = self.record.position
        if position.outcome is None:
            try:
                self.record.ended = read_score(self.score, position.players, self.reason)
            except GameError:
                self.record.ended = None


def _spellings(words: list[str]) -> list[str]:
    """The ways in which words may spell a move: as they stand, or with what glues steps together taken apart."""
    plain = " ".join(words)
    apart = _GLUE.sub(" ", plain)
    return [plain] if apart == plain else [plain, apart]
