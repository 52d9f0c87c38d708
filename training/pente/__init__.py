"""Training of Pente's evaluation."""
