"""Training of Pentagame's evaluation."""
