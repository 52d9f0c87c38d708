"""Pente's own commands: each is the module of its name in this package."""

COMMANDS = {
    "weights": "show the weights that the line strategy gives to a board",
}
