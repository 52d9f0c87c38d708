"""The web server: rooms for all games, analysis, puzzles, lessons and models in a browser."""
