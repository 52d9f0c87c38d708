"""The games, side by side, and what they share: batches, encodings, optional parts, a kit of tests."""

from pentad.game import PACKAGES

PACKAGES.update({name: f"{__name__}.{name}" for name in ("pentago", "pente", "pentagame")})
