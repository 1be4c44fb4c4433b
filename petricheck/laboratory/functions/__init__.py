"""Interpolation for equality with uninterpreted functions and linear arithmetic over the rationals.

After McMillan, *An interpolating theorem prover* (2004), sections 2.2 and 2.3. `terms` and
`formulas` are what questions are made of, `interpolate` answers them; `schematic` has patterns of
terms that interpolants may be restricted to.
"""

from petricheck.laboratory.functions.interpolate import (
    Modelled,
    Result,
    Separated,
    interpolate,
)
from petricheck.laboratory.functions.schematic import SchematicTerm, interpolate_schematic

__all__ = [
    "Modelled",
    "Result",
    "SchematicTerm",
    "Separated",
    "interpolate",
    "interpolate_schematic",
]
