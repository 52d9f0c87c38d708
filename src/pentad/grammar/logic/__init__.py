"""Questions to a transition system: CTL formulas, and the ways that answer them."""
