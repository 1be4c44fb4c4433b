"""The assignment of literals, its reasons, and propagation by clauses and arithmetic."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from petricheck.laboratory.prover.arithmetic import Arithmetic
from petricheck.laboratory.prover.derivations import Chain, Derivations
from petricheck.laboratory.prover.proofs import Contra, Literal, Refutation
from petricheck.laboratory.prover.simplex import Explanation

Reason: TypeAlias = int | Explanation | None
"""The number of a clause, a contradiction with the opposite, or nothing: a decision."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """A clause from a conflict: one of its literals has the conflict's level, the first.

    Attributes:
        clause: the literals, of later levels first.
        chain: how it is derived.
        level: the level at which its first literal follows.
        involved: the literals of all clauses on the way.
    """

    clause: tuple[Literal, ...]
    chain: Chain
    level: int
    involved: frozenset[Literal]


class Assignment:
    """Literals that are assumed, level by level, with all that follows.

    Args:
        derivations: the clauses; those that are derived here are added.
        arithmetic: what the literals mean.
    """

    def __init__(self, derivations: Derivations, arithmetic: Arithmetic) -> None:
        self._derivations = derivations
        self._arithmetic = arithmetic
        self._values: dict[Literal, bool] = {}
        self._levels: dict[int, int] = {}
        self._reasons: dict[int, Reason] = {}
        self._units: dict[int, int] = {}
        self._trail: list[Literal] = []
        self._marks: list[tuple[int, int]] = []
        self._head = 0
        self._watchers: dict[Literal, list[list[Literal]]] = {}
        self._numbers: dict[int, int] = {}

    @property
    def level(self) -> int:
        """The number of decisions."""
        return len(self._marks)

    def value(self, literal: Literal) -> bool | None:
        """Return whether the literal is true; None while it is open."""
        return self._values.get(literal)

    def level_of(self, literal: Literal) -> int:
        """Return at which decision the literal became true or false."""
        return self._levels[abs(literal)]

    @property
    def literals(self) -> Sequence[Literal]:
        """The true literals."""
        return self._trail

    def decide(self, literal: Literal) -> None:
        """Assume an open literal, on a new level."""
        self._marks.append((len(self._trail), self._arithmetic.depth))
        self._assign(literal, None)

    def back(self, level: int) -> None:
        """Take back all levels above this one."""
        if level < self.level:
            start, depth = self._marks[level]
            for literal in self._trail[start:]:
                del self._values[literal], self._values[-literal]
            del self._trail[start:], self._marks[level:]
            self._head = start
            self._arithmetic.restore(depth)

    def attach(self, number: int) -> None:
        """Propagate by the clause from now on.

        Its first literal is open, or it is the only one; the second was the last to become false,
        or is open as well.
        """
        clause = self._derivations.clauses[number]
        if len(clause) == 1:
            if self._values.get(clause[0]) is None:
                self._assign(clause[0], number)
            return
        watched = list(clause)
        self._numbers[id(watched)] = number
        for literal in watched[:2]:
            self._watchers.setdefault(literal, []).append(watched)
        if self._values.get(watched[1]) is False:
            self._assign(watched[0], number)

    def propagate(self) -> int | None:
        """Derive all consequences; return the number of a clause in conflict, if any."""
        while True:
            conflict = self._exhaust()
            if conflict is None and not self._marks:
                conflict = self._contradiction()
            if conflict is not None:
                return conflict
            propagated = self._arithmetic.propagated()
            if not propagated:
                return self._check()
            for literal, explanation in propagated:
                if self._values.get(literal) is False:
                    return self._conflict(explanation)
                if literal not in self._values:
                    self._assign(literal, explanation)

    def _exhaust(self) -> int | None:
        """Derive consequences literal by literal; return the number of a clause in conflict."""
        while self._head < len(self._trail):
            literal = self._trail[self._head]
            self._head += 1
            conflict = self._visit(-literal)
            if conflict is not None:
                return conflict
            explanation = self._arithmetic.assume(literal)
            if explanation is not None:
                return self._conflict(explanation)
            for implied in self._arithmetic.implied(literal):
                if implied in self._values:  # and those that say even less
                    break
                self._assign(implied, ((literal, 1), (-implied, 1)))
        return None

    def _contradiction(self) -> int | None:
        """Return a conflict without decisions, in one step instead of bound by bound."""
        conflict = self._check()
        residue = self._arithmetic.residue() if conflict is None else None
        return conflict if residue is None else self.lemma(residue)

    def _check(self) -> int | None:
        explanation = self._arithmetic.check()
        return None if explanation is None else self._conflict(explanation)

    def lemma(self, refutation: Refutation) -> int:
        """Add the clause that these literals contradict each other."""
        clause = dict.fromkeys(-literal for literal in refutation.literals)
        return self._derivations.add(tuple(clause), Contra(refutation))

    def _conflict(self, explanation: Explanation) -> int:
        weaker = self._arithmetic.weakened(explanation, self.value)
        return self.lemma(self._arithmetic.sum_of(weaker))

    def learnt(self, conflict: int, level: int) -> Learnt:
        """Resolve a clause in conflict until one literal is of the level, and none of level 0."""
        literals = set(self._derivations.clauses[conflict])
        involved = set(literals)
        links: list[tuple[Literal, int]] = []
        current = sum(self.level_of(literal) == level for literal in literals)
        start = self._marks[level - 1][0] if level else 0
        for literal in reversed(self._trail[start:]):
            if -literal not in literals:
                continue
            if current == 1:
                break
            reason = self._reason(literal)
            assert reason is not None
            links.append((literal, reason))
            clause = self._derivations.clauses[reason]
            added = {other for other in clause if other != literal} - literals
            current += sum(self.level_of(other) == level for other in added) - 1
            literals |= added
            literals.discard(-literal)
            involved |= added
        links += self.units(literals)
        left = [literal for literal in literals if self.level_of(literal)]
        left.sort(key=lambda literal: (-self.level_of(literal), abs(literal)))
        back = self.level_of(left[1]) if len(left) > 1 else 0
        return Learnt(tuple(left), Chain(conflict, tuple(links)), back, frozenset(involved))

    def units(self, literals: Iterable[Literal]) -> list[tuple[Literal, int]]:
        """Return the steps that resolve away literals that are false without any decision."""
        fixed = sorted(literal for literal in literals if self.level_of(literal) == 0)
        return [(-literal, self._units[abs(literal)]) for literal in fixed]

    def _reason(self, literal: Literal) -> int | None:
        """Return the number of the clause that implied the literal; None for a decision."""
        reason = self._reasons[abs(literal)]
        if isinstance(reason, tuple):
            reason = self.lemma(self._arithmetic.sum_of(reason))
            self._reasons[abs(literal)] = reason
        return reason

    def _assign(self, literal: Literal, reason: Reason) -> None:
        self._values[literal], self._values[-literal] = True, False
        self._levels[abs(literal)] = self.level
        self._reasons[abs(literal)] = reason
        self._trail.append(literal)
        if not self._marks:
            self._units[abs(literal)] = self._derived_unit(literal)

    def _derived_unit(self, literal: Literal) -> int:
        number = self._reason(literal)
        assert number is not None
        others = [other for other in self._derivations.clauses[number] if other != literal]
        if not others:
            return number
        links = tuple((-other, self._units[abs(other)]) for other in others)
        return self._derivations.add((literal,), Chain(number, links))

    def _visit(self, falsified: Literal) -> int | None:
        """Find other literals to watch for the clauses that watch this one."""
        watchers = self._watchers.get(falsified)
        if not watchers:
            return None
        values = self._values
        watching: list[list[Literal]] = []
        self._watchers[falsified] = watching
        for place, clause in enumerate(watchers):
            if clause[0] == falsified:
                clause[0], clause[1] = clause[1], falsified
            first = clause[0]
            if values.get(first):
                watching.append(clause)
                continue
            for position in range(2, len(clause)):
                other = clause[position]
                if values.get(other) is not False:
                    clause[1], clause[position] = other, falsified
                    self._watchers.setdefault(other, []).append(clause)
                    break
            else:
                watching.append(clause)
                number = self._numbers[id(clause)]
                if values.get(first) is False:
                    watching.extend(watchers[place + 1 :])
                    return number
                self._assign(first, number)
        return None
