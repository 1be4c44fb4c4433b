"""How proofs of home spaces are audited: a member for each type of proof. One file each.

A set of markings is a home space if one of them can be reached from every reachable marking. A
member names the type (`of`) and has one method, `discharge(net, formulas, proof, budget,
second_solver)`, which derives from the net what the proof has to satisfy, and shows it or raises.
`evidence` says how the same types are written, read and told.
"""

from __future__ import annotations

from typing import Any, ClassVar, Protocol

from petricheck import plugins
from petricheck.budget import Budget
from petricheck.errors import EvidenceError
from petricheck.presburger.formulas import Formula
from petricheck.problem import Net


class HomeProof(Protocol):
    """The frame of every member of this family.

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
        """Show that the markings in each formula are a home space; the text says how.

        The proof is an instance of `of`. Neither it nor the formulas are trusted. On request cvc5,
        the second solver, must also discharge every obligation.

        Raises:
            EvidenceError: that is not shown.
            BudgetExhausted: whether it is was not decided.
        """


def home_proof(proof: object) -> HomeProof:
    """The member that audits such proofs.

    Raises:
        EvidenceError: there is none.
    """
    member: HomeProof | None = plugins.about("audit.homes", proof)
    if member is None:
        raise EvidenceError(f"nothing audits proofs of type {type(proof).__name__!r}")
    return member
