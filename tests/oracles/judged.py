"""Claims and answers judged by definition, on the reachable markings or on the first of them.

Nothing of the evidence is used, and nothing of the audit: what a claim says is evaluated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from endless_runs import terminates
from guarded_oracle import Drafted
from home_spaces import covering
from oracle import OMEGA, successor, suprema

from petricheck.arithmetic.formulas.formulas import (
    Formula,
    Inequality,
    conjuncts,
    disjuncts,
    evaluate,
)
from petricheck.arithmetic.formulas.terms import Term
from petricheck.arithmetic.formulas.text import to_text
from petricheck.evidence.answer import Trace
from petricheck.evidence.claims import (
    Claim,
    Excluded,
    ExcludedAfter,
    ExcludedWith,
    Home,
    InfiniteRun,
    Pumped,
    ReachabilitySet,
    Reached,
    Terminating,
)
from petricheck.model.net import Marking, Net
from petricheck.questions import DEFAULT_ENGINE, Finding, Question, check
from petricheck.questions.question import Words
from petricheck.support.budget import Budget

LIMIT, NEAR, FIRINGS = 400, 30, 10_000


@dataclass(frozen=True)
class Graph:
    """Reachable markings, by distance, with their successors.

    Attributes:
        net: the net.
        after: by marking the markings that it leads to, by transition.
        whole: whether these are all.
    """

    net: Net | Drafted
    after: Mapping[Marking, Mapping[str, Marking]]
    whole: bool

    @cached_property
    def before(self) -> Mapping[Marking, set[Marking]]:
        """The markings that lead to a marking."""
        before: dict[Marking, set[Marking]] = {}
        for marking, successors in self.after.items():
            for other in successors.values():
                before.setdefault(other, set()).add(marking)
        return before

    def inside(self, formula: Formula) -> set[Marking]:
        """The markings that satisfy the formula."""
        return {m for m in self.after if evaluate(formula, self.net.values(m))}

    def leading_to(self, goal: Iterable[Marking]) -> set[Marking]:
        """The markings from which one of these can be reached."""
        reached = {*goal}
        waiting = [*reached]
        while waiting:
            further = self.before.get(waiting.pop(), set()) - reached
            reached |= further
            waiting += further
        return reached


def graph_of(net: Net | Drafted, limit: int = LIMIT) -> Graph:
    """The graph of at most so many markings."""
    after: dict[Marking, dict[str, Marking]] = {}
    seen, waiting = {net.initial}, [net.initial]
    for marking in waiting:
        if len(after) == limit:
            return Graph(net, after, False)
        fired = {t.name: successor(marking, t) for t in net.transitions}
        after[marking] = {name: m for name, m in fired.items() if m is not None}
        waiting += [m for m in dict.fromkeys(after[marking].values()) if m not in seen]
        seen.update(after[marking].values())
    return Graph(net, after, True)


def judge(graph: Graph, claim: Claim) -> bool | None:
    """Whether what the claim says is true; None where these markings do not tell."""
    net = graph.net
    match claim:
        case Reached(trace, stops):
            passed = markings_of(net, trace)
            if not passed:
                return None if passed is None else False
            return all(evaluate(f, net.values(passed[n])) for n, f in stops)
        case Excluded(formula):
            return never(graph, formula)
        case ExcludedAfter(trace, formula):
            passed = markings_of(net, trace)
            if not passed:
                return None if passed is None else False
            return never(graph_of(net.beginning(passed[-1])), formula)
        case ExcludedWith(names, formula):
            return never_with(graph, names, formula)
        case Home(formulas):
            return both(home(graph, formula) for formula in formulas)
        case Pumped(sums):
            return both(unbounded(graph, term) for term in sums)
        case InfiniteRun(stage):
            steps = stage.stem.steps, (*stage.stem.steps, *stage.loop.steps)
            once, twice = (markings_of(net, Trace(fired)) for fired in steps)
            if once is None or twice is None:
                return None
            pairs = zip(once[-1], twice[-1], strict=True) if twice else ()
            return bool(twice and stage.loop.steps) and all(a <= b for a, b in pairs)
        case Terminating(names):
            return ends(graph, names) if graph.whole else terminates(net, names)
        case ReachabilitySet(markings, firings, in_place, in_marking):
            space = graph_of(net, markings + 1)
            counted = (
                len(space.after),
                sum(map(len, space.after.values())),
                max(max(m, default=0) for m in space.after),
                max(map(sum, space.after)),
            )
            return space.whole and counted == (markings, firings, in_place, in_marking)
    raise AssertionError(f"no such claim: {claim}")


def both(truths: Iterable[bool | None]) -> bool | None:
    """Whether all are true; None where that is open."""
    known = [*truths]
    return False if False in known else None if None in known else True


def markings_of(net: Net | Drafted, trace: Trace) -> list[Marking] | None:
    """The initial marking and that after each step; None for many firings; [] if it cannot fire."""
    transitions, passed = {t.name: t for t in net.transitions}, [net.initial]
    if sum(times for _, times in trace.steps) > FIRINGS:
        return None
    for name, times in trace.steps:
        marking: Marking | None = passed[-1]
        for _ in range(times):
            marking = None if marking is None else successor(marking, transitions[name])
        if marking is None:
            return []
        passed.append(marking)
    return passed


def never(graph: Graph, formula: Formula) -> bool | None:
    """Whether no marking satisfies the formula."""
    if graph.whole or graph.inside(formula):
        return not graph.inside(formula)
    basis = covering_any(graph.net, formula)
    return None if basis is None else not is_above(graph.net.initial, basis)


def covering_any(net: Net | Drafted, formula: Formula) -> list[Marking] | None:
    """The least markings from which the formula can be reached, if it asks for tokens alone."""
    if isinstance(net, Drafted):
        return None  # More tokens may allow less.
    found: list[Marking] = []
    for part in disjuncts(formula):
        least = dict.fromkeys(net.places, 0)
        for atom in conjuncts(part):
            match atom:
                case Inequality(Term(((place, -1),), tokens)):
                    least[place] = max(least[place], tokens)
                case _:
                    return None
        basis = covering(net, tuple(least.values()))
        if basis is None:
            return None
        found += basis
    return found


def is_above(marking: Marking, basis: Iterable[Marking]) -> bool:
    """Whether the marking has all tokens of one of these."""
    return any(all(a >= b for a, b in zip(marking, m, strict=True)) for m in basis)


def never_with(graph: Graph, names: Iterable[str], formula: Formula) -> bool | None:
    """Whether no firing sequence with one of these transitions ends in the formula."""
    chosen = {*names}
    waiting = [m for after in graph.after.values() for name, m in after.items() if name in chosen]
    seen = {*waiting}
    while waiting:
        further = {*graph.after.get(waiting.pop(), {}).values()} - seen
        seen |= further
        waiting += further
    return False if graph.inside(formula) & seen else graph.whole or None


def home(graph: Graph, formula: Formula) -> bool | None:
    """Whether the formula is a home space."""
    if graph.whole:
        return graph.leading_to(graph.inside(formula)) == graph.after.keys()
    basis = covering_any(graph.net, formula)
    if basis is not None:
        return None if all(is_above(marking, basis) for marking in graph.after) else False
    near = (graph_of(graph.net.beginning(marking)) for marking in [*graph.after][:NEAR])
    return False if any(never(further, formula) for further in near) else None


def unbounded(graph: Graph, term: Term) -> bool | None:
    """Whether the term exceeds all numbers; None for differences in an unbounded net."""
    if graph.whole or isinstance(graph.net, Drafted):
        return False if graph.whole else None
    most = suprema(graph.net, LIMIT)
    if most is None or min((n for _, n in term.coefficients), default=1) < 0:
        return None
    return any(most[graph.net.place_numbers[place]] == OMEGA for place, _ in term.coefficients)


def firing(graph: Graph) -> dict[str, set[Marking]]:
    """By transition the markings that enable it."""
    return {
        t.name: {m for m, after in graph.after.items() if t.name in after}
        for t in graph.net.transitions
    }


def ends(graph: Graph, exempt: Collection[str] = ()) -> bool:
    """Whether no cycle has other firings only; the graph is whole."""
    endless = {*graph.after}

    def goes_on(marking: Marking) -> bool:
        return any(m in endless for name, m in graph.after[marking].items() if name not in exempt)

    while ended := {marking for marking in endless if not goes_on(marking)}:
        endless -= ended
    return not endless


ANSWERS: dict[str, Callable[[Graph], object]] = {
    "live": lambda graph: all(
        graph.leading_to(there) == graph.after.keys() for there in firing(graph).values()
    ),
    "reversible": lambda graph: graph.leading_to([graph.net.initial]) == graph.after.keys(),
    "quasi_live": lambda graph: all(firing(graph).values()),
    "deadlock": lambda graph: not all(graph.after.values()),
    "bounded": lambda graph: True,
    "safe": lambda graph: max(map(max, graph.after)) <= 1,
    "stable": lambda graph: any(len({*counts}) == 1 for counts in zip(*graph.after, strict=True)),
    "state_space": lambda graph: len(graph.after),
    "terminates": lambda graph: ends(graph),
}
"""Answers to questions without words, by definition, where the graph is whole."""


def everything(
    graph: Graph, formula: Formula, marking: Marking
) -> Iterator[tuple[dict[str, Words], object]]:
    """Questions of all kinds that need no workflow net, each with its answer; None where open."""
    names = graph.net.places
    tokens = {place: n for place, n in zip(names, marking, strict=True) if n}
    covered = any(is_above(reached, [marking]) for reached in graph.after)

    def can(found: object) -> bool | None:
        return bool(found) or (False if graph.whole else None)

    for kind, answer in ANSWERS.items():
        yield {kind: True}, answer(graph) if graph.whole else None
    words = to_text(formula)
    yield {"home": words}, home(graph, formula)
    reached = can(graph.inside(formula))
    yield {"formula": words}, reached
    yield {"never": words}, None if reached is None else not reached
    yield {"target": dict(zip(names, marking, strict=True))}, can(marking in graph.after)
    if tokens:
        yield {"cover": tokens}, can(covered)
    for name, markings in firing(graph).items():
        yield {"fireable": name}, can(markings)
        always = graph.whole and graph.leading_to(markings) == graph.after.keys()
        yield {"live": name}, always if graph.whole else None
    for number, place in enumerate(names):
        yield {"bound": place}, max(m[number] for m in graph.after) if graph.whole else None


Tally = Counter[tuple[str, str]]
"""How often which answer was given to a kind of question, or which truth a kind of claim had."""

SECONDS = 0.3
"""For each question, and each method; what takes longer is left open."""


def told(
    graph: Graph,
    question: Question,
    tally: Tally,
    expected: object,
    *,
    engine: str = DEFAULT_ENGINE,
    view: Graph | None = None,
) -> Finding:
    """Answer the question, and judge the answer and its claims.

    Of a guarded net, claims are about a view of its graph, as its ordinary net has it.
    """
    finding = check(question, engine=engine, budget=Budget(SECONDS))
    tally[question.kind, str(finding.value)] += 1
    assert finding.value is None or expected in (None, finding.value), (str(question.net), finding)
    for claim in finding.claims:
        counts = isinstance(claim, ReachabilitySet)  # places of the guarded net alone
        truth = judge(graph if counts or view is None else view, claim)
        tally[type(claim).__name__, str(truth)] += 1
        assert truth is not False, (str(question.net), question.kind, claim)
    return finding
