"""Mathematical functions for kernels, which cannot call the mathematics library of the machine that they run on."""

from __future__ import annotations

import math

from pentad.kernels.decorator import kernel
from pentad.kernels.numbers import np

LOG2_E = 1.4426950408889634
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # their sum is ln 2, to more digits
HIGHEST, LOWEST = 709.0, -745.0  # beyond these, the exponential is infinite or 0
SMALLEST = -1074  # the lowest power of two that is not 0
POWERS = np.array([2.0**exponent for exponent in range(SMALLEST, 1024)])
TERMS = np.array([1 / math.factorial(term) for term in range(14)])  # of the power series


@kernel
def exp(x: float) -> float:
    """The exponential of a number."""
    if x > HIGHEST:
        return 1e308 * 10.0
    if x < LOWEST:
        return 0.0
    whole = max(int(x * LOG2_E + (0.5 if x >= 0 else -0.5)), SMALLEST)
    rest = (x - whole * LN2_HIGH) - whole * LN2_LOW
    result = TERMS[13]
    for term in range(12, -1, -1):
        result = result * rest + TERMS[term]
    return float(result * POWERS[whole - SMALLEST])


@kernel
def popcount(word: int) -> int:
    """The number of bits set; fast where few are."""
    count = 0
    while word:
        word &= word - 1
        count += 1
    return count
