"""What a long kernel asks from time to time: whether it should stop.

A thread that waits for the kernel sets its stop flag. Where there are no threads, in a page, the kernel itself looks at
the clock, and sets the flag at the deadline.
"""

from __future__ import annotations

from pentad.kernels.decorator import is_due, kernel
from pentad.kernels.types import StoppableCounters


@kernel
def should_stop(counters: StoppableCounters) -> bool:
    """Whether the stop flag is set, or the deadline has passed."""
    if counters.stop != 0:
        return True
    if is_due() != 0:
        counters.stop = 1
        return True
    return False
