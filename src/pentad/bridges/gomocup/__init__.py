"""Gomocup protocol, both ends: pentad as a brain for any manager, and any brain as a player for pentad."""

GAME = "pente"  # the game of the protocol
