"""Home markings by the short-circuited net.

Let f be a marking, and N* the net with one more transition t*, which takes f and puts the initial
marking. (This is the *short-circuited* net of van der Aalst, 1997, where f is a token on the sink.)
If in N* the markings m ≥ f are a home space, and f is the only reachable one of them, then f is a
home marking of the net.

Proof: a marking that is reachable in the net is reachable in N*. From there, a shortest firing
sequence of N* to some marking m ≥ f does not fire t*: t* is enabled only by markings ≥ f. So it
is a firing sequence of the net. Its last marking m is reachable in N*, so m = f.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Equality,
    Formula,
    Inequality,
    conjuncts,
)
from petricheck.arithmetic.formulas.terms import linear
from petricheck.evidence.audit.homes import check_home
from petricheck.evidence.audit.limits import checked
from petricheck.evidence.audit.sequences import holds_at_least
from petricheck.evidence.audit.shapes import check_excluded
from petricheck.evidence.certificates.onward import OnwardTraces
from petricheck.evidence.certificates.short_circuit import Restarted
from petricheck.model.net import Marking, Net, Transition, Weights
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError
from petricheck.support.words import fresh_name


class ShortCircuit:
    """A home marking that no reachable marking of the short-circuited net exceeds."""

    of = Restarted

    def discharge(
        self,
        net: Net,
        formulas: tuple[Formula, ...],
        proof: Restarted,
        budget: Budget,
        second_solver: bool,
    ) -> str:
        """Check both conditions for the short-circuited net."""
        if isinstance(proof.proof, Restarted | OnwardTraces):
            raise EvidenceError("a proof about a net that is started again holds another one")
        final, *others = (
            only_marking(net, checked("a home space", net, f, budget)) for f in formulas
        )
        if final is None or others:
            raise EvidenceError("the home space is not a single marking")
        circuit = restarted(net, final)
        home = holds_at_least(net, enumerate(final))
        shown = check_home(circuit, (home,), proof.proof, budget, second_solver)
        problem = Problem(circuit, exceeded(net, final))
        excluded = check_excluded(problem, proof.certificate, budget, second_solver)
        return "; ".join(dict.fromkeys((shown, excluded)))


def only_marking(net: Net, formula: Formula) -> Marking | None:
    """Return the only marking of the formula, an equality for each place; None for others."""
    tokens = dict(_equalities(conjuncts(formula)))
    if tokens.keys() != net.place_numbers.keys() or len(conjuncts(formula)) != len(tokens):
        return None
    marking = tuple(tokens[place] for place in net.places)
    return marking if min(marking, default=0) >= 0 else None


def restarted(net: Net, final: Marking) -> Net:
    """Return N*."""
    name = fresh_name("restart", net.transition_numbers)
    restart = Transition(name, _weights(final), _weights(net.initial))
    return replace(net, transitions=(*net.transitions, restart), origin=None)


def exceeded(net: Net, final: Marking) -> Formula:
    """Return the formula m ≥ f and m ≠ f."""
    more = Inequality(sum(final) + 1 - linear((place, 1) for place in net.places))
    return Conjunction((holds_at_least(net, enumerate(final)), more))


def _equalities(atoms: Iterable[Formula]) -> Iterable[tuple[str, int]]:
    """Yield (place, tokens) for the formulas that are equalities of one place."""
    for atom in atoms:
        if isinstance(atom, Equality) and len(atom.term.coefficients) == 1:
            ((place, weight),) = atom.term.coefficients
            if abs(weight) == 1:
                yield place, -atom.term.constant * weight


def _weights(marking: Marking) -> Weights:
    return tuple((place, tokens) for place, tokens in enumerate(marking) if tokens)
