"""The order of a search that is not breadth first."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Order(Enum):
    """The order of equally near markings, as a factor of their numbers, mod 2^32."""

    LATEST = (1 << 32) - 1
    EARLIEST = 1
    ANY = 0x9E3779B1


@dataclass(frozen=True, slots=True)
class Nearest:
    """The order in which the marking nearest to a target is expanded first.

    Attributes:
        target: its number.
        far_sighted: whether distances are firings that would lead there if firings took no tokens
            (`loops.distances.estimate_costs`); otherwise they are differences of the formula's
            terms.
        order: of equally near markings.
    """

    target: int
    far_sighted: bool = True
    order: Order = Order.LATEST
