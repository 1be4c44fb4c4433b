"""Domains and states of the abstraction, drawn or written down, and what a separator claims."""

from __future__ import annotations

from collections.abc import Sequence

from forms import bounded, modulo
from hypothesis import strategies as st

from petricheck.arithmetic.formulas.cubes import weighted_sum
from petricheck.arithmetic.formulas.formulas import (
    Congruence,
    Conjunction,
    Cube,
    Formula,
    Inequality,
    at_least,
    congruent,
    negate,
)
from petricheck.arithmetic.formulas.terms import linear, variable
from petricheck.arithmetic.solvers.solver import find_model
from petricheck.engines.abstraction.domain import Domain, Precision, States
from petricheck.evidence.certificates.invariant import Separator
from petricheck.model.net import Net


@st.composite
def precisions(draw: st.DrawFn, net: Net, zero: bool = False) -> Precision:
    """Up to eight bounds of small directions, perhaps of none, and up to two modular ones."""
    vectors = st.tuples(*[st.integers(-2, 2)] * len(net.places)).filter(lambda v: zero or any(v))
    bounds = draw(st.lists(st.builds(bounded, vectors, st.integers(-4, 8)), max_size=8))
    residues = draw(st.lists(st.builds(modulo, vectors, st.integers(2, 4)), max_size=2))
    return Precision().refine([*bounds, *residues])


def row(domain: Domain, bounds: Sequence[int | None], residues: Sequence[int] = ()) -> States:
    """The state with these bounds, None for infinity, and residues."""
    state = domain.initial()
    numbers = [domain.infinity if bound is None else bound for bound in bounds]
    state[:] = [*numbers, *residues, *(-residue for residue in residues)]
    return state


@st.composite
def states(draw: st.DrawFn, domain: Domain, precision: Precision) -> States:
    """Any state of the domain, reachable or not."""
    bounds = [draw(st.sampled_from((*level, None))) for level in precision.thresholds.values()]
    return row(domain, bounds, [draw(st.integers(0, r.modulus - 1)) for r in domain.residues])


def check_separator(separator: Separator, cube: Cube) -> None:
    """What the separator claims of the cube, by its docstring and by the solver."""
    direction = linear(separator.direction)
    assert separator.scale >= 1
    for multiplier, literal in zip(separator.multipliers, cube, strict=True):
        match literal:
            case Inequality():
                assert multiplier == 0 if separator.modulus else multiplier >= 0
            case Congruence(_, own):
                modulus = separator.modulus
                assert (multiplier * own) % modulus == 0 if modulus else multiplier == 0
    total = weighted_sum(cube, separator.multipliers)
    scaled = direction * separator.scale
    if separator.modulus:
        assert all(value % separator.modulus == 0 for _, value in (total - scaled).coefficients)
        claim: Formula = congruent(scaled, -total.constant, separator.modulus)
    else:
        assert all(value >= 0 for _, value in (total + scaled).coefficients)
        claim = at_least(scaled, total.constant)
    names = {name for literal in cube for name in literal.term.variables} | {*direction.variables}
    natural = [at_least(variable(name), 0) for name in sorted(names)]
    assert find_model(Conjunction((*cube, *natural, negate(claim)))) is None
