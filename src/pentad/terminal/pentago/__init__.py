"""Pentago's own commands: each is the module of its name in this package."""

COMMANDS = {
    "solve": "find the exact value of a Pentago position",
    "pentago": "look up Pentago positions in a database of exact values",
}
