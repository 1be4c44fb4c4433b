"""Audits of proofs of home spaces, one member and file for each type of proof.

A set of markings is a home space if one of them can be reached from every reachable marking. A
member derives from the net the conditions that the proof must satisfy, and raises if one is not
shown. `certificates` reads, writes and describes the same types.
"""

from __future__ import annotations

from typing import Any, ClassVar, Protocol

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.model.net import Net
from petricheck.support import plugins
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError


class HomeProof(Protocol):
    """The contract of every member of this family.

    Attributes:
        of: the type of proofs that it audits.
    """

    of: ClassVar[type]

    def discharge(
        self,
        net: Net,
        formulas: tuple[Formula, ...],
        proof: Any,
        budget: Budget,
        second_solver: bool,
    ) -> str:
        """Check that the markings of each formula are a home space; say how it was checked.

        The proof is an instance of `of`. Neither it nor the formulas are trusted. With
        `second_solver`, cvc5 must also discharge every obligation.

        Raises:
            EvidenceError: the proof does not show it.
        """


def check_home(
    net: Net, formulas: tuple[Formula, ...], proof: object, budget: Budget, second_solver: bool
) -> str:
    """Check that each formula is a home space, by the member for the proof's type; say how."""
    member: HomeProof | None = plugins.about("audit.homes", proof)
    if member is None:
        raise EvidenceError(f"nothing audits proofs of type {type(proof).__name__!r}")
    return member.discharge(net, formulas, proof, budget, second_solver)
