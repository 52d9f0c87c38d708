"""Settings of a server, in order of precedence: command-line options, environment variables, a file, defaults."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from pentad import user_files
from pentad.game import GameError, shown
from pentad.web.http.client_address import network

LAST_PORT = 65535
FILE = "web.toml"  # in the user's data folder
PREFIX = "PENTAD_WEB_"  # of environment variables: PENTAD_WEB_PORT
EVERYWHERE, HERE = "0.0.0.0", "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Settings:
    """Where to listen, where games are stored, whether to open a browser, and whether to serve the local network."""

    host: str = HERE
    port: int | None = None  # None: the first free one
    database: str | None = None  # None: SQLite in the user's data folder
    browser: bool = True
    lan: bool = False
    trusted_proxy: tuple[str, ...] = ()  # in addition to those on this machine

    @property
    def listens_on(self) -> str:
        """The address to listen on."""
        return EVERYWHERE if self.lan and self.host == HERE else self.host


def port(value: object) -> int:
    """A port, as a number or as text."""
    text = str(value) if type(value) in (int, str) else ""
    if not (text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= LAST_PORT):
        raise GameError(f"Expected a port from 1 to {LAST_PORT}, got {shown(value)}.")
    return int(text)


def _text(value: object) -> str:
    if not (isinstance(value, str) and value):
        raise GameError(f"Expected text, got {shown(value)}.")
    return value


def _proxies(value: object) -> tuple[str, ...]:
    """Addresses and networks: a list, or text separated by commas."""
    parts = value.split(",") if isinstance(value, str) else value
    if not (isinstance(parts, list | tuple) and parts and all(isinstance(each, str) for each in parts)):
        raise GameError(f"Expected addresses of proxies, got {shown(value)}.")
    return tuple(str(network(each.strip())) for each in parts)


def _boolean(value: object) -> bool:
    words = {True: True, False: False, "yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
    if not (isinstance(value, bool | str) and value in words):
        raise GameError(f"Expected yes or no, got {shown(value)}.")
    return words[value]


_READ: Mapping[str, Callable[[object], Any]] = {
    "host": _text,
    "port": port,
    "database": _text,
    "browser": _boolean,
    "lan": _boolean,
    "trusted_proxy": _proxies,
}


def settings(flags: Mapping[str, object], environment: Mapping[str, str] | None = None) -> Settings:
    """The settings; `flags` are the command-line options, None where not given."""
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
        raise GameError(f"{where}: Unknown setting {shown(key)}. Expected one of {known}.")
    try:
        return _READ[key](value)
    except GameError as error:
        raise GameError(f"{where}: {key}: {error}") from None


def _file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:  # ValueError: not UTF-8, not TOML, a number too long
        raise GameError(f"Cannot read {path}: {error}") from None
