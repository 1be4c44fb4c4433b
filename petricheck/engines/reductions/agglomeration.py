"""Two transitions in one, where a place between them only waits (Berthelot 1986, in two cases).

Let p be a place that the target does not name, or one that it wants empty.

*One consumer.* h alone takes from p, pre(h) = {p: 1}, p is not in post(h), and the target names no
place of post(h), or wants p empty. Then p and h go, each t puts post_t(p)·post(h) instead, and m0
becomes φ(m0) with φ(m) = m[p := 0] + m(p)·post(h). If m → m' by h, then φ(m) = φ(m'); by t ≠ h,
which needs nothing from p, m ≤ φ(m) elsewhere enables the new t in φ(m), and it leads to φ(m'). So
φ maps reachable markings to such, and I(φ(m)) is inductive where I is. The target is about places
where φ(m) = m, so it stays excluded; and where it wants p empty, φ(m) = m in all of its markings,
and what it says of the others is left. Back: fire h as often as t has just put tokens on p, and
initially m0(p) times.

*One feeder.* f alone puts on p, post(f) = {p: 1}, p is not in pre(f), m0(p) = 0, and the target
names no place of pre(f), or wants p empty. Then p and f go, and each t needs pre_t(p)·pre(f)
instead. With ψ(m) = m[p := 0] + m(p)·pre(f): if m → m' by f, then ψ(m) = ψ(m'); by t ≠ f, which
puts nothing on p, m ≥ pre_t gives ψ(m) ≥ pre_t[p := 0] + pre_t(p)·pre(f), and the new t leads to
ψ(m'). The rest is as before; back, fire f pre_t(p) times before t.

In an atom, c(p) := c·post(h) or c·pre(f), so that the products with pre_t and post_t, which are all
that the pair rule compares, are what they were. Signs and comparisons of directions are so too, and
the separators stay right, as the target's literals are 0 on p and on the places of the vector;
where it wants p empty, that literal outweighs c(p). A table of markings stays, and tokens of p
count as what they become. What a merge leaves without effect goes as well: no trace needs it, every
invariant keeps it.

A set S of places of the smaller net becomes one of the larger net, with p where S has a place of
the vector: m marks it where φ(m) marks S. A transition takes from it, or puts on it, where what
became of it does so with S; h takes from p and puts on S, f takes from S and puts on p. So traps
stay traps, and siphons siphons that disable the same. A solution m = m0 + D·x of the state equation
gives φ(m) = φ(m0) + D′·x′, where x′ is x without the transitions that went; so where the smaller
equation misses its target, the larger one does.

Net size does not grow, nor do weights beyond a limit; nothing is gained where they would.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from petricheck.arithmetic.formulas.formulas import Formula, map_terms
from petricheck.arithmetic.formulas.terms import Term, linear
from petricheck.engines.reductions._arcs import Merge, MergedNet, remaining_target
from petricheck.engines.reductions._larger_cubes import empties_separated
from petricheck.evidence.answer import Answer, Reachable, Trace, Unreachable, joined
from petricheck.evidence.certificates.finite_set import MarkingTable
from petricheck.evidence.certificates.invariant import Certificate, Hints
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted

STEPS = 1_000_000
"""Traces that would have more steps are not lifted."""


@dataclass(frozen=True)
class Agglomeration:
    """Merge transitions with the only one that feeds or drains the place between them."""

    rank: ClassVar[int] = 70
    for_all: ClassVar[bool] = False
    """It can hide a trap or a place invariant that proves one of several targets at once."""
    of_net: ClassVar[bool] = False

    def apply(self, problem: Problem, budget: Budget) -> Agglomerated | None:
        """Return the problem without such places; certificates are lifted by substitution."""
        arcs = MergedNet(problem)
        with suppress(BudgetExhausted):  # Each merge is right by itself.
            arcs.run(budget)
        if not arcs.merges:
            return None
        removed = frozenset(arcs.gone)
        return Agglomerated(problem, arcs.problem(), tuple(arcs.merges), removed)


@dataclass(frozen=True)
class Agglomerated:
    """The step of this rewrite.

    Attributes:
        before: the larger problem.
        after: the smaller problem.
        merges: in the order in which they were made.
        gone: the transitions that were removed: each h and f, and those that a merge left without
            effect.
    """

    before: Problem
    after: Problem
    merges: tuple[Merge, ...]
    gone: frozenset[int]

    @property
    def count(self) -> int:
        """The number of places and transitions that were removed."""
        return len(self.merges) + len(self.gone)

    def about(self, target: Formula) -> Agglomerated:
        """Return the same merges for another question that names none of their places."""
        before = replace(self.before, target=target)
        after = replace(self.after, target=remaining_target(before, self.merges))
        return replace(self, before=before, after=after)

    def lift(self, answer: Answer) -> Answer | None:
        """Return the trace with h and f in it; or the certificate after the substitution."""
        match answer:
            case Reachable(trace):
                lifted = self._trace(trace)
                return None if lifted is None else replace(answer, trace=lifted)
            case Unreachable(Certificate() as certificate):
                return replace(answer, certificate=self._certificate(certificate))
            case Unreachable(MarkingTable() as table):
                wider = self._table(table)
                return None if wider is None else replace(answer, certificate=wider)
            case Unreachable(StateEquationCertificate(traps, siphon, unmarked)):
                lists = [tuple(map(self._set, sets)) for sets in (traps, unmarked)]
                wide = StateEquationCertificate(lists[0], self._set(siphon), lists[1])
                return replace(answer, certificate=wide)
            case Unreachable():
                return None
            case _:
                return answer

    @property
    def _empties(self) -> bool:
        """Return whether the target requires a removed place to be empty."""
        return self.before.target != self.after.target

    def _certificate(self, certificate: Certificate) -> Certificate:
        """Return I(φ(m)), with hints, if any, and separators from the larger target."""
        invariant, hints = map_terms(certificate.invariant, self._term), certificate.hints
        origins = tuple(replace(o, direction=self._sum(o.direction)) for o in certificate.origins)
        if not isinstance(hints, Hints):
            return Certificate(invariant, hints, origins)
        numbers = range(len(self.before.net.transitions))
        remaining = [number for number in numbers if number not in self.gone]
        table = []
        for disjunct, row in enumerate(hints.successors):
            wide = dict(zip(remaining, row, strict=False))
            table.append(tuple(wide.get(number, disjunct) for number in numbers))
        separators = tuple(replace(s, direction=self._sum(s.direction)) for s in hints.separators)
        if self._empties:
            removed_places = [self.before.net.places[merge.place] for merge in self.merges]
            before, after = self.before.target, self.after.target
            separators = empties_separated(separators, before, after, removed_places)
        return Certificate(invariant, Hints(tuple(table), separators), origins)

    def _table(self, table: MarkingTable) -> MarkingTable | None:
        """Return the table of all m with φ(m) in the table."""
        counted = []
        for column, sums in table.sums.items():
            wide = self._sum(tuple(sums.items()))
            further = tuple((place, weight) for place, weight in wide if place != column)
            if further:
                counted.append((column, further))
        if not counted and self._empties:
            return None  # Nothing would tell the audit to look for what the target empties.
        return replace(table, counted=tuple(counted))

    def _set(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return these places, and those whose tokens φ turns into tokens of these."""
        places, numbers = self.before.net.places, self.before.net.place_numbers
        wide = dict.fromkeys(numbers[name] for name in names)
        for merge in reversed(self.merges):
            if any(place in wide for place, _ in merge.vector):
                wide[merge.place] = None
        return tuple(places[place] for place in wide)

    def _sum(self, direction: Sequence[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
        return self._term(Term(tuple(direction), 0)).coefficients

    def _term(self, term: Term) -> Term:
        """Return the term after φ, the last merge first: c(p) := c·vector."""
        places, numbers = self.before.net.places, self.before.net.place_numbers
        weights = {numbers[name]: value for name, value in term.coefficients}
        for merge in reversed(self.merges):
            product = sum(weights.get(p, 0) * value for p, value in merge.vector)
            if product:
                weights[merge.place] = product
        return linear(((places[p], value) for p, value in weights.items()), term.constant)

    @cached_property
    def _levels(self) -> Mapping[int, Sequence[int]]:
        """The merges that changed a transition, in order, by transition."""
        levels: dict[int, list[int]] = defaultdict(list)
        for level, merge in enumerate(self.merges):
            for transition in merge.shares:
                levels[transition].append(level)
        return levels

    def _trace(self, trace: Trace) -> Trace | None:
        net = self.before.net
        top = len(self.merges)
        pending = [(net.transition_numbers[name], n, top) for name, n in reversed(trace.steps)]
        for level in reversed(range(top)):
            merge = self.merges[level]
            if merge.tokens and merge.forward:
                pending.append((merge.transition, merge.tokens, level))
        steps: list[tuple[int, int]] = []
        while pending:
            transition, times, level = pending.pop()
            levels = self._levels.get(transition, ())
            position = bisect_left(levels, level)
            if not position:
                steps.append((transition, times))
            else:
                pending.extend(reversed(self._expand(transition, times, levels[position - 1])))
            if len(steps) + len(pending) > STEPS:
                return None
        return joined(steps, net.actions)

    def _expand(self, transition: int, times: int, level: int) -> list[tuple[int, int, int]]:
        """Return the firings before a merge that make up so many firings of a transition."""
        merge = self.merges[level]
        share = merge.shares[transition]
        block, rounds = (1, times) if transition in merge.alternating else (times, 1)
        pair = [(transition, block, level), (merge.transition, block * share, level)]
        return (pair if merge.forward else pair[::-1]) * min(rounds, STEPS)
