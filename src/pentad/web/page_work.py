"""Jobs of a worker process for pages: calls of functions that read and write what visitors send."""

from __future__ import annotations

import pickle
import traceback
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ParamSpec, TypeVar

from pentad.game import GameError
from pentad.jobs.worker import Answer, Jobs

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def packed(work: Callable[Parameters, Result], *args: Parameters.args, **more: Parameters.kwargs) -> str:
    """A call as text; the function is one of a module, and the process that gets the text is our own."""
    return _packed((work, args, more))


def unpacked(text: str) -> Any:
    """What was packed."""
    return pickle.loads(b64decode(text))


def _packed(value: object) -> str:
    return b64encode(pickle.dumps(value)).decode()


def call(packed: str) -> Iterator[Answer]:
    """The result of a call, packed, or why it is refused."""
    return _called(*unpacked(packed))  # loads the modules of the call before the work begins


def _called(work: Callable[..., object], args: tuple[object, ...], more: Mapping[str, object]) -> Iterator[Answer]:
    try:
        result = work(*args, **more)
    except GameError as error:
        yield {"refused": str(error)}
    except Exception:
        traceback.print_exc()  # for the log of the server, which gets one line otherwise
        raise
    else:
        yield {"text": result} if isinstance(result, str) else {"packed": _packed(result)}


JOBS: Jobs = {"call": call}
