"""Bridges: the games behind the interfaces of other programs, and other programs as bots."""

from pentad.search.bot import BotEntry, deferred, register

register(
    "ugi",
    BotEntry(
        "an external engine that speaks the engine protocol: ugi:./engine ARGUMENTS",
        configure=deferred("pentad.bridges.ugi.external_bot:UgiBot"),
        starts_programs=True,
        title="External engine",
    ),
)
register(
    "gomocup",
    BotEntry(
        "an external engine that speaks the Gomocup protocol: gomocup:./engine ARGUMENTS",
        configure=deferred("pentad.bridges.gomocup.external_bot:GomocupBot"),
        starts_programs=True,
        title="Gomocup engine",
    ),
    game="pente",
)
