"""Bridges: the games behind the interfaces of other programs, and other programs as bots."""

from pentad.search.bot import Entry, deferred, register

register(
    "ugi",
    Entry(
        "an external engine that speaks the engine protocol: ugi:./engine ARGUMENTS",
        configure=deferred("pentad.bridges.ugi.external_bot:ExternalBot"),
        starts_programs=True,
    ),
)
register(
    "gomocup",
    Entry(
        "an external engine that speaks the Gomocup protocol: gomocup:./engine ARGUMENTS",
        configure=deferred("pentad.bridges.gomocup.external_bot:ExternalBot"),
        starts_programs=True,
    ),
    game="pente",
)
