"""Guarded nets with questions about them, and as the ordinary nets that they are translated to."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from random import Random

from guarded_oracle import Drafted, Rule
from guarded_random import LIMIT, random_formula, random_net
from judged import Graph, everything, graph_of

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.terms import Term
from petricheck.formats.nets import NetFile
from petricheck.model.guarded.translation import DRAIN, Complementation
from petricheck.model.net import Marking, Net
from petricheck.questions import Question, ask
from petricheck.support.errors import QueryError


@dataclass(frozen=True)
class View(Drafted):
    """A net by definition with the names of the ordinary net, which speaks of complement places."""

    hidden: Mapping[str, Term] = field(default_factory=dict)

    def values(self, marking: Marking) -> dict[str, int]:
        known = super().values(marking)
        hidden = {name: term.evaluate(known) for name, term in self.hidden.items()}
        assert min(hidden.values(), default=0) >= 0, "a bound is exceeded"
        return known | hidden


def viewed(graph: Graph, net: Net) -> Graph:
    """The graph with the names of the ordinary net; what that says of bounds has to be true."""
    origin = net.origin
    if not isinstance(origin, Complementation):
        return graph
    assert isinstance(graph.net, Drafted)

    def way(name: str, number: int, tokens: Marking) -> Rule:
        rule = graph.net.transitions[number]
        emptied = dict(zip(origin.emptied_by(number), tokens, strict=True))
        most = {p: min(n + 1, rule.inhibitors.get(p, n + 1)) for p, n in emptied.items()}
        least = {p: max(n, rule.reads.get(p, n)) for p, n in emptied.items()}
        reads, inhibitors = {**rule.reads, **least}, {**rule.inhibitors, **most}
        return replace(rule, name=name, reads=reads, inhibitors=inhibitors)

    ways = tuple(way(*named) for named in origin.named if named[1] != DRAIN)
    view = graph_of(View(graph.net.initial, ways, origin.hidden), LIMIT)
    assert view.after.keys() == graph.after.keys() and all(map(view.net.values, view.after))
    return view


def require_same_firings(graph: Graph, net: Net) -> None:
    """Compare the firings of the guarded net with those of the ordinary net of its bounds."""
    assert isinstance(net.origin, Complementation)
    ordinary, known = graph_of(net, LIMIT), len(graph.net.places)
    rules = graph.net.transitions
    names = {name: rules[number].name for name, number, _ in net.origin.named}
    firings = {
        marking[:known]: {names[t]: m[:known] for t, m in successors.items()}
        for marking, successors in ordinary.after.items()
    }
    assert firings == graph.after and len(firings) == len(ordinary.after)
    assert [*map(len, firings.values())] == [*map(len, ordinary.after.values())]


def file_of(graph: Graph) -> NetFile:
    """A file of the net."""
    assert isinstance(graph.net, Drafted)
    return NetFile(graph.net.net(), "0" * 64, (), "net.pnml")


@dataclass(frozen=True)
class Asked:
    """A net with what is asked of it.

    Attributes:
        graph: of the net by definition.
        file: of the net.
        formula: that is asked for.
        marking: that is asked for, as well.
    """

    graph: Graph
    file: NetFile
    formula: Formula
    marking: Marking

    def questions(self, graph: Graph | None = None) -> list[tuple[Question, object]]:
        """Questions of all kinds with their answers, or those of another graph.

        Some kinds are refused where no bound of the net is known.
        """
        every: list[tuple[Question, object]] = []
        for words, expected in everything(graph or self.graph, self.formula, self.marking):
            with suppress(QueryError):
                every.append((ask(self.file.net, **words), expected))
        return every


def asked(random: Random) -> Asked:
    """A random net, and a formula and a marking that it may reach."""
    graph, relaxed = random_net(random)
    near = [*[*relaxed.after][:30], *[*graph.after][:60]]
    formula = random_formula(random, graph.net, near)
    return Asked(graph, file_of(graph), formula, random.choice(near))
