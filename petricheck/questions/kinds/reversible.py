"""The question whether the initial marking can be reached from every reachable marking."""

from __future__ import annotations

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.model.net import Net
from petricheck.questions.homes import home_marking
from petricheck.questions.homes.returning import Returning
from petricheck.questions.kind import Kind, yes_or_no


class Reversible(Returning):
    """Whether the initial marking can be reached from every reachable marking."""

    rank = 120
    meaning = "Can the initial marking always be reached again?"
    # Where colours are merged, the initial marking stands for several.
    colours = "all"
    outcomes = yes_or_no(("reversible",), ("not reversible", "irreversible"))

    def formula(self, net: Net, text: str) -> Formula:
        """Return the initial marking."""
        Kind.read(self, net, text)
        return home_marking(net, net.initial)
