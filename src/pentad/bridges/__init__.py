"""Bridges: the games behind the interfaces of other programs."""
