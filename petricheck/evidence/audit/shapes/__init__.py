"""Audits of certificates, one member and file for each type of certificate.

A member derives from the net the conditions that the certificate must satisfy, and raises if one
is not shown. Only these members decide what proves that a target is unreachable. `certificates`
reads, writes and describes the same types.
"""

from __future__ import annotations

from typing import Any, ClassVar, Protocol

from petricheck.model.problem import Problem
from petricheck.support import plugins
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError


class Shape(Protocol):
    """The contract of every member of this family.

    Attributes:
        of: the type of certificates that it audits.
    """

    of: ClassVar[type]

    def discharge(
        self, problem: Problem, certificate: Any, budget: Budget, second_solver: bool
    ) -> str:
        """Check that the certificate excludes the target; say how it was checked.

        The certificate is an instance of `of`, and not trusted. With `second_solver`, cvc5 must
        also discharge every obligation.

        Raises:
            EvidenceError: the certificate does not exclude it.
        """


def check_excluded(
    problem: Problem, certificate: object, budget: Budget, second_solver: bool
) -> str:
    """Check that the certificate excludes the target, by the member for its type; say how."""
    shape: Shape | None = plugins.about("audit.shapes", certificate)
    if shape is None:
        raise EvidenceError(f"nothing audits certificates of type {type(certificate).__name__!r}")
    return shape.discharge(problem, certificate, budget, second_solver)
