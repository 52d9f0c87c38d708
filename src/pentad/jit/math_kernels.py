"""Mathematical functions for kernels, which cannot call the mathematics library of the machine that they run on."""

from __future__ import annotations

from pentad.jit.compiler import kernel

LOG2_E = 1.4426950408889634
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # their sum is ln 2, to more digits
HIGHEST, LOWEST = 709.0, -745.0  # beyond these, the exponential is infinite or 0
TERMS = 14  # of the power series


@kernel
def power_of_two(exponent: int) -> float:
    """2 to the power of an integer."""
    base, left, result = (2.0, exponent, 1.0) if exponent >= 0 else (0.5, -exponent, 1.0)
    while left:
        if left & 1:
            result *= base
        base *= base
        left >>= 1
    return result


@kernel
def exp(x: float) -> float:
    """The exponential of a number."""
    if x > HIGHEST:
        return 1e308 * 10.0
    if x < LOWEST:
        return 0.0
    whole = int(x * LOG2_E + (0.5 if x >= 0 else -0.5))
    rest = (x - whole * LN2_HIGH) - whole * LN2_LOW
    result = 1.0
    for term in range(TERMS, 0, -1):
        result = 1.0 + rest * result / term
    half = whole // 2  # in two steps: a power of two may be too small or too large
    return result * power_of_two(half) * power_of_two(whole - half)
