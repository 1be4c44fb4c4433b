"""Home spaces of well-formed free-choice nets, in exact arithmetic.

A net is (extended) *free-choice* if all weights are 1 and transitions that share an input place
have the same input places. Such transitions with these places form a *cluster*, and so does a place
without output transitions. A net is *well-formed* if some initial marking makes it live and
bounded. The theorems are from the book of Desel and Esparza, Free Choice Petri Nets (1995).

- Rank theorem (chapter 6). A free-choice net is well-formed if it is connected, has a place and a
  transition, a place invariant and a transition invariant with positive weights only, and if the
  rank of its effects is the number of clusters less 1. The place invariant bounds it for every
  initial marking.
- Commoner's theorem (chapter 4; Hack 1972). A free-choice net is live if each nonempty siphon
  contains a trap that is marked initially. A minimal siphon of a well-formed free-choice net is a
  trap (chapter 5), and every nonempty siphon contains a minimal one. So such a net is live if every
  nonempty siphon is marked initially.
- Home markings (chapter 8; Best, Desel, Esparza 1992). If a free-choice net is live and bounded,
  and every nonempty trap is marked initially, then the initial marking is a home marking.

The greatest siphon among the places without tokens is computed by removing places on which some
transition puts that takes from no remaining place. For traps the arcs are reversed.

A formula is a home space if it contains all markings that enable some transition, since the net is
live; or, in the last case, if it contains the initial marking.

Strongly connected marked graphs and state machines are such nets.
"""

from __future__ import annotations

from collections import defaultdict

from petricheck.arithmetic.formulas.formulas import (
    Formula,
    Inequality,
    conjuncts,
    disjuncts,
    evaluate,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.arithmetic.programs.algebra import rank
from petricheck.evidence.audit.limits import checked, integral
from petricheck.evidence.certificates.free_choice import PositiveInvariants
from petricheck.model.net import Net, Transition
from petricheck.support.budget import Budget, watched
from petricheck.support.errors import EvidenceError


class FreeChoice:
    """A well-formed free-choice net all of whose siphons are marked."""

    of = PositiveInvariants

    def discharge(
        self,
        net: Net,
        formulas: tuple[Formula, ...],
        proof: PositiveInvariants,
        budget: Budget,
        second_solver: bool,
    ) -> str:
        """Check the conditions of the theorems."""
        if not is_free_choice(net):
            raise EvidenceError("the net is not free-choice")
        if not _is_connected(net):
            raise EvidenceError("the net is not connected")
        _check_invariants(net, proof, budget)
        if not _has_rank(net):
            raise EvidenceError("the rank of the net is not the number of its clusters less 1")
        siphon, trap = (_unmarked(net, _arcs(net, turned)) for turned in (False, True))
        if siphon:
            raise EvidenceError(f"a siphon is empty initially, with {net.places[min(siphon)]!r}")
        for formula in watched(formulas, budget, 1):
            if not contains_home(net, checked("a home space", net, formula, budget), not trap):
                raise EvidenceError("a home space does not contain what is shown to be one")
        return "checked in exact integer arithmetic"


def is_free_choice(net: Net) -> bool:
    """Return whether transitions that share an input place have the same, and weights are 1."""
    takers: dict[int, Transition] = {}
    for transition in net.transitions:
        if any(weight != 1 for _, weight in (*transition.pre, *transition.post)):
            return False
        if any(takers.setdefault(p, transition).pre != transition.pre for p, _ in transition.pre):
            return False
    return True


def contains_home(net: Net, formula: Formula, reversible: bool) -> bool:
    """Return whether the formula is a home space of the net, given that the net is live.

    It is given as well whether the net is `reversible`: the initial marking is a home marking.
    """
    enabling = [
        {Inequality(1 - variable(net.places[place])) for place, _ in transition.pre}
        for transition in net.transitions
    ]
    if any(needs >= set(conjuncts(part)) for part in disjuncts(formula) for needs in enabling):
        return True
    return reversible and evaluate(formula, net.values(net.initial))


def _has_rank(net: Net) -> bool:
    """Return whether the rank of the effects is the number of clusters less 1.

    In a connected net with positive invariants each transition has an input place, and each place
    an output transition. So there is one cluster for each set of input places.
    """
    rows = []
    for transition in net.transitions:
        row = [0] * len(net.places)
        for place, change in transition.effect:
            row[place] = change
        rows.append(row)
    return rank(rows) == len({transition.pre for transition in net.transitions}) - 1


def _arcs(net: Net, turned: bool) -> list[tuple[list[int], list[int]]]:
    """Return for each transition its input and output places; exchanged if the arcs are turned."""
    pairs = [([p for p, _ in t.pre], [p for p, _ in t.post]) for t in net.transitions]
    return [(post, pre) for pre, post in pairs] if turned else pairs


def _unmarked(net: Net, arcs: list[tuple[list[int], list[int]]]) -> set[int]:
    """Return the greatest siphon of these arcs among the places that are empty initially."""
    places = {place for place, tokens in enumerate(net.initial) if not tokens}
    takers = defaultdict[int, list[int]](list)
    for number, (pre, _) in enumerate(arcs):
        for place in pre:
            takers[place].append(number)
    support = [sum(place in places for place in pre) for pre, _ in arcs]
    filling = [number for number, size in enumerate(support) if not size]
    while filling:
        for place in places.intersection(arcs[filling.pop()][1]):
            places.remove(place)
            for number in takers[place]:
                support[number] -= 1
                if not support[number]:
                    filling.append(number)
    return places


def _is_connected(net: Net) -> bool:
    """Return whether the net has a transition, and is connected as an undirected graph."""
    places = [[p for p, _ in (*t.pre, *t.post)] for t in net.transitions]
    transitions = defaultdict[int, list[int]](list)
    for number, joined in enumerate(places):
        for place in joined:
            transitions[place].append(number)
    remaining, reached, waiting = set(range(len(net.places))), set[int](), [0]
    while waiting:
        place = waiting.pop()
        if place in remaining:
            remaining.remove(place)
            reached.update(transitions[place])
            waiting += [other for number in transitions[place] for other in places[number]]
    return not remaining and 0 < len(reached) == len(net.transitions)


def _check_invariants(net: Net, proof: PositiveInvariants, budget: Budget) -> None:
    tokens, firings = dict(proof.places), dict(proof.transitions)
    if tokens.keys() != net.place_numbers.keys() or firings.keys() != net.transition_numbers.keys():
        raise EvidenceError("an invariant does not name all places, or not all transitions")
    weights = (*tokens.values(), *firings.values())
    if not integral(*weights) or min(weights, default=0) < 1:
        raise EvidenceError("an invariant has a weight that is not positive")
    total: dict[int, int] = defaultdict(int)
    for transition in watched(net.transitions, budget):
        if sum(tokens[net.places[place]] * change for place, change in transition.effect):
            raise EvidenceError(f"transition {transition.name!r} changes the place invariant")
        for place, change in transition.effect:
            total[place] += firings[transition.name] * change
    if any(total.values()):
        raise EvidenceError("the transition invariant changes a place")
