"""Settings of a server, in order of precedence: command-line options, environment variables, a file, defaults."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

from pentad.game import GameError, shown
from pentad.system import files as user_files
from pentad.web.http.client_address import network
from pentad.web.typed_json import Converted, Invalid, Reader

LAST_PORT = 65535
FILE = "web.toml"  # it is in the user's data folder
PREFIX = "PENTAD_WEB_"  # PENTAD_WEB_PORT is the setting `port`
LOG_FORMATS, LOG_LEVELS = ("text", "json"), ("debug", "info", "warning", "error")
EVERYWHERE, HERE = "0.0.0.0", "127.0.0.1"
_HOST_NAME = re.compile(r"(?!.{254})[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*")


def read_port(value: object) -> int:
    """A port, as a number or as text."""
    text = str(value) if type(value) in (int, str) else ""
    if not (text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= LAST_PORT):
        raise GameError("Expected a port from 1 to {last_port}, got {value}.", last_port=LAST_PORT, value=shown(value))
    return int(text)


def _text(value: object) -> str:
    if not (isinstance(value, str) and value):
        raise GameError("Expected text, got {value}.", value=shown(value))
    return value


def _list(value: object, expected: str) -> list[str]:
    """Several texts: a list, or text separated by commas."""
    parts = value.split(",") if isinstance(value, str) else value
    if not (isinstance(parts, list | tuple) and parts and all(isinstance(each, str) for each in parts)):
        raise GameError("Expected {expected}, got {value}.", expected=expected, value=shown(value))
    return [each.strip() for each in parts]


def _proxies(value: object) -> tuple[str, ...]:
    return tuple(str(network(each)) for each in _list(value, "addresses of proxies"))


def _public_names(value: object) -> tuple[str, ...]:
    return tuple(host_name(each) for each in _list(value, "names such as play.example.org"))


def host_name(text: str) -> str:
    """The name of a host as browsers send it.

    >>> host_name("Spiel.Königsberg.example")
    'spiel.xn--knigsberg-07a.example'
    """
    try:
        name = text.encode("idna").decode().lower()
    except UnicodeError:
        name = ""
    if not _HOST_NAME.fullmatch(name):
        raise GameError(
            "Expected a name such as play.example.org, without a scheme, a port or a path, got {text}.",
            text=shown(text),
        )
    return name


def _boolean(value: object) -> bool:
    words = {True: True, False: False, "yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
    if not (isinstance(value, bool | str) and value in words):
        raise GameError("Expected yes or no, got {value}.", value=shown(value))
    return words[value]


def _one_of(*words: str) -> Callable[[object], str]:
    def read(value: object) -> str:
        if not (isinstance(value, str) and value in words):
            raise GameError("Expected {words}, got {value}.", words=" or ".join(words), value=shown(value))
        return value

    return read


Text = Annotated[str, Converted(_text)]
Port = Annotated[int, Converted(read_port)]
Boolean = Annotated[bool, Converted(_boolean)]
Proxies = Annotated[tuple[str, ...], Converted(_proxies)]
PublicNames = Annotated[tuple[str, ...], Converted(_public_names)]
LogFormat = Annotated[str, Converted(_one_of(*LOG_FORMATS))]
LogLevel = Annotated[str, Converted(_one_of(*LOG_LEVELS))]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Where to listen, for which names, where games are stored, who is let in, and what is logged and measured."""

    host: Text = HERE
    port: Port | None = None  # None: the first free one
    database: Text | None = None  # None: SQLite in the user's data folder
    browser: Boolean = True
    lan: Boolean = False
    public_name: PublicNames = ()  # in addition to IP addresses and this machine's own name
    trusted_proxy: Proxies = ()  # in addition to any on this machine
    metrics_port: Port | None = None  # None: there are no metrics
    metrics_host: Text = HERE
    log_format: LogFormat = "text"
    log_level: LogLevel | None = None  # None: more for a public server

    @property
    def listens_on(self) -> str:
        """The address to listen on."""
        return EVERYWHERE if self.lan and self.host == HERE else self.host

    @property
    def logs_from(self) -> str:
        """The level from which lines are logged: a server with a name of its own logs requests, too."""
        return self.log_level or ("info" if self.public_name or self.host != HERE else "warning")


NAMES = [each.name for each in fields(Settings)]


def _sources(flags: Mapping[str, object]) -> Iterator[tuple[str, str, object]]:
    """The given values with the names of their settings and their origins; later ones count."""
    path = user_files.home() / FILE
    yield from ((name, str(path), value) for name, value in _file(path).items())
    for name in NAMES:
        if text := os.environ.get(variable := PREFIX + name.upper()):
            yield name, variable, text
    for name, value in flags.items():
        if value is not None:
            yield name, f"--{name.replace('_', '-')}", value


def _file(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except (OSError, ValueError, RecursionError) as error:  # ValueError: not UTF-8, not TOML, a number too long
        raise GameError("Cannot read {path}: {error}", path=path, error=error) from None


def settings(flags: Mapping[str, object]) -> Settings:
    """The settings; `flags` are the command-line options, None where not given."""
    given = {name: (origin, value) for name, origin, value in _sources(flags)}
    for name, (origin, _) in given.items():
        if name not in NAMES:
            raise GameError(
                "{origin}: Unknown setting {name}. Expected one of {names}.",
                origin=origin,
                name=shown(name),
                names=", ".join(NAMES),
            )
    try:
        return Reader[Settings](Settings).value({name: value for name, (_, value) in given.items()})
    except Invalid as invalid:
        raise GameError(f"{given[invalid.path[0]][0]}: {invalid}") from None
