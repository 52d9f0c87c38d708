"""CTL model checking and shortest paths in transition systems."""
