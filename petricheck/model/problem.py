"""Problems: a net, and a target of which it is asked whether it is reachable."""

from __future__ import annotations

from dataclasses import dataclass

from petricheck.arithmetic.formulas.formulas import Formula, require_formula, tighten, variables
from petricheck.arithmetic.formulas.shown import brief_lines, shown_formula
from petricheck.model.net import Net
from petricheck.support.errors import InputError
from petricheck.support.markup import Shown, heading, lines
from petricheck.support.words import printable

_SHORT = 60
"""Letters of a formula in the short name of a problem."""


@dataclass(frozen=True, repr=False)
class Problem(Shown):
    """The question whether a marking that satisfies `target` is reachable in `net`.

    Attributes:
        net: the net.
        target: a formula whose variables are place ids, as `make_problem` leaves it.
    """

    net: Net
    target: Formula

    def __str__(self) -> str:
        return f"{self._asked}\n{shown_formula(self.net.shown.formula(self.target))}"

    @property
    def _asked(self) -> str:
        return f"Is a marking of {printable(self.net.name)} reachable that satisfies this?"

    def __repr__(self) -> str:
        formula = shown_formula(self.net.shown.formula(self.target))
        short = formula if len(formula) <= _SHORT else f"{formula[:_SHORT]}…"
        return f"<Problem {printable(self.net.name)}: {short}>"

    def _repr_html_(self) -> str:
        target = lines(brief_lines(self.net.shown.formula(self.target)))
        return heading(self._asked) + target + self.net._repr_html_()


def make_problem(net: Net, target: Formula) -> Problem:
    """Return the problem with a tightened target, whose names must be places of the net.

    Raises:
        InputError: the target is no formula, or names something that is not a place.
    """
    require_formula(target)
    for name in variables(target):
        if not net.speaks_of(name):
            raise InputError(f"the target names {name!r}, which is no place of net {net.name!r}")
    return Problem(net, tighten(target))
