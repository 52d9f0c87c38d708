"""Playing Pentago before it is solved: alpha-beta over whole turns with an evaluation learned from exact values."""
