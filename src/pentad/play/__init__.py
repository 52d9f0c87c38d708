"""Playing: who sits where, a game at the table, matches between bots."""
