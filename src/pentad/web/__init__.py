"""The browser room: a server that keeps the tables, and one page on which any game is played."""
