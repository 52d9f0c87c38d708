"""Settings of a server, in order of precedence: command-line options, environment variables, a file, defaults."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, ValidationError
from pydantic_settings import BaseSettings, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict
from pydantic_settings import TomlConfigSettingsSource as TomlSource

from pentad.game import GameError, shown
from pentad.system import files as user_files
from pentad.web.http.client_address import network

LAST_PORT = 65535
FILE = "web.toml"  # in the user's data folder
PREFIX = "PENTAD_WEB_"  # of environment variables: PENTAD_WEB_PORT
EVERYWHERE, HERE = "0.0.0.0", "127.0.0.1"


def read_port(value: object) -> int:
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


Text = Annotated[str, BeforeValidator(_text)]
Port = Annotated[int, BeforeValidator(read_port)]
Boolean = Annotated[bool, BeforeValidator(_boolean)]
Proxies = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_proxies)]  # in a variable without the quotes of JSON


class Settings(BaseSettings):
    """Where to listen, where games are stored, whether to open a browser, and whether to serve the local network.

    A call reads the environment and the file too; `Settings.model_construct` takes its arguments as they are.
    """

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, extra="forbid", frozen=True, validate_default=False
    )

    host: Text = HERE
    port: Port | None = None  # None: the first free one
    database: Text | None = None  # None: SQLite in the user's data folder
    browser: Boolean = True
    lan: Boolean = False
    trusted_proxy: Proxies = ()  # in addition to those on this machine

    @property
    def listens_on(self) -> str:
        """The address to listen on."""
        return EVERYWHERE if self.lan and self.host == HERE else self.host

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, _file(settings_cls)


def _file(settings: type[BaseSettings]) -> PydanticBaseSettingsSource:
    path = user_files.home() / FILE
    try:
        if path.exists() and not path.is_file():
            raise OSError("It is not a file.")
        return TomlSource(settings, path)
    except (OSError, ValueError, RecursionError) as error:  # ValueError: not UTF-8, not TOML, a number too long
        raise GameError(f"Cannot read {path}: {error}") from None


def settings(flags: Mapping[str, Any]) -> Settings:
    """The settings; `flags` are the command-line options, None where not given."""
    given = {key: value for key, value in flags.items() if value is not None}
    try:
        return Settings(**given)
    except ValidationError as invalid:
        error = invalid.errors()[0]
    key = str(error["loc"][0])
    variable = PREFIX + key.upper()
    if key in given:
        where = f"--{key.replace('_', '-')}"
    elif key in Settings.model_fields and os.environ.get(variable):
        where = variable
    else:
        where = str(user_files.home() / FILE)
    if error["type"] == "extra_forbidden":
        known = ", ".join(Settings.model_fields)
        raise GameError(f"{where}: Unknown setting {shown(key)}. Expected one of {known}.")
    raise GameError(f"{where}: {key}: {error['ctx']['error']}")
