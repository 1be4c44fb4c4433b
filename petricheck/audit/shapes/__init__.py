"""How certificates are audited: a member for each type of certificate. One file each.

A member names the type (`of`) and has one method, `discharge(problem, certificate, budget,
second_solver)`, which derives from the net what the certificate has to satisfy, and shows it or
raises. Nobody else decides what proves that a target is unreachable. `evidence` says how the same
types are written, read and told.
"""

from __future__ import annotations

from typing import Any, ClassVar, Protocol

from petricheck import plugins
from petricheck.budget import Budget
from petricheck.errors import EvidenceError
from petricheck.problem import Problem


class Shape(Protocol):
    """The frame of every member of this family.

    Attributes:
        of: the type of certificates that it audits.
    """

    of: ClassVar[type]

    def discharge(
        self, problem: Problem, certificate: Any, budget: Budget, second_solver: bool
    ) -> str:
        """Show that the certificate excludes the target; the text says how that was checked.

        The certificate is an instance of `of`, and not trusted. On request cvc5, the second solver,
        must also discharge every obligation.

        Raises:
            EvidenceError: it does not.
            BudgetExhausted: whether it does was not decided.
        """


def shape_of(certificate: object) -> Shape:
    """The member that audits such certificates.

    Raises:
        EvidenceError: there is none.
    """
    shape: Shape | None = plugins.about("audit.shapes", certificate)
    if shape is None:
        raise EvidenceError(f"nothing audits certificates of type {type(certificate).__name__!r}")
    return shape
