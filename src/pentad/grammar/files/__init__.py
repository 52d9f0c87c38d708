"""GROOVE's files, and what goes out in other formats."""
