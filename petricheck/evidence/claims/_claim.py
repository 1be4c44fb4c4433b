"""What all claims are."""

from __future__ import annotations


class Claim:
    """A claim about one net, with its evidence; the types of claims are immutable values."""

    __slots__ = ()
