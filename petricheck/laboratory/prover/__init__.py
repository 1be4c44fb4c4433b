"""An interpolating prover for linear arithmetic, propositions, and uninterpreted functions.

After McMillan, *An interpolating theorem prover* (2004). Knows no nets. `interpolate` is what
others use, `templates` restricts what interpolants speak of; `proofs` says what a proof is,
`checker` checks one.
"""

from petricheck.laboratory.prover.interpolate import (
    interpolate,
    interpolate_sequence,
    interpolate_symmetric,
)
from petricheck.laboratory.prover.results import (
    Elimination,
    Interpolated,
    Proofs,
    Result,
    Satisfiable,
    Theory,
    Undecided,
)

__all__ = [
    "Elimination",
    "Interpolated",
    "Proofs",
    "Result",
    "Satisfiable",
    "Theory",
    "Undecided",
    "interpolate",
    "interpolate_sequence",
    "interpolate_symmetric",
]
