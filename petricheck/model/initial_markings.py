"""The initial markings of a net that has several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from petricheck.arithmetic.formulas.formulas import Formula


@dataclass(frozen=True, slots=True)
class AddedSet:
    """Added transitions for a linear set: one of `bases` fires once, and `periods` at will.

    Without bases, the initial marking of the net is the only base.
    """

    bases: tuple[str, ...]
    periods: tuple[str, ...]


@dataclass(frozen=True)
class InitialMarkings:
    """All markings that satisfy a formula.

    Attributes:
        formula: over place ids. Places that it does not name have the tokens that the net says.
        sets: transitions that the net has in addition to those of its file, see
            `model.parametric`. Nobody is to trust them: the formula says what is asked.
        parameters: by name in formulas, the place whose initial number of tokens it stands for.
        asked: whether the formula is part of the question, and not of the net's file.
    """

    formula: Formula
    sets: tuple[AddedSet, ...]
    parameters: Mapping[str, str] = field(default_factory=dict, compare=False)
    asked: bool = field(default=True, compare=False)

    @cached_property
    def added(self) -> frozenset[str]:
        """The names of the added transitions."""
        return frozenset(chain.from_iterable((*s.bases, *s.periods) for s in self.sets))

    @property
    def is_linear(self) -> bool:
        """Return whether the net with its added transitions reaches nothing else."""
        return len(self.sets) == 1 and not self.sets[0].bases
