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
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from petricheck.arithmetic.formulas.emptied import emptied, without
from petricheck.arithmetic.formulas.formulas import Formula, map_terms, variables
from petricheck.arithmetic.formulas.terms import Term, linear
from petricheck.engines.reductions._lifting import empties_separated
from petricheck.evidence.answer import Answer, Reachable, Trace, Unreachable, joined
from petricheck.evidence.certificates.finite_set import MarkingTable
from petricheck.evidence.certificates.invariant import Certificate, Hints
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.model.net import Net, Transition, Weights
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted

WEIGHT = 1_000_000
"""No arc becomes heavier than this."""

ROUND = 10_000
"""Arcs that are looked at between two looks at the budget."""

_PRE, _POST = 0, 1


@dataclass(frozen=True, slots=True)
class Merge:
    """A place p that is gone, and the one transition that fed or drained it.

    Attributes:
        place: p.
        transition: h or f.
        forward: whether it is h, which fires after the others; f fires before them.
        vector: post(h) or pre(f) when p went.
        shares: by transition, post_t(p) or pre_t(p).
        alternating: transitions that cannot fire several times before h does, or after f did.
        tokens: m0(p).
    """

    place: int
    transition: int
    forward: bool
    vector: Weights
    shares: Mapping[int, int]
    alternating: Set[int]
    tokens: int


class MergedNet:
    """The net while places go: arcs by side and transition, transitions by side and place."""

    def __init__(self, problem: Problem) -> None:
        net = problem.net
        self.merges: list[Merge] = []
        self.gone: set[int] = set()
        self._problem = problem
        self._named_places = {net.place_numbers[name] for name in variables(problem.target)}
        self._empty = {net.place_numbers[name] for name in emptied(problem.target)}
        self._needed_places = self._named_places - self._empty
        self._initial = list(net.initial)
        self._arcs = [dict(t.pre) for t in net.transitions], [dict(t.post) for t in net.transitions]
        self._users: tuple[list[set[int]], ...] = tuple([set() for _ in net.places] for _ in "ab")
        for users, arcs in zip(self._users, self._arcs, strict=True):
            for number, weights in enumerate(arcs):
                for place in weights:
                    users[place].add(number)

    def run(self, budget: Budget) -> None:
        """Remove places until neither case applies to any.

        A transition may take part in many merges, so the effort can be quadratic.
        """
        pending = deque(range(len(self._initial)))
        effort = 0
        while pending:
            place = pending.popleft()
            effort += 1 + sum(len(users[place]) for users in self._users)
            if effort > ROUND:
                budget.check()
                effort = 0
            merge = self._merge(place)
            if merge is not None:
                self.merges.append(merge)
                self.gone.add(merge.transition)
                pending.extend(self._drop_idle(merge.shares))
                pending.extend(place for place, _ in merge.vector)

    def _drop_idle(self, transitions: Iterable[int]) -> list[int]:
        """Remove those of these transitions that have no effect; the places that they touched."""
        touched: list[int] = []
        pre, post = self._arcs
        for number in transitions:
            if pre[number] == post[number]:
                touched.extend(pre[number])
                self._remove(number)
        return touched

    def _remove(self, transition: int) -> None:
        for users, arcs in zip(self._users, self._arcs, strict=True):
            for place in arcs[transition]:
                users[place].discard(transition)
            arcs[transition] = {}
        self.gone.add(transition)

    def _merge(self, place: int) -> Merge | None:
        """Remove the place if one of the two cases applies."""
        if place in self._needed_places:
            return None
        # Which side of the transitions that stay touches the place.
        for side in (_POST, _PRE) if not self._initial[place] else (_POST,):
            if len(self._users[1 - side][place]) == 1:
                (single,) = self._users[1 - side][place]
                if self._fits(place, side, single):
                    return self._replaced(place, side, single)
        return None

    def _fits(self, place: int, side: int, single: int) -> bool:
        """Return whether the transition is an h or an f, and the net does not grow."""
        far, arcs = self._arcs[side][single], self._arcs[side]
        if self._arcs[1 - side][single] != {place: 1} or place in far:
            return False
        if place not in self._empty and not self._named_places.isdisjoint(far):
            return False
        others = self._users[side][place]
        heaviest = max((arcs[t][place] for t in others), default=0) * max(far.values(), default=0)
        return heaviest <= WEIGHT and (len(others) - 1) * (len(far) - 1) <= 2

    def _replaced(self, place: int, side: int, single: int) -> Merge:
        """Remove the place with h or f; the other transitions put or take the vector instead."""
        arcs, users = self._arcs[side], self._users[side]
        far, others, tokens = arcs[single], sorted(users[place]), self._initial[place]
        vector = tuple(sorted(far.items()))
        shares = {t: arcs[t].pop(place) for t in others}
        alternating = {t for t in others if not far.keys().isdisjoint(self._arcs[1 - side][t])}
        for q, weight in vector:
            self._initial[q] += tokens * weight
            users[q].update(others)
            for t, share in shares.items():
                arcs[t][q] = arcs[t].get(q, 0) + share * weight
        self._initial[place] = 0
        self._remove(single)
        for users in self._users:
            users[place] = set()
        return Merge(place, single, side == _POST, vector, shares, alternating, tokens)

    def problem(self) -> Problem:
        """Return the remaining problem."""
        net = self._problem.net
        remaining = [n for n in range(len(net.transitions)) if n not in self.gone]
        changed = {t for merge in self.merges for t in merge.shares}
        transitions = list(net.transitions)
        for number in changed:
            pre, post = (tuple(sorted(arcs[number].items())) for arcs in self._arcs)
            transitions[number] = Transition(transitions[number].name, pre, post)
        whole: Net = replace(net, transitions=tuple(transitions), initial=tuple(self._initial))
        left = whole.without({merge.place for merge in self.merges}, remaining)
        return Problem(left, remaining_target(self._problem, self.merges))


def remaining_target(problem: Problem, merges: Iterable[Merge]) -> Formula:
    """Return the target without the removed places, which it requires to be empty."""
    names = {problem.net.places[merge.place] for merge in merges} & set(variables(problem.target))
    return without(problem.target, names) if names else problem.target


STEPS = 1_000_000
"""Traces that would have more steps are not lifted."""


class Agglomeration:
    """Merge transitions with the only one that feeds or drains the place between them."""

    rank = 70
    for_all = False
    """It can hide a trap or a place invariant that proves one of several targets at once."""
    of_net = False

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
    """The step of this rewrite: merges in the order in which they were made.

    `gone` are the transitions that were removed: each h and f, and those left without effect.
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
