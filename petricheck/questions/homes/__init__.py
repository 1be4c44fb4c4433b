"""Home spaces: sets of markings one of which can be reached from every reachable marking.

This module says what follows about them from proved claims. The other modules search for proofs and
counterexamples, one method each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from petricheck.arithmetic.formulas.formulas import Formula, conjunction, equal
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.answer import Trace
from petricheck.evidence.claims import Claim, Excluded, ExcludedAfter, Home
from petricheck.model.net import Marking, Net
from petricheck.questions.events import parts_of


@dataclass(frozen=True, slots=True)
class HomeSpaces:
    """The formulas of a list that are proved to be home spaces, or not to be.

    Attributes:
        homes: numbers of formulas that are home spaces.
        lost: by number of a formula that is none, a trace after which it is never reached.
    """

    homes: frozenset[int]
    lost: Mapping[int, Trace] = field(default_factory=dict)

    def open(self, formulas: Sequence[Formula]) -> list[Formula]:
        """Return the formulas of which neither is proved."""
        return [
            formula
            for number, formula in enumerate(formulas)
            if number not in self.homes and number not in self.lost
        ]


def home_spaces(formulas: Sequence[Formula], claims: Iterable[Claim]) -> HomeSpaces:
    """Return what proved claims say about formulas, which are compared by how they are written."""
    speaking = [claim for claim in claims if isinstance(claim, Home | Excluded | ExcludedAfter)]
    if not speaking:  # Formulas are not written in vain: at a limit there is no time for that.
        return HomeSpaces(frozenset())
    from petricheck.arithmetic.solvers.smtlib import to_smtlib  # Few questions need it.

    parts = [frozenset(map(to_smtlib, parts_of(formula))) for formula in formulas]
    homes, lost = set[str](), dict[int, Trace]()
    for claim in speaking:
        match claim:
            case Home(home_formulas):
                homes.update(map(to_smtlib, home_formulas))
            case Excluded(formula) | ExcludedAfter(_, formula):
                trace = claim.trace if isinstance(claim, ExcludedAfter) else Trace(())
                excluded = frozenset(map(to_smtlib, parts_of(formula)))
                for number, own in enumerate(parts):
                    if own <= excluded:
                        lost.setdefault(number, trace)
    shown_homes = (n for n, formula in enumerate(formulas) if to_smtlib(formula) in homes)
    return HomeSpaces(frozenset(shown_homes), lost)


def home_marking(net: Net, marking: Marking) -> Formula:
    """Return the formula that this marking alone satisfies."""
    return conjunction(equal(variable(place), n) for place, n in net.values(marking).items())
