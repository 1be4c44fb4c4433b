"""Whether guards may hold, and may fail, where of variables only the types are known.

The types of variables are sets of their colours, each of which is combined with each of another
variable's. Both answers may be yes where a guard is not determined, or not looked at closely.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from petricheck.model.coloured.tables import Column
from petricheck.model.coloured.terms import (
    COMPARED,
    All,
    Comparison,
    Guard,
    Not,
    Some,
    Term,
    variables,
)

Types: TypeAlias = Mapping[str, Column]
"""For each variable colours that are not told apart, sorted. A comparison of one variable with
constants holds for all of a type or for none."""


class TypedGuards:
    """The conditions of a transition, all of which have to hold; the same types are kept."""

    def __init__(self, conditions: Sequence[Guard]) -> None:
        """Prepare for any types."""
        self._conditions = conditions
        self._values: dict[tuple[int, ...], Column] = {}
        self._compared: dict[tuple[int, ...], tuple[bool, bool]] = {}

    def ordered(self, names: Iterable[str]) -> list[str]:
        """Return the variables, each as soon as conditions link it to earlier ones."""
        scopes = [variables(condition).keys() for condition in self._conditions]
        left, ordered = [*names], list[str]()
        while left:
            known = {*ordered}
            linked = [sum(name in s and s <= known | {name} for s in scopes) for name in left]
            ordered.append(left.pop(linked.index(max(linked))))
        return ordered

    def may_hold(self, types: Types) -> bool:
        """Return whether the conditions on these variables alone may hold."""
        known = (part for part in self._conditions if variables(part).keys() <= types.keys())
        return all(self._truths(condition, types)[0] for condition in known)

    def may_fail(self, types: Types) -> bool:
        """Return whether one of the conditions may fail; all variables have types."""
        return any(self._truths(condition, types)[1] for condition in self._conditions)

    def _truths(self, guard: Guard, types: Types) -> tuple[bool, bool]:
        """Return whether the guard may hold, and whether it may fail, for bindings of these types.

        Both where that is not determined.
        """
        match guard:
            case All(parts=parts) | Some(parts=parts):
                truths = [self._truths(part, types) for part in parts]
                holds, fails = ([truth[side] for truth in truths] for side in (0, 1))
                every, one = (holds, fails) if isinstance(guard, All) else (fails, holds)
                result = all(every), any(one)
                return result if isinstance(guard, All) else (result[1], result[0])
            case Not(part=part):
                holding, failing = self._truths(part, types)
                return failing, holding
        names = variables(guard.left) | variables(guard.right)
        key = (id(guard), *(id(types[name]) for name in names))
        if key not in self._compared:
            self._compared[key] = self._compare(guard, types)
        return self._compared[key]

    def _compare(self, guard: Comparison, types: Types) -> tuple[bool, bool]:
        one, other = variables(guard.left).keys(), variables(guard.right).keys()
        names = one | other
        if len(names) <= 1 or all(len(types[name]) == 1 for name in names):
            truth = bool(guard.holds({name: int(types[name][0]) for name in names}))
            return truth, not truth
        if len(one) > 1 or len(other) > 1:
            return True, True
        left, right = (self.colours(term, types) for term in (guard.left, guard.right))
        if guard.relation in ("=", "!="):
            may = bool(np.isin(left, right).any())
            may_not = len(left) > 1 or len(right) > 1 or not may
            return (may, may_not) if guard.relation == "=" else (may_not, may)
        if guard.relation in (">", ">="):
            left, right = left[::-1], right[::-1]
        compare = COMPARED[guard.relation]
        return bool(compare(left[0], right[-1])), not compare(left[-1], right[0])

    def colours(self, term: Term, types: Types) -> Column:
        """Return the colours of a term with one variable, or none, sorted."""
        key = (id(term), *(id(types[name]) for name in variables(term)))
        if key not in self._values:
            self._values[key] = np.unique(term.value(types))
        return self._values[key]
