"""File formats of Pente and its variants; `docs/reference/formats.md` describes them."""

from pentad.games.pente.formats import pgn, psq, sgf

FORMATS = (pgn.FORMAT, psq.FORMAT, sgf.FORMAT)
