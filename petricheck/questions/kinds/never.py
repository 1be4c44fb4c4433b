"""The question whether no reachable marking satisfies a formula."""

from __future__ import annotations

from petricheck.questions.kinds._invariance import Invariance


class Never(Invariance):
    """A formula, as of --formula, that no reachable marking satisfies."""

    rank = 34
    meaning = "Is this formula never true?"
    asks = "Does no reachable marking satisfy this?"
    example = "'p1 >= 1 and p2 >= 1'"
