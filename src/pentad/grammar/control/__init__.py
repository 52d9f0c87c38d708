"""GROOVE's control language: programs that say which rules are tried when, as automata."""
