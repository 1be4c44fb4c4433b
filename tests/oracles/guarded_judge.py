"""Guarded nets beside the ordinary nets that they are translated to."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from guarded_oracle import Drafted
from guarded_random import LIMIT, random_formula, random_net
from judged import Graph, everything, graph_of

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.formats.nets import NetFile
from petricheck.model.guarded.translation import Complementation
from petricheck.model.net import Marking, Net
from petricheck.questions import Question
from petricheck.support.errors import InputError


def translated(graph: Graph, net: Net) -> Graph:
    """The graph of the ordinary net, which has the same firings as the guarded net."""
    assert isinstance(graph.net, Drafted) and isinstance(net.origin, Complementation)
    ordinary, known = graph_of(net, LIMIT), len(graph.net.places)
    rules, ids = graph.net.transitions, net.origin.firing
    firings = {
        marking[:known]: {rules[ids[t]].name: m[:known] for t, m in successors.items()}
        for marking, successors in ordinary.after.items()
    }
    assert firings == graph.after and len(firings) == len(ordinary.after)
    assert [*map(len, firings.values())] == [*map(len, ordinary.after.values())]
    return ordinary


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

        There are none where no bound of the net is known.
        """
        try:
            net = self.file.net
        except InputError:
            return []
        return [*everything(net, graph or self.graph, self.formula, self.marking)]


def asked(random: Random) -> Asked:
    """A random net, and a formula and a marking that it may reach."""
    graph, relaxed = random_net(random)
    near = [*[*relaxed.after][:30], *[*graph.after][:60]]
    return Asked(
        graph, file_of(graph), random_formula(random, graph.net, near), random.choice(near)
    )
