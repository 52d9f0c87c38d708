"""Random games of Pentago on any board, for any number of players, by the thousand."""
