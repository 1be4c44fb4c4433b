"""An interpolating prover for linear arithmetic, propositions, and uninterpreted functions.

After McMillan, *An interpolating theorem prover* (2004). Knows no nets. `interpolate` is what
others use, `templates` restricts what interpolants speak of; `proofs` says what a proof is,
`checker` checks one.
"""

from petricheck.arithmetic.solvers.smtlib import to_smtlib
from petricheck.laboratory.abstractions.relations import (
    InequalityTemplate,
    PredicateTemplate,
    TermTemplate,
)
from petricheck.laboratory.prover.checker import check
from petricheck.laboratory.prover.interpolate import (
    interpolate,
    interpolate_sequence,
    interpolate_symmetric,
)
from petricheck.laboratory.prover.named_templates import SchematicTerm
from petricheck.laboratory.prover.results import (
    Elimination,
    Interpolated,
    Result,
    Satisfiable,
    Theory,
    Undecided,
)
from petricheck.laboratory.prover.templates import interpolate_over
from petricheck.laboratory.prover.terms import apply

__all__ = [
    "Elimination",
    "InequalityTemplate",
    "Interpolated",
    "PredicateTemplate",
    "Result",
    "Satisfiable",
    "SchematicTerm",
    "TermTemplate",
    "Theory",
    "Undecided",
    "apply",
    "check",
    "interpolate",
    "interpolate_over",
    "interpolate_sequence",
    "interpolate_symmetric",
    "to_smtlib",
]
