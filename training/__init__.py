"""Fits of evaluations to games: programs of a checkout, which no part of the package needs."""
