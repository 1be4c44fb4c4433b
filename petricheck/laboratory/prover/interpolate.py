"""Interpolants of formulas that contradict each other.

A search refutes them, and all interpolants come from its proof by the interpolation rules. Where
the search is endless, over integers without bounds, quantifier elimination answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Formula,
    conjunction,
    evaluate,
    variables,
)
from petricheck.arithmetic.solvers.solver import find_model
from petricheck.laboratory.elimination import eliminate
from petricheck.laboratory.prover.checker import check
from petricheck.laboratory.prover.clauses import ClauseForm
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
from petricheck.laboratory.prover.search import CutsExhausted, Model, ProofSearch
from petricheck.laboratory.prover.terms import Application
from petricheck.laboratory.prover.theory import completed
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted, EvidenceError, InternalError

_Parts: TypeAlias = Sequence[Formula]


@dataclass(frozen=True, slots=True)
class _Kind:
    """The kind of interpolants that a question wants.

    Attributes:
        sides: for each of them the parts that are A, of so many.
        left: parts whose first is to be separated from the others, given interpolants so far.
    """

    sides: Callable[[int], list[range]]
    left: Callable[[_Parts, _Parts], tuple[Formula, ...]]


_CUTS = _Kind(
    lambda count: [range(cut) for cut in range(1, count)],
    lambda parts, before: (
        conjunction((*before[-1:], parts[len(before)])),
        *parts[len(before) + 1 :],
    ),
)
_EACH = _Kind(
    lambda count: [range(part, part + 1) for part in range(count)],
    lambda parts, before: (parts[len(before)], *before, *parts[len(before) + 1 :]),
)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A request for interpolants."""

    kind: _Kind
    theory: Theory
    strengthen: bool


def interpolate(
    first: Formula,
    second: Formula,
    *,
    theory: str = Theory.INTEGERS,
    strengthen: bool = False,
    budget: Budget | None = None,
) -> Result:
    """Return a formula that `first` implies and `second` contradicts, over variables of both.

    Args:
        first: any formula; over the rationals without congruences.
        second: likewise.
        theory: what the variables are: "integers", "rationals", or "functions" for rationals with
            applications of functions (`terms.apply`).
        strengthen: whether the proof is rearranged such that it yields stronger interpolants.
        budget: limits the search.

    Raises:
        ValueError: there is no such theory, or it lacks what a formula has.
    """
    return interpolate_sequence(
        (first, second), theory=theory, strengthen=strengthen, budget=budget
    )


def interpolate_sequence(
    parts: Sequence[Formula],
    *,
    theory: str = Theory.INTEGERS,
    strengthen: bool = False,
    budget: Budget | None = None,
) -> Result:
    """Return one formula I_i for each cut: I_i and the part behind the cut imply I_{i+1}.

    The first part implies I_1, the last contradicts the last of them. I_i speaks of variables
    that parts before and parts behind the cut have. Arguments and errors as of `interpolate`.
    """
    return _answer(tuple(parts), _Wanted(_CUTS, Theory(theory), strengthen), budget or Budget())


def interpolate_symmetric(
    parts: Sequence[Formula],
    *,
    theory: str = Theory.INTEGERS,
    strengthen: bool = False,
    budget: Budget | None = None,
) -> Result:
    """Return one formula for each part, implied by it, which together contradict each other.

    It speaks of variables that the part shares with others. Arguments and errors as of
    `interpolate`.
    """
    return _answer(tuple(parts), _Wanted(_EACH, Theory(theory), strengthen), budget or Budget())


def _answer(parts: tuple[Formula, ...], request: _Wanted, budget: Budget) -> Result:
    if request.theory is not Theory.FUNCTIONS:
        _refuse_functions(parts, request.theory)
    try:
        proof = _refuted(parts, request, budget)
        if isinstance(proof, Satisfiable):
            return proof
        sides = request.kind.sides(len(parts))
        return Interpolated(tuple(interpolant(proof, side, budget) for side in sides), proof)
    except CutsExhausted as error:
        return _eliminated(parts, request.kind, budget, str(error))
    except BudgetExhausted as error:
        return Undecided(str(error))


def _refuted(parts: tuple[Formula, ...], request: _Wanted, budget: Budget) -> Proof | Satisfiable:
    """Return a checked proof, or a model.

    Raises:
        BudgetExhausted: a limit is reached.
        CutsExhausted: the search may be endless.
        InternalError: our own proof or model is wrong.
    """
    form = ClauseForm(parts, request.theory)
    answer = ProofSearch(form, budget).run()
    if isinstance(answer, dict):
        return Satisfiable(_model(parts, answer))
    proof = Proof(parts, form.atoms.integral, tuple(form.atoms.table), form.quotients, answer)
    if request.strengthen:
        proof = raised(proof)
    try:
        check(proof)
    except EvidenceError as error:
        raise InternalError(f"the prover's own proof is wrong: {error}") from error
    return proof


def _model(parts: tuple[Formula, ...], values: Model) -> Model:
    """Return values for all names in the parts: 0 where any value will do.

    Raises:
        InternalError: they are no model.
    """
    formula = Conjunction(parts)
    model = completed(variables(formula), values)
    if not evaluate(formula, cast("dict[str, int]", model)):  # which compares fractions as well
        raise InternalError("the prover found values that are no model")
    return model


def _refuse_functions(parts: tuple[Formula, ...], theory: Theory) -> None:
    if any(isinstance(name, Application) for name in variables(Conjunction(parts))):
        reason = (
            "integers with functions have no quantifier-free interpolants in general"
            if theory is Theory.INTEGERS
            else "these rationals have no functions"
        )
        raise ValueError(f"{reason}; ask over the theory 'functions'")


def _eliminated(parts: tuple[Formula, ...], kind: _Kind, budget: Budget, reason: str) -> Result:
    """Return integers for which the parts hold, or the parts without their own variables."""
    try:
        model = find_model(Conjunction(parts), budget=budget)
        if model is not None:
            return Satisfiable(model)
        interpolants: list[Formula] = []
        for _ in kind.sides(len(parts)):
            first, *others = kind.left(parts, interpolants)
            own = set(variables(first)).difference(variables(Conjunction(tuple(others))))
            interpolants.append(eliminate(own, first, budget))
        return Interpolated(tuple(interpolants), Elimination(reason))
    except BudgetExhausted as error:
        return Undecided(str(error))
