"""Fast random games of Pentago on any board, for any number of players."""
