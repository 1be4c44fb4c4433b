"""Which markings a search expands first, where it is not breadth first."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Order(Enum):
    """Which of equally near markings comes first: a factor of its number, mod 2^32."""

    LATEST = (1 << 32) - 1
    EARLIEST = 1
    ANY = 0x9E3779B1


@dataclass(frozen=True, slots=True)
class Nearest:
    """That the marking which is nearest to a target is expanded first.

    Attributes:
        target: its number.
        far_sighted: whether distances are firings that would get there if firing took no tokens
            (`loops.distances.estimate`), or what the target's formula lacks.
        order: of equally near markings.
    """

    target: int
    far_sighted: bool = True
    order: Order = Order.LATEST
