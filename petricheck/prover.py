"""The public name of `petricheck.laboratory.prover`: the interpolating prover."""

from petricheck.laboratory.prover import *
from petricheck.laboratory.prover import __all__ as __all__
