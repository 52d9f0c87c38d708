"""Playing games: seats, tables, clocks, saved games, matches between bots, ratings, lessons and puzzles."""
