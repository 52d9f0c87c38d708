"""GROOVE's files, and exports to other formats."""
