"""The language of labels: aspects, values, expressions and paths."""
