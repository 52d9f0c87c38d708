"""A game at one address: the room, the people in it, its bots, clocks and chat, and all open rooms."""
