"""Home spaces: sets of markings one of which can be reached from every reachable marking.

This module says what follows about them from proved claims. The other modules search for proofs and
counterexamples, one method each.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from petricheck.answer import Trace
from petricheck.claims import Claim, Excluded, ExcludedAfter, Home
from petricheck.errors import QueryError
from petricheck.presburger.formulas import Formula
from petricheck.problem import Net, make_problem
from petricheck.questions.deciding import tokens_held
from petricheck.questions.events import parts_of
from petricheck.questions.kind import Answers, Colours, Conclusion, Kind

if TYPE_CHECKING:
    from petricheck.questions.study import Study


@dataclass(frozen=True, slots=True)
class Settled:
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


def settled(formulas: Sequence[Formula], claims: Iterable[Claim]) -> Settled:
    """Return what proved claims say about formulas, which are compared by how they are written."""
    from petricheck.presburger.smtlib import to_smtlib  # Few questions need it.

    parts = [frozenset(map(to_smtlib, parts_of(formula))) for formula in formulas]
    homes, lost = set[str](), dict[int, Trace]()
    for claim in claims:
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
    return Settled(frozenset(shown_homes), lost)


def require_given_start(net: Net) -> None:
    """Refuse nets with added transitions.

    Raises:
        QueryError: it has some.
    """
    if net.added:
        raise QueryError(
            "what a net can always get to cannot be asked where its initial value is parametric "
            "(at least so many tokens): the transitions added for that fire for ever; fix the value"
        )


class Returning(Kind):
    """A kind that asks whether one formula is a home space; its content is the formula.

    Attributes:
        outcomes: its answers.
    """

    # Without colours more markings may be reachable than in the coloured net.
    colours: ClassVar[Colours] = "merged"
    outcomes: ClassVar[Answers]

    @abstractmethod
    def formula(self, net: Net, text: str) -> Formula:
        """Return the formula that the words mean.

        Raises:
            QueryError: the words make no sense.
        """

    def answers(self, text: str) -> Answers:
        """Return the answers: yes or no."""
        return self.outcomes

    def read(self, net: Net, text: str) -> Formula:
        """Return the formula, with its atoms made primitive.

        Raises:
            QueryError: the words make no sense, or the net has added transitions.
        """
        require_given_start(net)
        return make_problem(net, self.formula(net, text)).target

    def search(self, study: Study, contents: Sequence[Formula]) -> None:
        """Search for all formulas together."""
        from petricheck.questions.homes.search import settle  # It brings numpy.

        settle(study, list(dict.fromkeys(contents)))

    def conclude(self, net: Net, content: Formula, claims: Sequence[Claim]) -> Conclusion:
        """Return whether it is a home space; if not, the marking from which it is never reached."""
        state = settled((content,), claims)
        value, marking = (True if state.homes else None), None
        if 0 in state.lost:
            value, marking = False, tokens_held(net, net.after(state.lost[0].steps))
        return Conclusion(self.outcomes, value, (), {"holds": value, "marking": marking})
