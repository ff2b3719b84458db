"""Fits how a cost grows."""

from __future__ import annotations

import math
from collections.abc import Sequence


def exponent(points: Sequence[tuple[int, float]]) -> float:
    """Fits `cost = a * n ** e` by least squares over the logarithms and returns e."""
    xs = [math.log(n) for n, _ in points]
    ys = [math.log(cost) for _, cost in points]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / sum((x - mean_x) ** 2 for x in xs)
