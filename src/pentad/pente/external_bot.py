"""External bot: a program that speaks the Gomocup protocol, `gomocup:./engine --its-arguments`."""

from __future__ import annotations

from collections.abc import Mapping

from pentad.search.bot import Bot, Entry


def _of_command(command: str, seed: int | None) -> Bot:
    from pentad.bridges.gomocup.external_bot import ExternalBot

    return ExternalBot(command, seed)


EXTERNAL_BOTS: Mapping[str, Entry] = {
    "gomocup": Entry(
        "an external engine that speaks the Gomocup protocol: gomocup:./engine ARGUMENTS",
        configure=_of_command,
        starts_programs=True,
    )
}
