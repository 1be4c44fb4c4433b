"""What keeps an audit within its budget, whatever the evidence says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from petricheck.budget import Budget

BITS = 1 << 20
"""Numbers in evidence have no more, since dividing takes time quadratic in their length."""

STRIDE = 16
"""So many items of a loop may cost as much as one look at the resident memory."""

Item = TypeVar("Item")


def integral(*numbers: object) -> bool:
    """Whether all are plain integers, which cannot overflow, and none is too long to work with."""
    return all(type(number) is int and number.bit_length() <= BITS for number in numbers)


def watched(items: Iterable[Item], budget: Budget, stride: int = STRIDE) -> Iterator[Item]:
    """The items, with a look at the budget after every `stride` of them.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    for number, item in enumerate(items, 1):
        if number % stride == 0:
            budget.check()
        yield item
