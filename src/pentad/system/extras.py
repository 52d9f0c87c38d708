"""Extras: the optional packages by the extra of pentad that brings them, and the error where one is missing."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from pentad.system.errors import Unavailable
from pentad.system.words import phrase

CHECKOUT = Path(__file__).parents[3]  # if this module is in one


class Extra(NamedTuple):
    """What an extra is for, and the packages that are imported then."""

    purpose: str
    packages: tuple[str, ...]


_SERVER = (
    *(
        "alembic",
        "argon2",
        "confusable_homoglyphs",
        "prometheus_client",
        "resvg_py",
        "segno",
        "sqlalchemy",
        "starlette",
    ),
    *("uvicorn", "webauthn", "websockets"),
)
EXTRAS: Mapping[str, Extra] = {
    "web": Extra("the web server and its pages", _SERVER),
    "terminal": Extra("the full screen", ("rich", "textual")),
    "data": Extra("data sets, plots and GIFs", ("duckdb", "matplotlib", "numpy", "PIL", "pyarrow", "resvg_py")),
    "gym": Extra("environments of Gymnasium", ("gymnasium", "numpy")),
    "pettingzoo": Extra("environments of PettingZoo", ("gymnasium", "numpy", "pettingzoo")),
    "openspiel": Extra("games of OpenSpiel", ("gymnasium", "numpy", "pyspiel")),
    "notebook": Extra("boards in notebooks", ("anywidget", "traitlets")),
    "farm": Extra("clusters", ("cryptography", "dask", "distributed")),
    "postgres": Extra("databases of PostgreSQL", ("psycopg",)),
    "pentagraph": Extra("the bridge to pentagraph", ("networkx",)),
    "compile": Extra("kernels as machine code and games as arrays", ("llvmlite", "numba", "numpy")),
}


def installing_command(extra: str, root: Path = CHECKOUT) -> str:
    """The command that installs an extra, in a checkout or with the package."""
    if not all((root / each).exists() for each in ("pyproject.toml", "src/pentad")):
        return f"pip install 'pentad[{extra}]'"
    installer = f"{quote(sys.executable)} -m pip install"
    if not has("pip"):  # uv makes environments without it
        installer = f"uv pip install --python {quote(sys.executable)}"
    return f"{installer} -e {quote(f'{root}[{extra}]')}"


class MissingExtra(Unavailable, ImportError):
    """A package that pentad does not need everywhere is not installed; the message has the command that installs it."""


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Turns the failed import of a package of an extra into a `MissingExtra`."""
    try:
        yield
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        purpose, packages = EXTRAS[extra]
        if package not in packages:
            raise
        line = phrase(
            "{package} is not installed. For {purpose}, run: {command}",
            package=package,
            purpose=purpose,
            command=installing_command(extra),
        )
        raise MissingExtra(line) from None


def has(package: str) -> bool:
    """Whether a package is installed."""
    return find_spec(package) is not None
