"""Interpolants of two formulas of linear arithmetic over the rationals with functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from petricheck.budget import Budget
from petricheck.errors import BudgetExhausted, EvidenceError, InternalError
from petricheck.laboratory.functions.checker import check
from petricheck.laboratory.functions.clauses import ClauseForm
from petricheck.laboratory.functions.formulas import Formula
from petricheck.laboratory.functions.models import Interpretation
from petricheck.laboratory.functions.proofs import Proof
from petricheck.laboratory.functions.rules import interpolant
from petricheck.laboratory.functions.search import Search
from petricheck.laboratory.prover.results import Theory, Undecided


@dataclass(frozen=True, slots=True)
class Separated:
    """The formulas contradict each other.

    Attributes:
        interpolant: what the first implies and the second contradicts.
        proof: where it comes from.
    """

    interpolant: Formula
    proof: Proof


@dataclass(frozen=True, slots=True)
class Modelled:
    """The formulas have a common model."""

    model: Interpretation


Result: TypeAlias = Separated | Modelled | Undecided


def interpolate(
    first: Formula,
    second: Formula,
    *,
    theory: str = Theory.RATIONALS,
    budget: Budget | None = None,
) -> Result:
    """A formula that `first` implies and `second` contradicts, over symbols of both.

    Args:
        first: any formula.
        second: likewise.
        theory: of which numbers the variables are; only "rationals" will do.
        budget: limits the search.

    Raises:
        ValueError: the theory is another one.
    """
    if Theory(theory) is not Theory.RATIONALS:
        raise ValueError(
            "integers with functions have no quantifier-free interpolants in general;"
            " ask over the rationals"
        )
    parts = (first, second)
    form = ClauseForm(parts)
    try:
        found = Search(form, budget or Budget()).run()
        if isinstance(found, Interpretation):
            return _modelled(parts, found)
        proof = _checked(Proof(parts, tuple(form.atoms), found))
        return Separated(interpolant(proof, frozenset({0})), proof)
    except BudgetExhausted as error:
        return Undecided(str(error))


def _checked(proof: Proof) -> Proof:
    try:
        check(proof)
    except EvidenceError as error:
        raise InternalError(f"the prover found a proof that is none: {error}") from None
    return proof


def _modelled(parts: tuple[Formula, ...], found: Interpretation) -> Modelled:
    if not all(map(found.satisfies, parts)):
        raise InternalError("the prover found an interpretation that is no model")
    return Modelled(found)
