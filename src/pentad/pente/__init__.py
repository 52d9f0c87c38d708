"""Pente and its relatives: five in a row, with and without captures."""

from pentad.pente.lines import PenteGame

__all__ = ["PenteGame"]
