"""Coloured nets: sorts, terms, nets, and their unfolding.

A colour is a number below the size of its sort, so that terms are arithmetic: of one binding, or of
columns of many at once. What files say is read elsewhere, see `formats`.
"""

from petricheck.model.coloured.net import ColouredNet, Place, Transition
from petricheck.model.coloured.sorts import Dot, Enumeration, Partition, Product, Range
from petricheck.model.coloured.terms import (
    All,
    Comparison,
    Constant,
    ElementOf,
    Not,
    Shifted,
    Some,
    Summand,
    Tuple,
    Variable,
)

__all__ = [
    "All",
    "ColouredNet",
    "Comparison",
    "Constant",
    "Dot",
    "ElementOf",
    "Enumeration",
    "Not",
    "Partition",
    "Place",
    "Product",
    "Range",
    "Shifted",
    "Some",
    "Summand",
    "Transition",
    "Tuple",
    "Variable",
]
