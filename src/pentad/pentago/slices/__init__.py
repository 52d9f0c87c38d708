"""The published strong solution of Pentago, read from a folder of its slice files."""

from pentad.pentago.slices.database import MissingSlice, Slices, configured

NotThere = MissingSlice  # the former name
__all__ = ["MissingSlice", "Slices", "configured"]
