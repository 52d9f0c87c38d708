"""A figure of a benchmark, and the machine that it was measured on."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Figure:
    """What a benchmark measured: a number, or the least and the greatest one of several runs.

    `against` is what it is compared with, and how, such as "266 times OpenSpiel's".
    """

    name: str
    value: float | tuple[float, float]
    unit: str
    against: str = ""


def machine() -> str:
    """A description of the machine."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), model)
    except OSError:
        pass
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}"
