"""The common part of kinds that ask whether a set of markings is a home space."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.evidence.claims import Claim
from petricheck.model.net import Net
from petricheck.model.problem import make_problem
from petricheck.questions.deciding import tokens_known
from petricheck.questions.homes import home_spaces
from petricheck.questions.kind import Colours, Conclusion, Kind

if TYPE_CHECKING:
    from petricheck.questions.study import Study


class Returning(Kind):
    """A kind that asks whether one formula is a home space; its content is the formula."""

    # Without colours more markings may be reachable than in the coloured net.
    colours: ClassVar[Colours] = "merged"
    hoped = True

    @abstractmethod
    def formula(self, net: Net, text: str) -> Formula:
        """Return the formula that the words mean; QueryError where they make no sense."""

    def read(self, net: Net, text: str) -> Formula:
        """Return the formula with its atoms made primitive."""
        return make_problem(net, self.formula(net, text)).target

    def search(self, study: Study, contents: Sequence[Formula]) -> None:
        """Search for all formulas together."""
        from petricheck.questions.homes.search import decide_homes  # It brings numpy.

        decide_homes(study, list(dict.fromkeys(contents)))

    def conclude(self, net: Net, content: Formula, claims: Sequence[Claim]) -> Conclusion:
        """Return whether it is a home space; if not, the marking from which it is never reached."""
        state = home_spaces((content,), claims)
        value, marking = (True if state.homes else None), None
        if 0 in state.lost:
            value, marking = False, tokens_known(net, net.after(state.lost[0].steps))
        return Conclusion(self.outcomes, value, (), {"holds": value, "marking": marking})
