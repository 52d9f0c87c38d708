"""The published strong solution of Pentago, read from a folder of its slice files."""

from pentad.pentago.slices.database import NotThere, Slices, configured

__all__ = ["NotThere", "Slices", "configured"]
