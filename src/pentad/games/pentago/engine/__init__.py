"""Engine of classic Pentago: alpha-beta search over whole turns, with an evaluation learned from exact values."""
