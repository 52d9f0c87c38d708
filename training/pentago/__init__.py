"""Training of Pentago's evaluation."""
