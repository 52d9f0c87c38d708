"""Model checking (CTL, LTL, CTL*) and shortest paths in transition systems."""
