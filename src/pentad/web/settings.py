"""How a server is set up: by flags, else by variables of the environment, else by a file, else as it comes."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from pentad import user_files
from pentad.game import GameError, shown
from pentad.web.client_address import network

LAST_PORT = 65535
FILE = "web.toml"  # in the user's data folder
PREFIX = "PENTAD_WEB_"  # of the variables: PENTAD_WEB_PORT
EVERYWHERE, HERE = "0.0.0.0", "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Settings:
    """Where to listen, where games are kept, whether the page is opened, and whether a room full of people may come."""

    host: str = HERE
    port: int | None = None  # None: the first free one
    database: str | None = None  # None: SQLite in the user's data folder
    browser: bool = True
    lan: bool = False
    trusted_proxy: tuple[str, ...] = ()  # beside those on this machine

    @property
    def listens_on(self) -> str:
        """The address to listen on."""
        return EVERYWHERE if self.lan and self.host == HERE else self.host


def port(value: object) -> int:
    """A port, as a number or as text."""
    text = str(value) if type(value) in (int, str) else ""
    if not (text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= LAST_PORT):
        raise GameError(f"a port is a whole number from 1 to {LAST_PORT}, not {shown(value)}")
    return int(text)


def _text(value: object) -> str:
    if not (isinstance(value, str) and value):
        raise GameError(f"a text is wanted, not {shown(value)}")
    return value


def _proxies(value: object) -> tuple[str, ...]:
    """Addresses and networks: a list, or a text with commas between them."""
    parts = value.split(",") if isinstance(value, str) else value
    if not (isinstance(parts, list | tuple) and parts and all(isinstance(each, str) for each in parts)):
        raise GameError(f"the addresses of proxies are wanted, not {shown(value)}")
    return tuple(str(network(each.strip())) for each in parts)


def _truth(value: object) -> bool:
    words = {True: True, False: False, "yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
    if not (isinstance(value, bool | str) and value in words):
        raise GameError(f"yes or no is wanted, not {shown(value)}")
    return words[value]


_READ: Mapping[str, Callable[[object], Any]] = {
    "host": _text,
    "port": port,
    "database": _text,
    "browser": _truth,
    "lan": _truth,
    "trusted_proxy": _proxies,
}


def settings(flags: Mapping[str, object], environment: Mapping[str, str] | None = None) -> Settings:
    """The settings; `flags` are those that were given."""
    environment = os.environ if environment is None else environment
    path = user_files.home() / FILE
    chosen = {key: _read(key, value, str(path)) for key, value in _file(path).items()}
    for key in _READ:
        name = PREFIX + key.upper()
        if environment.get(name):
            chosen[key] = _read(key, environment[name], name)
    chosen |= {
        key: _read(key, value, f"--{key.replace('_', '-')}") for key, value in flags.items() if value is not None
    }
    return replace(Settings(), **chosen)


def _read(key: str, value: object, where: str) -> Any:
    if key not in _READ:
        known = ", ".join(field.name for field in fields(Settings))
        raise GameError(f"{where}: there is no setting {shown(key)}; there are: {known}")
    try:
        return _READ[key](value)
    except GameError as error:
        raise GameError(f"{where}: {key}: {error}") from None


def _file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:  # ValueError: no UTF-8, no TOML, a number too long
        raise GameError(f"{path} cannot be read: {error}") from None
