"""Limit on the number of executed lines of Python, which does not depend on the machine's speed."""

from __future__ import annotations

import sys
from types import FrameType, TracebackType
from typing import Any

from pentad import game

game.plug_ins()  # read from the installed packages on first use, which is not what a test counts


class at_most:  # noqa: N801, as it is read after `with`
    """Fails as soon as this thread executes more lines of Python in the block, including calls."""

    def __init__(self, lines: int) -> None:
        self.lines, self.count = lines, 0

    def __enter__(self) -> None:
        # Tracing begins with the next call; the frame of the block is already running and gets its own tracer.
        self._block = sys._getframe(1)
        self._head = self._block.f_lineno
        self._before = sys.gettrace(), self._block.f_trace
        self._block.f_trace = self._trace
        sys.settrace(self._trace)

    def _trace(self, frame: FrameType, event: str, _arg: Any) -> Any:
        if frame.f_code.co_filename == __file__:
            return None  # the end of the block
        if event == "line" and (frame is not self._block or frame.f_lineno != self._head):
            self.count += 1
            if self.count > self.lines:
                self._stop()
                raise AssertionError(f"more than {self.lines:,} lines of Python")
        return self._trace

    def _stop(self) -> None:
        before, self._block.f_trace = self._before
        sys.settrace(before)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._stop()
        # If the block has caught or replaced the error, it is raised here.
        if self.count > self.lines and kind is not AssertionError:
            raise AssertionError(f"{self.count:,} lines of Python, at most {self.lines:,} are allowed") from error
