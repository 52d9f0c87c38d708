"""GROOVE's control language: programs that schedule rules, compiled to automata."""
