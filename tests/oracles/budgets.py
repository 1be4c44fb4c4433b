"""Budgets for tests of who looks at them."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted, Ending


@dataclass(frozen=True)
class Counted(Budget):
    """A budget that counts how often it is looked at, and ends at one of these times."""

    looks: list[None] = field(default_factory=list)
    most: int = sys.maxsize

    def check(self, more: int = 0) -> None:
        self.looks.append(None)
        if len(self.looks) > self.most:
            raise BudgetExhausted("enough", Ending.TIME)
