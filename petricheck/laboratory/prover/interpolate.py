"""Interpolants of formulas that contradict each other.

A search refutes them, and every interpolant comes from its proof by the interpolation rules. Where
the search is endless, over integers without bounds, quantifier elimination answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from petricheck.budget import Budget
from petricheck.errors import BudgetExhausted, EvidenceError, InternalError
from petricheck.laboratory.abstractions.relations import RelationAbstraction
from petricheck.laboratory.abstractions.sequence import SequenceAbstraction
from petricheck.laboratory.prover.abstracted import posed
from petricheck.laboratory.prover.checker import check
from petricheck.laboratory.prover.clauses import ClauseForm
from petricheck.laboratory.prover.elimination import (
    common_model,
    images,
    own_variables_eliminated,
)
from petricheck.laboratory.prover.proofs import Proof
from petricheck.laboratory.prover.raising import raised
from petricheck.laboratory.prover.results import (
    Elimination,
    Interpolated,
    Result,
    Satisfiable,
    Theory,
    Undecided,
)
from petricheck.laboratory.prover.rules import interpolant
from petricheck.laboratory.prover.search import CutsExhausted, Model, Search
from petricheck.presburger.formulas import Conjunction, Formula, evaluate, variables


@dataclass(frozen=True, slots=True)
class _Kind:
    """Which interpolants are wanted.

    Attributes:
        sides: for each of them the parts that are A, of so many.
        eliminate: how they are made without a proof.
    """

    sides: Callable[[int], list[range]]
    eliminate: Callable[[Sequence[Formula], Budget], tuple[Formula, ...]]


_CUTS = _Kind(lambda count: [range(cut) for cut in range(1, count)], images)
_EACH = _Kind(
    lambda count: [range(part, part + 1) for part in range(count)], own_variables_eliminated
)


def interpolate(
    first: Formula,
    second: Formula,
    *,
    theory: str = Theory.INTEGERS,
    strengthen: bool = False,
    abstraction: RelationAbstraction | None = None,
    budget: Budget | None = None,
) -> Result:
    """A formula that `first` implies and `second` contradicts, over variables of both.

    Args:
        first: any formula; over the rationals without congruences.
        second: likewise.
        theory: of which numbers the variables are, "integers" or "rationals".
        strengthen: whether the proof is rearranged such that it yields stronger interpolants.
        abstraction: over the variables of both: the interpolant is one of the abstract problem
            (Leroux, Rümmer, Subotić 2016, section 4), and so is a model.
        budget: limits the search.

    Raises:
        ValueError: there is no such theory, or it has no congruences and a formula has, or the
            abstraction is none of this problem.
    """
    points = None if abstraction is None else SequenceAbstraction(((1, abstraction),))
    return interpolate_sequence(
        (first, second),
        theory=theory,
        strengthen=strengthen,
        abstraction=points,
        budget=budget,
    )


def interpolate_sequence(
    parts: Sequence[Formula],
    *,
    theory: str = Theory.INTEGERS,
    strengthen: bool = False,
    abstraction: SequenceAbstraction | None = None,
    budget: Budget | None = None,
) -> Result:
    """One formula I_i for each cut: I_i and the part behind the cut imply I_{i+1}.

    The first part implies I_1, the last contradicts the last of them. I_i speaks of variables
    that parts before and parts behind the cut have. Arguments and errors as of `interpolate`.
    """
    wanted, limit = _Wanted(_CUTS, Theory(theory), strengthen), budget or Budget()
    if abstraction is None:
        return _answer(tuple(parts), wanted, limit)
    try:
        abstract = posed(parts, abstraction, wanted.theory is Theory.INTEGERS, limit)
    except BudgetExhausted as error:
        return Undecided(str(error))
    return _answer(abstract, wanted, limit)


def interpolate_symmetric(
    parts: Sequence[Formula],
    *,
    theory: str = Theory.INTEGERS,
    strengthen: bool = False,
    budget: Budget | None = None,
) -> Result:
    """One formula for each part, implied by it, which together contradict each other.

    It speaks of variables that the part shares with others. Arguments and errors as of
    `interpolate`.
    """
    return _answer(tuple(parts), _Wanted(_EACH, Theory(theory), strengthen), budget or Budget())


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is asked of parts."""

    kind: _Kind
    theory: Theory
    strengthen: bool


def _answer(parts: tuple[Formula, ...], wanted: _Wanted, budget: Budget) -> Result:
    form = ClauseForm(parts, wanted.theory is Theory.INTEGERS)
    try:
        found = Search(form, budget).run()
        if isinstance(found, dict):
            return Satisfiable(_model(parts, found))
        proof = Proof(parts, form.atoms.integral, tuple(form.atoms.table), form.quotients, found)
        if wanted.strengthen:
            proof = raised(proof)
        _check(proof)
        sides = wanted.kind.sides(len(parts))
        return Interpolated(tuple(interpolant(proof, side, budget) for side in sides), proof)
    except CutsExhausted as error:
        return _eliminated(parts, wanted.kind, budget, str(error))
    except BudgetExhausted as error:
        return Undecided(str(error))


def _check(proof: Proof) -> None:
    """Have our own proof checked.

    Raises:
        InternalError: it is wrong.
    """
    try:
        check(proof)
    except EvidenceError as error:
        raise InternalError(f"the prover's own proof is wrong: {error}") from error


def _model(parts: tuple[Formula, ...], found: Model) -> Model:
    """What was found, for the variables of the parts: those that may be anything are 0.

    Raises:
        InternalError: it is no model.
    """
    whole = Conjunction(parts)
    model = {name: found.get(name, 0) for name in variables(whole)}
    if not evaluate(whole, cast("dict[str, int]", model)):  # which compares fractions as well
        raise InternalError("the prover found values that are no model")
    return model


def _eliminated(parts: tuple[Formula, ...], kind: _Kind, budget: Budget, reason: str) -> Result:
    try:
        model = common_model(parts, budget)
        if model is not None:
            return Satisfiable(model)
        return Interpolated(kind.eliminate(parts, budget), Elimination(reason))
    except BudgetExhausted as error:
        return Undecided(str(error))
